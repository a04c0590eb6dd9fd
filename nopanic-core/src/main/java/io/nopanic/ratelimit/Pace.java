package io.nopanic.ratelimit;

import java.math.BigInteger;

/**
 * The arithmetic of a rate, in whole numbers. Immutable and thread-safe.
 *
 * <p>Time and permits are counted in one <em>unit</em>, chosen so that a nanosecond and a permit are both a whole number of it. For
 * {@code n} permits per {@code t} nanoseconds, in lowest terms, a nanosecond is {@code n} units and a permit costs {@code t}: for 3 in 10
 * seconds, 3 units and 10,000,000,000. So an interval of 3,333,333,333⅓ ns is exact, and nothing drifts however long it runs.
 *
 * <p>Where the exact unit is so small that a full bucket of it would not fit (see {@link #MAX_UNITS}), the largest power of two that fits
 * stands for the nanosecond, and the cost of a permit is rounded up: the rate is then lower than asked for by less than one part in
 * 2<sup>58</sup>/burst, and never higher.
 */
final class Pace {

    /** The longest period, and the longest time to fill a bucket. */
    static final long MAX_DAYS = 3_650;

    static final long MAX_NANOS = MAX_DAYS * 86_400 * 1_000_000_000L;

    /** The most units that a full bucket may hold. Sums of a few such numbers and of {@link #HORIZON_UNITS} fit in a {@code long}. */
    static final long MAX_UNITS = 1L << 59;

    /** How far a moment may lie from the moment that units are counted from. */
    private static final long HORIZON_UNITS = 1L << 61;

    private static final int MAX_SHIFT = 30;

    final long unitsPerNano;
    final long unitsPerPermit;
    final int burst;

    /** What a full bucket holds. */
    final long capacityUnits;

    /** For how many nanoseconds before and after the moment that units are counted from a moment in units can be told. */
    final long horizonNanos;

    private Pace(long unitsPerNano, long unitsPerPermit, int burst) {
        this.unitsPerNano = unitsPerNano;
        this.unitsPerPermit = unitsPerPermit;
        this.burst = burst;
        capacityUnits = burst * unitsPerPermit;
        horizonNanos = HORIZON_UNITS / unitsPerNano;
    }

    /** As many nanoseconds as a bucket needs to fill, rounded. */
    static double fillNanos(double permits, long periodNanos, int burst) {
        return (double) burst * periodNanos / permits;
    }

    /**
     * A rate that does not change by itself.
     *
     * @param permits at least 1
     * @param periodNanos from 1 to {@link #MAX_NANOS}
     * @param burst at least 1; {@link #fillNanos} at most {@link #MAX_NANOS}
     */
    static Pace exact(int permits, long periodNanos, int burst) {
        long divisor = gcd(permits, periodNanos);
        long unitsPerPermit = periodNanos / divisor;
        if (unitsPerPermit <= MAX_UNITS / burst) {
            return new Pace(permits / divisor, unitsPerPermit, burst);
        }
        BigInteger limit = BigInteger.valueOf(MAX_UNITS / burst);
        int shift = MAX_SHIFT;
        while (shift > 0 && roundedUp(permits, periodNanos, shift).compareTo(limit) > 0) {
            shift--;
        }
        return new Pace(1L << shift, roundedUp(permits, periodNanos, shift).longValueExact(), burst);
    }

    /**
     * A rate that is one of many between which a bucket changes, all in the same unit. The cost of a permit is rounded up.
     *
     * @param intervalNanos the time between two permits
     * @param shift how fine the unit is, from {@link #shiftFor}
     */
    static Pace scaled(double intervalNanos, int burst, int shift) {
        long unitsPerPermit = (long) Math.ceil(Math.scalb(intervalNanos, shift));
        return new Pace(1L << shift, Math.max(1, unitsPerPermit), burst);
    }

    /** The finest unit in which this many nanoseconds can be told. */
    static int shiftFor(double spanNanos) {
        int shift = Math.getExponent(MAX_UNITS / spanNanos);
        return Math.max(0, Math.min(shift, MAX_SHIFT));
    }

    /**
     * As many whole nanoseconds as pass at least while this many units do.
     *
     * @param units at least 1
     */
    long nanosFor(long units) {
        return (units - 1) / unitsPerNano + 1;
    }

    private static BigInteger roundedUp(int permits, long periodNanos, int shift) {
        BigInteger divisor = BigInteger.valueOf(permits);
        BigInteger roundUp = BigInteger.valueOf(permits - 1L);
        return BigInteger.valueOf(periodNanos).shiftLeft(shift).add(roundUp).divide(divisor);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
