package io.nopanic.stress.linearizability;

import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.stress.interleavings.HandTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/** A rate limiter with three permits, against a counter and a list. Time stands still, so nothing is refilled. Each thread makes one call at a time. */
public final class Limiters {

    private static final int BURST = 3;
    private static final int WEIGHT = 2;

    private Limiters() {}

    /** The limiter. */
    public static final class Subject {

        private final RateLimiter limiter = RateLimiter.builder()
                .rate(1, Duration.ofSeconds(1))
                .burst(BURST)
                .unlimitedWait()
                .time(new HandTime().time)
                .build();
        private final Admission heavy = limiter.weighted(WEIGHT);
        private final Slots<Entry.Waiting> waiting = new Slots<>();

        /** Takes permits if they are there and nobody waits. */
        @Operation
        public boolean take(@Param(gen = IntGen.class, conf = "1:2") int permits) {
            return limiter.tryTake(permits);
        }

        /** A call that needs two permits asks to be let in. */
        @Operation
        public String enter(@Param(gen = ThreadIdGen.class) int thread) {
            if (waiting.get(thread) != null) {
                return "busy";
            }
            if (heavy.tryAcquire(HandTime.START_NANOS) == Admission.NOT_NOW
                    && heavy.enter(HandTime.request()) instanceof Entry.Waiting place) {
                waiting.set(thread, place);
                return "waits";
            }
            return "in";
        }

        /** A call that waits goes away. */
        @Operation
        public boolean leave(@Param(gen = ThreadIdGen.class) int thread) {
            Entry.Waiting place = waiting.get(thread);
            if (place == null) {
                return false;
            }
            waiting.set(thread, null);
            place.leave(HandTime.START_NANOS);
            return true;
        }

        /** How many permits a call could have at once. */
        @Operation
        public int available() {
            return limiter.availablePermits();
        }
    }

    /** What it should do. */
    public static final class Specification {

        private int permits = BURST;
        private final Deque<Integer> queue = new ArrayDeque<>();

        /** See {@link Subject}. */
        public boolean take(int wanted) {
            boolean there = queue.isEmpty() && permits >= wanted;
            if (there) {
                permits -= wanted;
            }
            return there;
        }

        /** See {@link Subject}. */
        public String enter(int thread) {
            if (queue.contains(thread)) {
                return "busy";
            }
            if (take(WEIGHT)) {
                return "in";
            }
            queue.add(thread);
            return "waits";
        }

        /** See {@link Subject}. */
        public boolean leave(int thread) {
            return queue.remove(thread);
        }

        /** See {@link Subject}. */
        public int available() {
            return queue.isEmpty() ? permits : 0;
        }
    }
}
