package io.nopanic.lab.traffic;

import io.nopanic.spi.Require;

/**
 * How often calls fail when nothing is wrong.
 *
 * @param failureRate which share of them, 0 to 0.9
 * @param burstCalls how many failures come one after the other on average (a Gilbert-Elliott channel in which the bad state fails all and the good
 *     state none); 1 to 1,000,000, 1: independent of each other
 */
public record Health(double failureRate, double burstCalls) {

    private static final double MAX_FAILURE_RATE = 0.9;

    /** Checks it. */
    public Health {
        Require.between("failureRate", failureRate, 0, MAX_FAILURE_RATE);
        Require.between("burstCalls", burstCalls, 1, 1_000_000);
    }

    /** Failures that are independent of each other. */
    public static Health independent(double failureRate) {
        return new Health(failureRate, 1);
    }
}
