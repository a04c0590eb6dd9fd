package io.nopanic.retry;

import io.nopanic.time.Nanos;

/**
 * How chance changes a delay. Every form keeps within {@code [0, cap]} and keeps its width when the delay has reached
 * the cap: the range is cut or moved, never the drawn value, so calls that failed together do not meet again at the
 * cap.
 */
@FunctionalInterface
interface Jitter {

    /** No chance at all. */
    Jitter NONE = (delayNanos, previousNanos, capNanos, random) -> delayNanos;

    /** From 0 to the delay. */
    Jitter FULL = (delayNanos, previousNanos, capNanos, random) -> between(0, delayNanos, random);

    /** From half the delay to the delay. */
    Jitter EQUAL =
            (delayNanos, previousNanos, capNanos, random) -> between(delayNanos - delayNanos / 2, delayNanos, random);

    /**
     * The delay to use.
     *
     * @param delayNanos the delay, from 0 to the cap
     * @param previousNanos the delay before the attempt that failed, 0 for the first
     * @param capNanos the longest delay
     * @param random from 0 (included) to 1 (excluded)
     * @return the delay to use, from 0 to the cap
     */
    long apply(long delayNanos, long previousNanos, long capNanos, double random);

    /** From {@code delay * (1 - share)} to {@code delay * (1 + share)}, cut at the cap. */
    static Jitter share(double share) {
        return (delayNanos, previousNanos, capNanos, random) -> {
            long halfWidth = Math.min(delayNanos, (long) (delayNanos * share));
            return between(delayNanos - halfWidth, Math.min(capNanos, Nanos.plus(delayNanos, halfWidth)), random);
        };
    }

    /** From the delay to {@code delay + width}, moved down as far as the cap asks for. */
    static Jitter upTo(long widthNanos) {
        return (delayNanos, previousNanos, capNanos, random) -> {
            long highest = Math.min(capNanos, Nanos.plus(delayNanos, widthNanos));
            return between(Math.max(0, highest - widthNanos), highest, random);
        };
    }

    /** From {@code base} to three times the previous delay, cut at the cap. */
    static Jitter decorrelated(long baseNanos) {
        return (delayNanos, previousNanos, capNanos, random) -> {
            long lowest = Math.min(baseNanos, capNanos);
            // A delay that a server's hint made longer than the cap does not count for more.
            long previous = Math.min(capNanos, Math.max(lowest, previousNanos));
            return between(lowest, Math.min(capNanos, Nanos.plus(previous, Nanos.plus(previous, previous))), random);
        };
    }

    /** A whole number from {@code low} to {@code high}, both included. */
    static long between(long low, long high, double random) {
        double share = random >= 0 ? random : 0;
        long above = (long) ((high - low + 1) * share);
        return low + Math.min(high - low, above);
    }
}
