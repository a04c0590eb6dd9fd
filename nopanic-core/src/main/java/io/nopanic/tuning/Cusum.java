package io.nopanic.tuning;

import io.nopanic.spi.Require;
import java.util.Arrays;

/**
 * A Bernoulli CUSUM: a score that starts at zero, rises by the cost of a failure, falls by 1 with each success but never below zero, and trips when it
 * reaches a threshold. (Page 1954; for proportions Reynolds and Stoumbos 1999.)
 *
 * <p>The score is the running difference of costs: since the best moment so far, failures have cost so much more than successes were worth. If one failed
 * call is as bad as {@code c} calls refused for nothing, opening pays above a failure rate of {@code 1 / (1 + c)}.
 *
 * <p>All results hold for failures that are independent of each other; failures in bursts trip far earlier.
 */
public final class Cusum {

    /** Costs are fractions with a denominator of at most this. */
    private static final int FINEST = 10;

    private static final double EXACT = 1e-9;

    /** In successes. */
    private static final double HIGHEST_THRESHOLD = 1e5;

    /** Below the break-even odds by this factor, a failure rate is one to put up with. */
    private static final double ODDS_SHARE = 1 / 3.0;

    private final double failureCost;

    /** By how many levels a failure raises the score and a success lowers it. */
    private final int up;

    private final int down;

    private Cusum(double failureCost) {
        this.failureCost = failureCost;
        int parts = 1;
        while (parts < FINEST && !isClose(failureCost, parts)) {
            parts++;
        }
        up = failureCost >= 1 ? (int) Math.round(failureCost * parts) : parts;
        down = failureCost >= 1 ? parts : (int) Math.round(parts / failureCost);
    }

    private static boolean isClose(double cost, int parts) {
        double larger = Math.max(cost, 1 / cost);
        return Math.abs(Math.round(larger * parts) / (larger * parts) - 1) < 1e-3;
    }

    /**
     * The test in which a failure costs so much.
     *
     * @param cost in successes, 0.01 to 1000. The formulas take it, or one divided by it, as the nearest fraction with a denominator of at
     *     most 10, which is within 5 %, and within 0.5 % from 10 on
     */
    public static Cusum ofFailureCost(double cost) {
        return new Cusum(Require.between("failureCost", cost, 0.01, 1000));
    }

    /** By how many levels a failure raises the score, where a success lowers it by {@link #down}; their quotient is the cost. */
    public int up() {
        return up;
    }

    /** By how many levels a success lowers the score. */
    public int down() {
        return down;
    }

    /** The failure rate at which failures and successes weigh the same: {@code 1 / (1 + c)}. */
    public double breakEvenRate() {
        return 1 / (1 + failureCost);
    }

    /** The failure rate that is to be put up with: that of a third of the break-even odds, {@code 1 / (1 + 3 c)}. */
    public double toleratedRate() {
        double odds = ODDS_SHARE / failureCost;
        return odds / (1 + odds);
    }

    /**
     * Mean calls until the score, from zero, reaches the threshold. Exact, by elimination of the levels of the score as a Markov chain, from the
     * highest down, without a subtraction (Grassmann, Taksar and Heyman 1985), so that it keeps its precision however large it gets.
     *
     * @param threshold in successes, 0.001 to 100,000
     * @param failureRate more than 0, at most 1
     */
    public double meanCallsToTrip(double threshold, double failureRate) {
        Require.share("failureRate", failureRate);
        return meanCalls(levels(threshold), failureRate);
    }

    /** How many levels the score has below the threshold. */
    private int levels(double threshold) {
        double levels = Math.ceil(Require.between("threshold", threshold, 1e-3, HIGHEST_THRESHOLD) * down - 1e-9);
        return (int) Math.max(1, levels);
    }

    /**
     * The lowest threshold, in successes, at which the mean number of calls to a trip is at least so many. For a cost that is only near to a fraction, a whole number of failures.
     *
     * @param calls at least 1
     * @param failureRate more than 0, at most 1
     * @throws IllegalArgumentException also if that takes a threshold of more than 100,000, as it can from the break-even rate on
     */
    public double threshold(double calls, double failureRate) {
        Require.between("calls", calls, 1, Double.MAX_VALUE);
        Require.share("failureRate", failureRate);
        int tooLow = 0;
        int enough = up;
        while (meanCalls(enough, failureRate) < calls) {
            tooLow = enough;
            enough *= 2;
            if (enough > HIGHEST_THRESHOLD * down) {
                throw Require.refused(
                        "calls", calls, "what a threshold of 100000 reaches at a failure rate of " + failureRate);
            }
        }
        while (enough - tooLow > 1) {
            int middle = (enough + tooLow) / 2;
            if (meanCalls(middle, failureRate) < calls) {
                tooLow = middle;
            } else {
                enough = middle;
            }
        }
        // Where the cost is not quite the fraction, so many failures are meant as reach the threshold by the fraction.
        return Math.abs(up / (failureCost * down) - 1) < EXACT
                ? (double) enough / down
                : Math.ceil((double) enough / up) * failureCost;
    }

    private double meanCalls(int levels, double failureRate) {
        Chain chain = new Chain(levels, failureRate);
        for (int top = levels - 1; top > 0; top--) {
            chain.eliminate(top);
        }
        return chain.calls[0] / chain.trips[0];
    }

    /**
     * The levels of the score that are not yet eliminated, of which only the highest are different from what they were: those from which {@code up} leads to an
     * eliminated one. So a level takes the place of one that is gone.
     */
    private final class Chain {

        private final int levels;
        private final double failureRate;
        private final int places = up + 1;

        /** From level i the chain goes to levels i - down to i + up; the chances, that of i - down first. */
        private final double[][] onward = new double[places][up + down + 1];

        /** The chance that it trips. */
        private final double[] trips = new double[places];

        /** Mean calls that it spends there and in eliminated levels, at each visit. */
        private final double[] calls = new double[places];

        Chain(int levels, double failureRate) {
            this.levels = levels;
            this.failureRate = failureRate;
            for (int level = Math.max(0, levels - up); level < levels; level++) {
                begin(level);
            }
        }

        private void begin(int level) {
            int place = level % places;
            double[] ways = onward[place];
            Arrays.fill(ways, 0);
            ways[Math.max(0, level - down) - level + down] = 1 - failureRate;
            boolean stays = level + up < levels;
            ways[up + down] = stays ? failureRate : 0;
            trips[place] = stays ? 0 : failureRate;
            calls[place] = 1;
        }

        /** Replaces each way over {@code top}, which leads to no higher level any more, by the ways that lead on from there. */
        void eliminate(int top) {
            if (top >= up) {
                begin(top - up);
            }
            int topPlace = top % places;
            double[] fromTop = onward[topPlace];
            int lowest = Math.max(0, top - down);
            double leaves = trips[topPlace];
            for (int to = lowest; to < top; to++) {
                leaves += fromTop[to - top + down];
            }
            for (int from = Math.max(0, top - up); from < top; from++) {
                int place = from % places;
                double[] ways = onward[place];
                double share = ways[top - from + down] / leaves;
                if (share == 0) {
                    continue;
                }
                trips[place] += share * trips[topPlace];
                calls[place] += share * calls[topPlace];
                for (int to = lowest; to < top; to++) {
                    ways[to - from + down] += share * fromTop[to - top + down];
                }
            }
        }
    }
}
