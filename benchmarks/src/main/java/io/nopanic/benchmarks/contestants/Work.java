package io.nopanic.benchmarks.contestants;

import java.util.concurrent.Callable;

/** What guarded calls do: next to nothing, so that only the guard is measured. */
public final class Work {

    /** What calls return. */
    public static final Object ANSWER = "answer";

    /** What a fallback returns. */
    public static final Object INSTEAD = "instead";

    /** Made once and without a stack trace: what an exception costs is not the guard's doing. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // on purpose, see above
    public static final Failure FAILURE = new Failure();

    private Work() {}

    /** What one thread calls, so that calls end as is wanted of those of a group. */
    public static Callable<Object> of(Group.Calls calls) {
        return switch (calls) {
            case SUCCEED, REMEMBERED, REFUSED -> new Succeeding();
            case THIRD_FAILS, REPLACED -> new ThirdFailing(false);
            case RETRIED -> new ThirdFailingOnce();
        };
    }

    /** How calls fail. */
    public static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1;

        /** One without a stack trace. */
        public Failure() {
            super("down", null, false, false);
        }
    }

    /** A call that returns. It reads a field, so that its result is no constant to the compiler. */
    public static final class Succeeding implements Callable<Object> {

        private final Object answer;

        /** One that returns the answer. */
        public Succeeding() {
            answer = ANSWER;
        }

        @Override
        public Object call() {
            return answer;
        }
    }

    /** A call that throws every third time. For one thread. */
    public static final class ThirdFailing implements Callable<Object> {

        private final Thirds thirds = new Thirds();
        private final boolean fresh;

        /**
         * One that counts its calls.
         *
         * @param fresh whether each failure is an exception of its own
         */
        public ThirdFailing(boolean fresh) {
            this.fresh = fresh;
        }

        @Override
        public Object call() {
            if (thirds.next()) {
                throw fresh ? new Failure() : FAILURE;
            }
            return ANSWER;
        }
    }

    /** A call of which every third needs two attempts: the first throws, the second returns. For one thread. */
    public static final class ThirdFailingOnce implements Callable<Object> {

        private final Thirds thirds = new Thirds();

        @Override
        public Object call() {
            if (thirds.nextUnlessRepeated()) {
                throw FAILURE;
            }
            return ANSWER;
        }
    }

    /** Says of every third of one thread's calls that it is one. */
    public static final class Thirds {

        /** The count stands in the middle of an array, so that those of two threads never share a line of the cache. */
        private static final int PLACE = 32;

        private final int[] count = new int[2 * PLACE];

        /** Whether this is a third one. */
        public boolean next() {
            int calls = count[PLACE] + 1;
            count[PLACE] = calls == 3 ? 0 : calls;
            return calls == 3;
        }

        /** Whether this is a third one; the one after it is its repetition and does not count. */
        boolean nextUnlessRepeated() {
            int calls = count[PLACE] + 1;
            count[PLACE] = calls == 4 ? 0 : calls;
            return calls == 3;
        }
    }
}
