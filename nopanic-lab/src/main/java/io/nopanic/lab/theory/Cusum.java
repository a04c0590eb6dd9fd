package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * A Bernoulli CUSUM, or evidence counter: a score from 0 that a failure raises by {@code up}, a success lowers by {@code down} but never below 0, and that
 * opens the breaker when it reaches {@code threshold} (Page 1954; for proportions Reynolds and Stoumbos 1999). If a failure is as bad as {@code c} refused
 * successes, {@code c = up / down}. Failures are independent.
 *
 * <p>All means are exact for any steps: the levels of the score are a Markov chain, solved by eliminating them from the highest down without a
 * subtraction (Grassmann, Taksar and Heyman 1985), so that a mean of 1e80 calls has full precision too. Costs about
 * {@code threshold * up * (up + down)} operations. For {@code up = down = 1} the solution is, with {@code rho = q / p},
 * {@code (1/p) ((rho^(H+1) - rho) / (rho - 1)^2 - H / (rho - 1))}, and {@code H (H + 1)} for {@code p = 1/2}.
 *
 * @param up at least 1
 * @param down at least 1
 * @param threshold at least 1, in the same unit as the steps
 */
public record Cusum(int up, int down, int threshold) {

    private static final int MAX_STEP = 1_000;
    private static final int MAX_THRESHOLD = 20_000;

    /** The steady start has settled when a call changes no probability by more than this. */
    private static final double SETTLED = 1e-13;

    /** How many levels are computed until then at the most. */
    private static final long MAX_SETTLING_STEPS = 100_000_000;

    /** Checks the numbers. */
    public Cusum {
        Require.between("up", up, 1, MAX_STEP);
        Require.between("down", down, 1, MAX_STEP);
        Require.between("threshold", threshold, 1, MAX_THRESHOLD);
    }

    /** The failure rate at which the score neither rises nor falls on the whole: {@code down / (up + down)}. */
    public double breakEvenRate() {
        return (double) down / (up + down);
    }

    /** How many failures in a row open the breaker when the score is 0. */
    public int failuresInARow() {
        return (threshold + up - 1) / up;
    }

    /**
     * Mean calls until the score, from 0, reaches the threshold.
     *
     * @param failureRate from 0 to 1; infinite for 0
     */
    public double meanCalls(double failureRate) {
        return new ScoreChain(this, Chance.checked("failureRate", failureRate)).meanCalls()[0];
    }

    /**
     * Mean calls until the score reaches the threshold when the failure rate changes while the breaker has been closed for long: the mean of
     * {@link #meanCalls} over the quasi-stationary distribution of the score, which is where it is if it has not tripped for long.
     *
     * @param before the failure rate until then, from 0, less than 1
     * @param after the failure rate from then on, from 0 to 1
     */
    public double meanCallsFromSteady(double before, double after) {
        double[] start = steady(Chance.checked("before", before));
        double[] calls = new ScoreChain(this, Chance.checked("after", after)).meanCalls();
        double mean = 0;
        for (int level = 0; level < threshold; level++) {
            mean += start[level] == 0 ? 0 : start[level] * calls[level];
        }
        return mean;
    }

    /**
     * Mean calls to reach the threshold to first order, {@code H / (p up - q down)}: without what the last step goes beyond the threshold and without the
     * floor at 0. The more exact the larger the threshold is against the steps.
     *
     * @param failureRate more than {@link #breakEvenRate}, at most 1
     */
    public double firstOrderDelay(double failureRate) {
        double drift = Chance.checked("failureRate", failureRate) * up - (1 - failureRate) * down;
        if (drift <= 0) {
            throw Require.refused("failureRate", failureRate, "more than the break-even rate, " + breakEvenRate());
        }
        return threshold / drift;
    }

    /**
     * By what the logarithm of the mean calls to a trip grows with each unit of the threshold, to first order (Wald; Lorden 1971): the root {@code r > 0} of
     * {@code p e^(r up) + q e^(-r down) = 1}.
     *
     * @param failureRate more than 0, less than {@link #breakEvenRate}
     */
    public double growthPerUnit(double failureRate) {
        double p = Chance.positive("failureRate", failureRate);
        if (p >= breakEvenRate()) {
            throw Require.refused("failureRate", failureRate, "less than the break-even rate, " + breakEvenRate());
        }
        double low = 0;
        double high = -Math.log(p) / up; // there the first term alone is 1
        for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            // Just above 0 the sum is below 1, since the drift is negative.
            if (p * Math.expm1(middle * up) + (1 - p) * Math.expm1(-middle * down) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /**
     * This test with the lowest threshold at which the mean number of calls to a trip is at least so many.
     *
     * @param calls at least 1
     * @param failureRate more than 0, at most 1
     * @throws IllegalArgumentException if no threshold up to 20,000 is enough
     */
    public Cusum withMeanCalls(double calls, double failureRate) {
        Chance.positive("failureRate", failureRate);
        int tooLow = 0;
        int enough = 1;
        while (withThreshold(enough).meanCalls(failureRate) < calls) {
            tooLow = enough;
            enough = Require.between("threshold", enough * 2, 1, MAX_THRESHOLD);
        }
        while (enough - tooLow > 1) {
            int middle = (enough + tooLow) / 2;
            if (withThreshold(middle).meanCalls(failureRate) < calls) {
                tooLow = middle;
            } else {
                enough = middle;
            }
        }
        return withThreshold(enough);
    }

    /** The same steps with another threshold. */
    public Cusum withThreshold(int other) {
        return new Cusum(up, down, other);
    }

    /** The quasi-stationary distribution of the score, by letting calls pass until nothing changes. */
    private double[] steady(double p) {
        if (p == 1) {
            throw Require.refused("before", p, "a failure rate less than 1");
        }
        double[] now = new double[threshold];
        now[0] = 1;
        for (long steps = 0; steps < MAX_SETTLING_STEPS; steps += threshold) {
            double[] next = new double[threshold];
            double left = 0;
            for (int level = 0; level < threshold; level++) {
                next[Math.max(0, level - down)] += (1 - p) * now[level];
                if (level + up < threshold) {
                    next[level + up] += p * now[level];
                    left += p * now[level];
                }
                left += (1 - p) * now[level];
            }
            double change = 0;
            for (int level = 0; level < threshold; level++) {
                next[level] /= left;
                change = Math.max(change, Math.abs(next[level] - now[level]));
            }
            now = next;
            if (change < SETTLED) {
                break;
            }
        }
        return now;
    }
}
