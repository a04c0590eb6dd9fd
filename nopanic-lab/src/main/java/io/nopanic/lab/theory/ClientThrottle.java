package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * Adaptive throttling by the client (Site Reliability Engineering, chapter 21): a call is refused with the probability {@code max(0, (R - K A) / (R + 1))},
 * where {@code R} are the calls asked for in the last {@code W} seconds, refused ones too, and {@code A} those that were accepted.
 *
 * @param multiplier {@code K}, more than 1
 * @param windowSeconds {@code W}, more than 0
 */
public record ClientThrottle(double multiplier, double windowSeconds) {

    /** Checks the numbers. */
    public ClientThrottle {
        if (!(multiplier > 1) || Double.isInfinite(multiplier)) {
            throw Require.refused("multiplier", multiplier, "a finite number more than 1");
        }
        Chance.positive("windowSeconds", windowSeconds);
    }

    /** Up to this failure rate, if it does not depend on the load, nothing is refused: {@code 1 - 1/K}. */
    public double harmlessFailureRate() {
        return 1 - 1 / multiplier;
    }

    /**
     * How many calls are sent per window at a steady failure rate above {@link #harmlessFailureRate}: {@code 1 / (1 - K (1 - p))}. First order: 20 % more than
     * a simulation for {@code p = 1}, 6 % less for {@code p = 0.6}.
     *
     * @param failureRate {@code p}, more than {@link #harmlessFailureRate}, at most 1
     */
    public double sentPerWindow(double failureRate) {
        double p = Chance.checked("failureRate", failureRate);
        if (p <= harmlessFailureRate()) {
            throw Require.refused("failureRate", p, "more than " + harmlessFailureRate());
        }
        return 1 / (1 - multiplier * (1 - p));
    }

    /**
     * Seconds from the end of a total outage until all calls are let in again, {@code (W / y) ln(lambda W)}: what is accepted grows by the factor {@code e^(y t / W)}
     * with {@code y = K (1 - e^(-y))}, from one call per window. Bound: 15 % of the mean; single recoveries vary by a factor of 2, because the first calls that
     * come through are few.
     *
     * @param callsPerSecond {@code lambda}; {@code lambda W} more than 1
     */
    public double recoverySeconds(double callsPerSecond) {
        double calls = Chance.positive("callsPerSecond", callsPerSecond) * windowSeconds;
        if (calls <= 1) {
            throw Require.refused("callsPerSecond", callsPerSecond, "more than one call per window");
        }
        return windowSeconds / growth() * Math.log(calls);
    }

    /** The root {@code y > 0} of {@code y = K (1 - e^(-y))}, between 0 and {@code K}, by bisection. */
    private double growth() {
        double low = 0;
        double high = multiplier;
        for (int step = 0; step < 100; step++) {
            double middle = (low + high) / 2;
            if (-multiplier * Math.expm1(-middle) > middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
