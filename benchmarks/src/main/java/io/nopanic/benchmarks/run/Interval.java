package io.nopanic.benchmarks.run;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * A positive number and the interval that it lies in with a confidence of 95 %, as far as the differences between rounds tell. The interval
 * of a single round is unknown, which is written as 0 to infinity.
 *
 * @param value the geometric mean over the rounds
 * @param low the lower end
 * @param high the upper end
 * @param rounds how many rounds it is taken from
 */
public record Interval(double value, double low, double high, int rounds) {

    private static final double CONFIDENCE = 0.95;

    /** Nothing positive is smaller; where nothing was measured, such as no bytes, it stands for zero. */
    private static final double TINY = 1e-3;

    /** From one number for each round. The logarithms are averaged: a ratio and its inverse are then equally far from one. */
    public static Interval of(List<Double> rounds) {
        SummaryStatistics logarithms = new SummaryStatistics();
        rounds.forEach(number -> logarithms.addValue(Math.log(Math.max(number, TINY))));
        double mean = logarithms.getMean();
        int count = rounds.size();
        if (count < 2) {
            return new Interval(Math.exp(mean), 0, Double.POSITIVE_INFINITY, count);
        }
        double quantile = new TDistribution(count - 1.0).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double reach = quantile * logarithms.getStandardDeviation() / Math.sqrt(count);
        return new Interval(Math.exp(mean), Math.exp(mean - reach), Math.exp(mean + reach), count);
    }

    /** A number that is known for sure. */
    public static Interval exactly(double value) {
        return new Interval(value, value, value, 1);
    }

    /** Whether the interval tells anything. */
    public boolean isKnown() {
        return high < Double.POSITIVE_INFINITY;
    }
}
