package io.nopanic.engine;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Waiter;
import java.time.Duration;

/**
 * Run in a JVM of its own by {@link MemoryTest}, with a small heap: fills that up to so many small objects, lets a call in, and looks whether its permit
 * is lost when there was no memory for it. Prints a line per way in.
 */
final class MemoryProbe {

    private static final int MOST_OBJECTS_FREE = 30;

    /** The JVM may find something to free when it is full for the first time. */
    private static final int ROUNDS = 3;

    /** Sizes to fill the heap with, the last a single element: as small as an answer. */
    private static final int[] LENGTHS = {1 << 16, 1 << 10, 1 << 5, 1};

    /** A way in. Must not allocate itself. */
    private interface Door {

        /** A call goes in and comes out. */
        void pass() throws Exception;

        /** How many permits are out. */
        long lost();
    }

    /** Lets calls in only by the slow path, and allocates nothing. */
    private static final class Slow extends PolicyBase implements Admission {

        private static final Entry ADMITTED = new Entry.Admitted(0);

        int out;

        Slow() {
            super(new Builder());
        }

        private static final class Builder extends PolicyBuilder<Builder, Slow> {
            Builder() {
                super("slow");
            }

            @Override
            protected Builder self() {
                return this;
            }

            @Override
            public Slow build() {
                return new Slow();
            }
        }

        @Override
        public String describe() {
            return "slow";
        }

        @Override
        public long tryAcquire(long nowNanos) {
            return NOT_NOW;
        }

        @Override
        public Entry enter(EntryRequest request) {
            out++;
            return ADMITTED;
        }

        @Override
        public Waiter settle(long permit, long startNanos, long nowNanos, Object result, Throwable error) {
            out--;
            return null;
        }
    }

    private record AtBulkhead(Bulkhead bulkhead, EntryRequest request) implements Door {

        @Override
        public void pass() {
            if (bulkhead.enter(request) instanceof Entry.Admitted admitted) {
                bulkhead.settle(admitted.permit(), 0, 0, null, null);
            }
        }

        @Override
        public long lost() {
            return bulkhead.inUse();
        }
    }

    private record AtBreaker(CircuitBreaker breaker, EntryRequest request) implements Door {

        @Override
        public void pass() {
            if (breaker.enter(request) instanceof Entry.Admitted admitted) {
                breaker.settle(admitted.permit(), request.nowNanos(), request.nowNanos(), null, null);
            }
        }

        @Override
        public long lost() {
            return breaker.snapshot().inFlight().orElse(0);
        }
    }

    private record BlockingCall(Pipeline pipeline, Slow slow) implements Door {

        @Override
        public void pass() throws Exception {
            pipeline.run(MemoryProbe::nothing);
        }

        @Override
        public long lost() {
            return slow.out;
        }
    }

    private MemoryProbe() {}

    private static void nothing() {}

    public static void main(String[] args) throws Exception {
        EntryRequest request = new EntryRequest("pipeline", System.nanoTime(), 0, MemoryProbe::nothing);
        Slow slow = new Slow();
        print("bulkhead", new AtBulkhead(Bulkhead.of(1000), request));
        print("blocking call", new BlockingCall(Pipeline.of(slow), slow));
        CircuitBreaker breaker =
                CircuitBreaker.builder().slowAfter(Duration.ofSeconds(100)).build();
        print("breaker", new AtBreaker(breaker, request));
    }

    private static void print(String name, Door door) throws Exception {
        for (int i = 0; i < 100; i++) {
            door.pass();
        }
        boolean ranOut = false;
        for (int round = 0; round < ROUNDS && !ranOut; round++) {
            for (int free = 0; free < MOST_OBJECTS_FREE; free++) {
                ranOut |= !passes(door, free);
            }
        }
        System.out.println(name + ": " + (ranOut ? "ran out" : "had memory") + ", lost " + door.lost());
    }

    /** Whether there was memory enough with room for so many small objects. */
    private static boolean passes(Door door, int free) throws Exception {
        Object[] full = fill();
        for (int i = 0; i < free; i++) {
            full = (Object[]) full[0];
        }
        try {
            door.pass();
            return true;
        } catch (OutOfMemoryError expected) {
            return false;
        } finally {
            full = null;
        }
    }

    /** Takes all memory, in a chain of which the smallest objects are first. */
    private static Object[] fill() {
        Object[] chain = null;
        for (int length : LENGTHS) {
            try {
                while (true) {
                    Object[] next = new Object[length];
                    next[0] = chain;
                    chain = next;
                }
            } catch (OutOfMemoryError full) {
                // now the smaller ones
            }
        }
        return chain;
    }
}
