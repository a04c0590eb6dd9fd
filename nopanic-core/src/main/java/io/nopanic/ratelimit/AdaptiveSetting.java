package io.nopanic.ratelimit;

import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;

/** What was set for an adaptive limiter, checked. Rates are in permits per period. Immutable. */
final class AdaptiveSetting {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double DEFAULT_MIN_SHARE = 0.1;

    /** The least that a permit may cost, so that rounding up changes no rate by more than a thousandth. */
    private static final long MIN_UNITS_PER_PERMIT = 1_000;

    final double startRate;
    final double minRate;
    final double maxRate;
    final double increase;
    final double decrease;
    final long windowNanos;
    final long maxBlockNanos;
    private final long periodNanos;
    private final int burst;

    /** How fine the bucket's unit is, the same at every rate. */
    private final int shift;

    AdaptiveSetting(AdaptiveRateLimiter.Builder builder) {
        if (builder.rate == 0) {
            throw Require.refused("rate", "not set", "a number of permits and a period");
        }
        startRate = builder.rate;
        periodNanos = builder.periodNanos;
        minRate = builder.minRate == 0 ? startRate * DEFAULT_MIN_SHARE : builder.minRate;
        maxRate = builder.maxRate == 0 ? startRate : builder.maxRate;
        if (minRate > startRate) {
            throw Require.refused("minRate", minRate, "at most the rate, " + startRate);
        }
        if (maxRate < startRate) {
            throw Require.refused("maxRate", maxRate, "at least the rate, " + startRate);
        }
        increase = builder.increase;
        decrease = builder.decrease;
        windowNanos = builder.windowNanos;
        maxBlockNanos = builder.maxBlockNanos;
        burst = builder.burst == 0 ? Math.max(1, (int) startRate) : builder.burst;
        double fillNanos = burst * (periodNanos / startRate);
        if (fillNanos > Pace.MAX_NANOS) {
            throw Require.refused("burst", burst, "few enough to be refilled within " + Pace.MAX_DAYS + " days");
        }
        double longestNanos = periodNanos / minRate;
        if (longestNanos > Pace.MAX_NANOS) {
            throw Require.refused("minRate", minRate, "at least one permit in " + Pace.MAX_DAYS + " days");
        }
        shift = Pace.shiftFor(Math.max((double) maxBlockNanos, Math.max(fillNanos, longestNanos)));
        if (pace(maxRate).unitsPerPermit < MIN_UNITS_PER_PERMIT) {
            throw Require.refused(
                    "maxRate", maxRate, "less, in relation to the lowest rate, the burst and the longest block");
        }
    }

    /** The bucket's arithmetic at a rate. The burst is in proportion, but at least 1. */
    Pace pace(double rate) {
        int scaledBurst = Math.max(1, (int) (burst * (rate / startRate)));
        return Pace.scaled(periodNanos / rate, scaledBurst, shift);
    }

    double perSecond(double rate) {
        return rate * (NANOS_PER_SECOND / periodNanos);
    }

    String describe() {
        return "from " + startRate + " per " + Nanos.toDuration(periodNanos) + ", between " + minRate + " and "
                + maxRate
                + ", times " + decrease + " at most once per " + Nanos.toDuration(windowNanos) + ", plus " + increase
                + " per success, burst " + burst + " at " + startRate + ", blocks up to "
                + Nanos.toDuration(maxBlockNanos);
    }
}
