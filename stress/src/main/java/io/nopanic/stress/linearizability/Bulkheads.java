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
 * A bulkhead with one permit and a queue of two, against a counter and a list. It begins with one call that runs. Each thread makes one call at a
 * time.
 */
public final class Bulkheads {

    private static final int PERMITS = 1;
    private static final int PLACES = 2;

    private Bulkheads() {}

    /** The bulkhead. */
    public static final class Subject {

        private final Bulkhead bulkhead =
                Bulkhead.builder().maxConcurrent(PERMITS).maxQueued(PLACES).build();
        private final Slots<Entry> calls = new Slots<>();

        /** One call is let in. */
        private final long first = bulkhead.tryAcquire(HandTime.START_NANOS);

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

        /** How many calls would be let in at once. */
        @Operation
        public int available() {
            return bulkhead.available();
        }
    }

    /** What it should do. */
    public static final class Specification {

        private int free = PERMITS - 1;
        private final Deque<Integer> queue = new ArrayDeque<>();
        private final Slots<Boolean> calls = new Slots<>();

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
