package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A window that opens when half of its calls have failed, and at least two. Who sees that, when several calls end at one moment, depends on who meets whom. But when all is still, somebody has seen
 * what was certain; and nobody has seen what cannot have been.
 *
 * <p>A log of when each outcome began to be counted and when that was done says what is certain: that an outcome is in the window while fewer than its length can have come after it, and that it is out
 * when as many have.
 */
public abstract class WindowSubject {

    private static final int MINIMUM = 2;
    private static final double RATE = 0.5;
    private static final Thresholds THRESHOLDS = new Thresholds(MINIMUM, RATE, Thresholds.OFF, Thresholds.OFF);
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final Window window;
    private final Log log;

    private WindowSubject(Window window, int length) {
        this.window = window;
        log = new Log(length);
    }

    /** A count window of three, in which an outcome that takes another's place can be counted beside it for a moment. */
    public static final class OfCalls extends WindowSubject {

        private static final int LENGTH = 3;

        /** Empty. */
        public OfCalls() {
            super(new CountWindow(THRESHOLDS, LENGTH), LENGTH);
        }
    }

    /** A time window while the clock stands still, so that nothing leaves it. */
    public static final class OfTime extends WindowSubject {

        /** Empty. */
        public OfTime() {
            super(new TimeWindow(THRESHOLDS, 2_000_000_000L, 2, 0), UNLIMITED);
        }
    }

    /** A call succeeds. */
    @Operation
    public void succeed() {
        end(Ending.SUCCESS);
    }

    /** A call fails. */
    @Operation
    public void fail() {
        end(Ending.FAILURE);
    }

    private void end(Ending ending) {
        Outcome outcome = log.begin(ending.isBad());
        boolean opens = window.record(ending, 0) && window.reaches(Overdue.NONE, 0);
        log.end(outcome, opens);
    }

    /** Whether it has opened when it had to and when it could, and holds what it should. */
    @Validate
    public void isTrue() {
        log.check(window.counts(Overdue.NONE, 0));
    }

    private static final class Outcome {

        final boolean bad;
        final int begun;

        /** Until then it is being counted. */
        int ended = UNLIMITED;

        boolean opens;

        Outcome(boolean bad, int begun) {
            this.bad = bad;
            this.begun = begun;
        }
    }

    /** What happened, in steps of a clock that all share. */
    private static final class Log {

        private final int length;
        private final List<Outcome> all = new ArrayList<>();
        private int clock;

        Log(int length) {
            this.length = length;
        }

        synchronized Outcome begin(boolean bad) {
            Outcome outcome = new Outcome(bad, clock++);
            all.add(outcome);
            return outcome;
        }

        synchronized void end(Outcome outcome, boolean opens) {
            outcome.opens = opens;
            outcome.ended = clock++;
        }

        void check(Counts counts) {
            String wrong = new History(length, all).wrong(counts);
            if (!wrong.isEmpty()) {
                throw new IllegalStateException(wrong);
            }
        }
    }

    /** The same when everything is over: which outcomes came before which. A set of outcomes is a number with a bit for each, because each step that is watched here makes a scenario longer. */
    private static final class History {

        private final int length;
        private final int size;
        private final long everything;
        private long bad;
        private long opening;

        /** By outcome: those that were over when it began; that began when it was over; and that ended after it. */
        private final long[] before;

        private final long[] after;
        private final long[] endedLater;

        History(int length, List<Outcome> all) {
            this.length = length;
            size = all.size();
            everything = (1L << size) - 1;
            before = new long[size];
            after = new long[size];
            endedLater = new long[size];
            for (int one = 0; one < size; one++) {
                Outcome outcome = all.get(one);
                bad |= outcome.bad ? 1L << one : 0;
                opening |= outcome.opens ? 1L << one : 0;
                int begun = outcome.begun;
                int ended = outcome.ended;
                for (int other = 0; other < size; other++) {
                    before[other] |= ended < all.get(other).begun ? 1L << one : 0;
                    after[other] |= begun > all.get(other).ended ? 1L << one : 0;
                    endedLater[other] |= ended > all.get(other).ended ? 1L << one : 0;
                }
            }
        }

        String wrong(Counts counts) {
            boolean isRight = counts.calls() == Math.min(length, size)
                    && counts.failures() >= certainlyBad(everything)
                    && counts.failures() <= perhapsBad(everything, everything);
            String wrong = isRight ? "" : counts + "; ";
            for (int each = 0; each < size; each++) {
                boolean opens = (opening & (1L << each)) != 0;
                if (opens && !canOpen(each)) {
                    wrong += "opened early; ";
                }
                long done = everything & ~after[each];
                boolean isStill = endedLater[each] == after[each];
                if (isStill && hasToBeOpen(done) && (opening & done) == 0) {
                    wrong += "opened late; ";
                }
            }
            return wrong;
        }

        /** At its worst, what this one can have read, and what it need not have. */
        private boolean canOpen(int reader) {
            long others = everything & ~before[reader] & ~after[reader] & ~(1L << reader);
            int most = perhapsBad(everything & ~after[reader], before[reader]);
            return length == UNLIMITED
                    ? isReached(most, most + Long.bitCount(before[reader] & ~bad))
                    : isReached(
                            Math.min(length, most + Long.bitCount(others)),
                            Math.min(length, Long.bitCount(before[reader]) + 1));
        }

        private boolean hasToBeOpen(long done) {
            int least = certainlyBad(done);
            return least >= MINIMUM && isReached(least, Math.min(length, Long.bitCount(done)));
        }

        private static boolean isReached(int bad, int calls) {
            return bad >= RATE * calls;
        }

        /** Of these, the bad ones after which fewer can have come than the window is long. */
        private int certainlyBad(long done) {
            int count = 0;
            for (long left = bad & done; left != 0; left &= left - 1) {
                long notBefore = done & ~before[Long.numberOfTrailingZeros(left)];
                count += Long.bitCount(notBefore) <= length ? 1 : 0;
            }
            return count;
        }

        /** Of these, the bad ones after which fewer than the window is long have surely come. */
        private int perhapsBad(long begun, long surely) {
            int count = 0;
            for (long left = bad & begun; left != 0; left &= left - 1) {
                long later = after[Long.numberOfTrailingZeros(left)] & surely;
                count += Long.bitCount(later) < length ? 1 : 0;
            }
            return count;
        }
    }
}
