package io.nopanic.ratelimit;

import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;

/**
 * What the builders of both limiters have in common: how to wait. Not thread-safe.
 *
 * @param <B> the builder itself
 * @param <P> what it builds
 */
abstract class LimiterBuilder<B extends LimiterBuilder<B, P>, P> extends PolicyBuilder<B, P> {

    /** How many calls may wait unless another number was set. */
    static final int DEFAULT_MAX_QUEUED = 100_000;

    private long maxWaitNanos;
    private int maxQueued = DEFAULT_MAX_QUEUED;

    LimiterBuilder(String kind) {
        super(kind);
    }

    /**
     * The longest that a call may wait for its permits: zero or more; zero refuses at once. A call that would have to wait longer, or longer
     * than a deadline around it allows, is refused at once. Default: zero.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public B maxWait(Duration value) {
        maxWaitNanos = Require.notNegative("maxWait", value);
        return self();
    }

    /** Lets calls wait as long as it takes, but for deadlines around them. */
    public B unlimitedWait() {
        maxWaitNanos = Long.MAX_VALUE;
        return self();
    }

    /**
     * How many calls may wait at one time: at least 1. One that finds so many waiting is refused at once. This bounds memory, with a few hundred
     * bytes per call; how long calls wait is bounded by {@link #maxWait}. Default: {@value #DEFAULT_MAX_QUEUED}.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public B maxQueued(int value) {
        maxQueued = Require.between("maxQueued", value, 1, Integer.MAX_VALUE);
        return self();
    }

    final Line line(Meter meter, Teller teller) {
        return new Line(meter, teller, maxWaitNanos, maxQueued);
    }

    final String describeWait() {
        if (maxWaitNanos == 0) {
            return "refuses what it cannot let pass at once";
        }
        return "waits "
                + (maxWaitNanos == Long.MAX_VALUE ? "without limit" : "up to " + Nanos.toDuration(maxWaitNanos));
    }

    static long periodNanos(Duration period) {
        long periodNanos = Require.positive("period", period);
        if (periodNanos > Pace.MAX_NANOS) {
            throw Require.refused("period", period, "a duration of at most " + Pace.MAX_DAYS + " days");
        }
        return periodNanos;
    }
}
