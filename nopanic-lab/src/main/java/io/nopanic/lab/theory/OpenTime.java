package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * An open time that begins with {@code tau}, and grows by the factor {@code b} up to {@code cap} each time probing fails. Jitter with the mean 1 changes
 * no mean.
 *
 * @param firstSeconds {@code tau}, more than 0
 * @param factor {@code b}, at least 1
 * @param capSeconds {@code cap}, at least {@code tau}; means nothing for {@code b = 1}
 */
public record OpenTime(double firstSeconds, double factor, double capSeconds) {

    /** Checks the numbers. */
    public OpenTime {
        Chance.positive("firstSeconds", firstSeconds);
        Require.between("factor", factor, 1, 1000);
        Require.between("capSeconds", capSeconds, firstSeconds, Double.MAX_VALUE);
    }

    /** An open time that does not grow. */
    public static OpenTime fixed(double seconds) {
        return new OpenTime(seconds, 1, seconds);
    }

    /**
     * Mean seconds from the trip until it closes, while probing closes it with the probability {@code pi} each time:
     * {@code tau (1 - x^I) / (1 - x) + cap (1 - pi)^I / pi + d / pi} with {@code x = b (1 - pi)} and {@code I = ceil(log_b(cap / tau))}, and
     * {@code (tau + d) / pi} for {@code b = 1}. Exact for a {@code pi} that does not change.
     *
     * @param closes {@code pi}, more than 0, at most 1
     * @param probingSeconds {@code d}, how long probing takes each time, on average: 0 or more
     */
    public double meanSecondsUntilClosed(double closes, double probingSeconds) {
        Chance.positive("closes", Chance.checked("closes", closes));
        Require.between("probingSeconds", probingSeconds, 0, Double.MAX_VALUE);
        double fails = 1 - closes;
        double open = 0;
        double reached = 1; // the chance that it opens once more
        double seconds = firstSeconds;
        while (factor > 1 && seconds < capSeconds && reached > 0) {
            open += reached * seconds;
            reached *= fails;
            seconds *= factor;
        }
        return open + reached * (factor > 1 ? capSeconds : firstSeconds) / closes + probingSeconds / closes;
    }

    /**
     * The fixed open time that costs least, about {@code sqrt(2 c MTTR / lambda)}: each failed probe costs {@code c}, each call refused after the recovery
     * 1, and the time until recovery is exponential with the mean {@code MTTR}. It minimises {@link #cost}.
     *
     * <p>Bound: within 5 % of the minimum for {@code tau* <= MTTR / 5}; 23 % above it for {@code tau* = 1.4 MTTR}.
     *
     * @param failureCost {@code c}, more than 0
     * @param recoverySeconds {@code MTTR}, more than 0
     * @param callsPerSecond {@code lambda}, more than 0
     */
    public static double bestFixedSeconds(double failureCost, double recoverySeconds, double callsPerSecond) {
        return Math.sqrt(2
                * Chance.positive("failureCost", failureCost)
                * Chance.positive("recoverySeconds", recoverySeconds)
                / Chance.positive("callsPerSecond", callsPerSecond));
    }

    /**
     * What an outage costs with a fixed open time: {@code c / (e^(mu tau) - 1) + lambda (tau / (1 - e^(-mu tau)) - 1 / mu)}, {@code mu = 1 / MTTR}. Failed probes
     * at {@code c} each, and calls refused after the recovery. Exact for a time until recovery that is exponential.
     *
     * @param seconds {@code tau}, more than 0
     */
    public static double cost(double seconds, double failureCost, double recoverySeconds, double callsPerSecond) {
        double x = Chance.positive("seconds", seconds) / Chance.positive("recoverySeconds", recoverySeconds);
        double failedProbes = 1 / Math.expm1(x);
        double lateSeconds = seconds / -Math.expm1(-x) - recoverySeconds;
        return Chance.positive("failureCost", failureCost) * failedProbes
                + Chance.positive("callsPerSecond", callsPerSecond) * lateSeconds;
    }
}
