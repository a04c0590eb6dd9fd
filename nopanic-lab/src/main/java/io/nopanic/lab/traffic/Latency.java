package io.nopanic.lab.traffic;

import io.nopanic.lab.setup.Durations;
import io.nopanic.spi.Require;
import java.time.Duration;

/**
 * How long calls take: lognormal.
 *
 * @param median half of them take longer; zero or more
 * @param sigma the standard deviation of the logarithm, 0 to 5; 0: all take the same
 */
public record Latency(Duration median, double sigma) {

    /** Calls take no time. */
    public static final Latency NONE = new Latency(Duration.ZERO, 0);

    private static final double MAX_SIGMA = 5;

    /** Checks it. */
    public Latency {
        if (median.isNegative()) {
            throw new IllegalArgumentException("median is " + median + ", allowed is a duration of zero or longer");
        }
        Require.between("sigma", sigma, 0, MAX_SIGMA);
    }

    long drawNanos(Draws draws) {
        double medianNanos = (double) median.toNanos();
        return medianNanos == 0 ? 0 : (long) draws.lognormal(medianNanos, sigma);
    }

    /** In words. */
    public String describe() {
        if (median.isZero()) {
            return "none";
        }
        return sigma == 0
                ? Durations.text(median)
                : "median " + Durations.text(median) + ", lognormal with sigma " + sigma;
    }
}
