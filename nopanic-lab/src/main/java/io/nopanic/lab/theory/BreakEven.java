package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * What a failed call costs decides at which failure rate to open: refusing is right if {@code p c > 1 - p}.
 *
 * @param failureCost {@code c}: one failed call that was sent is as bad as so many calls refused for nothing; 0.01 to 100
 */
public record BreakEven(double failureCost) {

    /** Up to which part of a success or failure costs are told apart. */
    private static final int FINEST = 10;

    private static final double CLOSE = 1e-3;

    /** By which factor the odds of a rate that is put up with are below break-even. */
    private static final double ODDS_BELOW = 3;

    /** Checks the number. */
    public BreakEven {
        Require.between("failureCost", failureCost, 0.01, 100);
    }

    /** The failure rate at which refusing and sending cost the same, {@code theta = 1 / (1 + c)}. */
    public double rate() {
        return 1 / (1 + failureCost);
    }

    /** The failure rate that is to be put up with: a third of the break-even odds, {@code 1 / (1 + 3 c)}. */
    public double toleratedRate() {
        return 1 / (1 + ODDS_BELOW * failureCost);
    }

    /**
     * The CUSUM whose score is the running difference of costs, with the lowest threshold at which the tolerated rate opens the breaker after so many calls or
     * more, on average. A cost, or one divided by it, that is not a whole number of tenths is taken as the nearest such number.
     *
     * @param calls at least 1; as a rule those of 10 minutes
     */
    public Cusum test(double calls) {
        return steps().withMeanCalls(calls, toleratedRate());
    }

    /** The CUSUM whose score is the running difference of costs, with the threshold that it takes for one failure. */
    public Cusum steps() {
        double larger = Math.max(failureCost, 1 / failureCost);
        int parts = 1;
        while (parts < FINEST && Math.abs(Math.round(larger * parts) / (larger * parts) - 1) > CLOSE) {
            parts++;
        }
        int whole = (int) Math.round(larger * parts);
        return failureCost >= 1 ? new Cusum(whole, parts, whole) : new Cusum(parts, whole, parts);
    }
}
