package io.nopanic.breaker;

import io.nopanic.time.Nanos;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long a call takes that is slow, while it is in flight and when it has ended: a time that somebody chose, or one that is learned: four times the 99th percentile of how long calls take that end
 * well, from {@value #SHORTEST_LEARNED_TEXT} to a longest time. As long as too few calls have been seen, and where good calls take more than half of the longest time, none is slow: too short
 * a time would open the breaker on calls that are well, and go on doing so.
 */
final class SlowLimit {

    /** No call is slow. */
    static final SlowLimit NONE = new SlowLimit(0, null);

    static final String SHORTEST_LEARNED_TEXT = "100 ms";
    private static final long SHORTEST_LEARNED_NANOS = 100_000_000;

    private static final int TIMES_TAIL = 4;

    private final long longestNanos;

    /** {@code null} if nothing is learned. */
    private final @Nullable TailLatency tail;

    private SlowLimit(long longestNanos, @Nullable TailLatency tail) {
        this.longestNanos = longestNanos;
        this.tail = tail;
    }

    static SlowLimit fixed(long nanos) {
        return nanos == 0 ? NONE : new SlowLimit(nanos, null);
    }

    /** What calls show. */
    static SlowLimit learned(long longestNanos, RandomGenerator random) {
        return new SlowLimit(longestNanos, new TailLatency(random));
    }

    /** Whether any call can be slow. */
    boolean isSet() {
        return longestNanos > 0;
    }

    boolean isLearned() {
        return tail != null;
    }

    /** At the moment; {@link Nanos#FOREVER} if no call is slow by now. */
    long nanos() {
        if (tail == null) {
            return longestNanos;
        }
        long tailNanos = tail.nanos();
        if (tailNanos < 0 || tailNanos > longestNanos / 2) {
            return Nanos.FOREVER;
        }
        return Math.min(longestNanos, Math.max(SHORTEST_LEARNED_NANOS, TIMES_TAIL * tailNanos));
    }

    /** It is never longer than this, unless no call is slow. */
    long longestNanos() {
        return longestNanos;
    }

    /** A call took so long and ended well. */
    void learn(long tookNanos) {
        if (tail != null) {
            tail.add(tookNanos);
        }
    }
}
