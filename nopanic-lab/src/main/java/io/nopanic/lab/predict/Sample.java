package io.nopanic.lab.predict;

import java.util.Locale;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The mean of what some runs gave.
 *
 * @param mean infinite if nothing ever happened
 * @param runs how many there were
 */
record Sample(double mean, Spread spread, long runs) {

    /** How sure the mean is. */
    @FunctionalInterface
    interface Spread {

        /** Where the true mean is with this probability. */
        Interval interval(double probability);
    }

    private static final double USUAL = 0.95;

    Interval interval() {
        return spread.interval(USUAL);
    }

    String text(long seed) {
        return String.format(Locale.ROOT, runs == 1 ? "%d run, seed %d" : "%d runs, seed %d", runs, seed);
    }

    /** Adds up values of single runs, none of them negative. */
    static final class Mean {

        private long runs;
        private double mean;
        private double squares;

        void add(double value) {
            runs++;
            double difference = value - mean;
            mean += difference / runs;
            squares += difference * (value - mean);
        }

        /** The mean, with the interval of Student's distribution around it. */
        Sample sample() {
            double at = runs == 0 ? Double.NaN : mean;
            double error = runs < 2 ? 0 : Math.sqrt(squares / (runs - 1) / runs);
            long made = runs;
            return new Sample(at, probability -> around(at, error, made, probability), made);
        }
    }

    /** None of the values is negative, and so is no mean. */
    private static Interval around(double mean, double error, long runs, double probability) {
        if (runs < 2) {
            return new Interval(0, Double.POSITIVE_INFINITY);
        }
        double width = error * TDistribution.of((double) runs - 1).inverseCumulativeProbability((1 + probability) / 2);
        return new Interval(Math.max(0, mean - width), mean + width);
    }

    /**
     * Of something that happens now and then without a memory: the mean distance, and the interval of a Poisson process.
     *
     * @param distance how far all runs went together
     * @param times how often it happened
     */
    static Sample ofPoisson(double distance, long times, long runs) {
        double mean = times == 0 ? Double.POSITIVE_INFINITY : distance / times;
        return new Sample(
                mean,
                probability -> {
                    double tail = (1 - probability) / 2;
                    double most = ChiSquaredDistribution.of(2.0 * times + 2).inverseSurvivalProbability(tail) / 2;
                    double fewest = times == 0
                            ? 0
                            : ChiSquaredDistribution.of(2.0 * times).inverseCumulativeProbability(tail) / 2;
                    return new Interval(distance / most, fewest == 0 ? Double.POSITIVE_INFINITY : distance / fewest);
                },
                runs);
    }

    /** The share of runs in which something happened, with Wilson's interval. */
    static Sample ofShare(long times, long runs) {
        double share = (double) times / runs;
        return new Sample(share, probability -> wilson(share, runs, probability), runs);
    }

    private static Interval wilson(double share, long runs, double probability) {
        double z = NormalDistribution.of(0, 1).inverseCumulativeProbability((1 + probability) / 2);
        double middle = share + z * z / (2 * runs);
        double width = z * Math.sqrt(share * (1 - share) / runs + z * z / (4.0 * runs * runs));
        return new Interval((middle - width) / (1 + z * z / runs), (middle + width) / (1 + z * z / runs));
    }
}
