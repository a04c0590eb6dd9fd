package io.nopanic.stress.linearizability;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.stress.interleavings.HandTime;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/**
 * A bulkhead with a queue of two, against a counter and a list: with one permit; and with two, which lie in a stripe each, so that whoever finds none at home looks elsewhere. It begins with one call
 * that runs. Each thread makes one call at a time.
 */
public final class Bulkheads {

    private static final int PERMITS = 1;
    private static final int PLACES = 2;

    private Bulkheads() {}

    /** The bulkhead. */
    public abstract static class Calls {

        final Bulkhead bulkhead;
        private final Slots<Entry> calls = new Slots<>();
        private final long first;

        /** One call is let in. */
        Calls(int permits) {
            bulkhead =
                    Bulkhead.builder().maxConcurrent(permits).maxQueued(PLACES).build();
            first = bulkhead.tryAcquire(HandTime.START_NANOS);
        }

        /** The call that was there at the beginning ends. */
        @Operation(runOnce = true)
        public void endFirst() {
            release(first);
        }

        /** A call asks to be let in. */
        @Operation
        public String enter(@Param(gen = ThreadIdGen.class) int thread) {
            if (calls.get(thread) != null) {
                return "busy";
            }
            long permit = bulkhead.tryAcquire(HandTime.START_NANOS);
            Entry entry = permit == Admission.NOT_NOW ? bulkhead.enter(HandTime.request()) : new Entry.Admitted(permit);
            if (entry instanceof Entry.Refused) {
                return "refused";
            }
            calls.set(thread, entry);
            return entry instanceof Entry.Waiting ? "waits" : "in";
        }

        /** A call that waits asks whether it is let in. */
        @Operation
        public String ask(@Param(gen = ThreadIdGen.class) int thread) {
            if (!(calls.get(thread) instanceof Entry.Waiting place)) {
                return "idle";
            }
            if (place.check(HandTime.START_NANOS) != Entry.Waiting.ADMITTED) {
                return "waits";
            }
            calls.set(thread, new Entry.Admitted(place.permit()));
            return "in";
        }

        /** A call ends, or gives up waiting. */
        @Operation
        public boolean leave(@Param(gen = ThreadIdGen.class) int thread) {
            Entry entry = calls.get(thread);
            if (entry == null) {
                return false;
            }
            calls.set(thread, null);
            if (entry instanceof Entry.Waiting place) {
                place.leave(HandTime.START_NANOS);
            } else if (entry instanceof Entry.Admitted admitted) {
                release(admitted.permit());
            }
            return true;
        }

        private void release(long permit) {
            bulkhead.settle(permit, HandTime.START_NANOS, HandTime.START_NANOS, "result", null);
        }
    }

    /** With one permit. */
    public static final class Subject extends Calls {

        /** See {@link Calls}. */
        public Subject() {
            super(PERMITS);
        }

        /** How many calls would be let in at once. */
        @Operation
        public int available() {
            return bulkhead.available();
        }
    }

    /** With a permit for each of two stripes. How many are free is not asked: while one moves, it may be counted in either, in both or in none. */
    public static final class TwoStripes extends Calls {

        /** See {@link Calls}. */
        public TwoStripes() {
            super(2 * PERMITS);
        }
    }

    /** What it should do with two permits. */
    public static final class TwoStripesSpecification extends Specification {

        /** See {@link Specification}. */
        public TwoStripesSpecification() {
            super(2 * PERMITS);
        }
    }

    /** What it should do. */
    public static class Specification {

        private int free;
        private final Deque<Integer> queue = new ArrayDeque<>();
        private final Slots<Boolean> calls = new Slots<>();

        /** With one permit. */
        public Specification() {
            this(PERMITS);
        }

        Specification(int permits) {
            free = permits - 1;
        }

        /** See {@link Subject}. */
        public void endFirst() {
            release();
        }

        private void release() {
            free++;
            if (queue.poll() != null) {
                free--;
            }
        }

        /** See {@link Subject}. */
        public String enter(int thread) {
            if (calls.get(thread) != null) {
                return "busy";
            }
            if (free > 0) {
                free--;
                calls.set(thread, true);
                return "in";
            }
            if (queue.size() == PLACES) {
                return "refused";
            }
            queue.add(thread);
            calls.set(thread, false);
            return "waits";
        }

        /** See {@link Subject}. */
        public String ask(int thread) {
            Boolean call = calls.get(thread);
            if (call == null || call) {
                return "idle";
            }
            if (queue.contains(thread)) {
                return "waits";
            }
            calls.set(thread, true);
            return "in";
        }

        /** See {@link Subject}. */
        public boolean leave(int thread) {
            if (calls.get(thread) == null) {
                return false;
            }
            calls.set(thread, null);
            if (!queue.remove(thread)) {
                release();
            }
            return true;
        }

        /** See {@link Subject}. */
        public int available() {
            return free;
        }
    }
}
