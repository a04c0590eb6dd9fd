package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * An open time that begins with {@code tau}, and grows by the factor {@code b} up to {@code cap} each time probing fails. Jitter spreads each time evenly over a
 * share of it to both sides, within the cap: the mean of a time {@code g} is {@code (g (1 - j) + min(g (1 + j), cap)) / 2}.
 *
 * @param firstSeconds {@code tau}, more than 0
 * @param factor {@code b}, at least 1
 * @param capSeconds {@code cap}, at least {@code tau}; without jitter it means nothing for {@code b = 1}
 * @param jitter {@code j}, 0 to 1
 */
public record OpenTime(double firstSeconds, double factor, double capSeconds, double jitter) {

    /** More than enough, for each doubles the number of digits that are right. */
    private static final int NEWTON_STEPS = 20;

    /** Checks the numbers. */
    public OpenTime {
        Chance.positive("firstSeconds", firstSeconds);
        Require.between("factor", factor, 1, 1000);
        Require.between("capSeconds", capSeconds, firstSeconds, Double.MAX_VALUE);
        Require.between("jitter", jitter, 0, 1);
    }

    /** An open time without jitter. */
    public OpenTime(double firstSeconds, double factor, double capSeconds) {
        this(firstSeconds, factor, capSeconds, 0);
    }

    /** An open time that does not grow. */
    public static OpenTime fixed(double seconds) {
        return new OpenTime(seconds, 1, seconds);
    }

    /**
     * Mean seconds from the trip until it closes, while probing closes it with the probability {@code pi} each time:
     * {@code tau (1 - x^I) / (1 - x) + cap (1 - pi)^I / pi + d / pi} with {@code x = b (1 - pi)} and {@code I = ceil(log_b(cap / tau))}, and
     * {@code (tau + d) / pi} for {@code b = 1}, both without jitter. Exact for a {@code pi} that does not change.
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
            open += reached * mean(seconds);
            reached *= fails;
            seconds *= factor;
        }
        return open + reached * mean(factor > 1 ? capSeconds : firstSeconds) / closes + probingSeconds / closes;
    }

    private double mean(double seconds) {
        return seconds * (1 - jitter) / 2 + Math.min(seconds * (1 + jitter), capSeconds) / 2;
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

    /**
     * The open time at which {@link #cost} is least: {@code x / mu}, with the {@code x} at which {@code e^x - 1 - x = c mu / lambda}, where the derivative of
     * the cost is 0. Found by Newton's method from {@code ln(1 + k + sqrt(2 k))}, which is never below it, {@code k = c mu / lambda}.
     */
    public static double cheapestSeconds(double failureCost, double recoverySeconds, double callsPerSecond) {
        double k = Chance.positive("failureCost", failureCost)
                / Chance.positive("recoverySeconds", recoverySeconds)
                / Chance.positive("callsPerSecond", callsPerSecond);
        double x = Math.log1p(k + Math.sqrt(2 * k));
        for (int step = 0; step < NEWTON_STEPS; step++) {
            double power = Math.expm1(x);
            x -= (power - x - k) / power;
        }
        return x * recoverySeconds;
    }
}
