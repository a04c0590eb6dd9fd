package io.nopanic.lab.replay;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * Where a number lies with 95 % confidence.
 *
 * @param from the lower bound
 * @param to the upper bound
 */
public record Interval(double from, double to) {

    private static final double TAIL = 0.025;

    /**
     * The mean of a Poisson distribution of which one draw is known: half the quantiles of the chi-squared distribution with {@code 2 n} and
     * {@code 2 n + 2} degrees of freedom (Garwood, 1936).
     */
    public static Interval ofPoissonMean(long count) {
        double from = count == 0 ? 0 : ChiSquaredDistribution.of(2.0 * count).inverseCumulativeProbability(TAIL) / 2;
        double to = ChiSquaredDistribution.of(2.0 * count + 2).inverseSurvivalProbability(TAIL) / 2;
        return new Interval(from, to);
    }

    /** Both bounds multiplied by a number. */
    Interval times(double factor) {
        return new Interval(from * factor, to * factor);
    }

    /** Both bounds divided by a number. */
    public Interval dividedBy(double divisor) {
        return new Interval(from / divisor, to / divisor);
    }

    /** Whether a number is not outside. */
    public boolean contains(double number) {
        return from <= number && number <= to;
    }
}
