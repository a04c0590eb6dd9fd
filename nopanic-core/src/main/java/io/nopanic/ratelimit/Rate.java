package io.nopanic.ratelimit;

import io.nopanic.spi.Require;
import java.time.Duration;

/**
 * So many permits in so much time. Immutable.
 *
 * @param permits how many, at least 1
 * @param period in how much time: from 1 nanosecond to 3,650 days
 * @param burst how many permits can be there at once after a quiet time: at least 1, and few enough to be refilled within 3,650 days
 */
public record Rate(int permits, Duration period, int burst) {

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Rate {
        Require.between("permits", permits, 1, Integer.MAX_VALUE);
        long periodNanos = LimiterBuilder.periodNanos(period);
        Require.between("burst", burst, 1, Integer.MAX_VALUE);
        if (Pace.fillNanos(permits, periodNanos, burst) > Pace.MAX_NANOS) {
            throw Require.refused("burst", burst, "few enough to be refilled within " + Pace.MAX_DAYS + " days");
        }
    }

    /** A rate whose burst is as large as the permits of a period. */
    public static Rate of(int permits, Duration period) {
        return new Rate(permits, period, permits);
    }

    /** This with other numbers: a burst that is as large as the permits of a period goes on being so; any other stays. */
    Rate with(int otherPermits, Duration otherPeriod) {
        return new Rate(otherPermits, otherPeriod, burst == permits ? otherPermits : burst);
    }

    /** Permits per second, rounded. */
    public double perSecond() {
        return permits * NANOS_PER_SECOND / periodNanos();
    }

    /** As in {@code 10 per PT1S, burst 10}. */
    @Override
    public String toString() {
        return permits + " per " + period + ", burst " + burst;
    }

    long periodNanos() {
        return LimiterBuilder.periodNanos(period);
    }

    Pace pace() {
        return pace(burst);
    }

    /** The same rate with another burst. */
    Pace pace(int otherBurst) {
        return Pace.exact(permits, periodNanos(), otherBurst);
    }
}
