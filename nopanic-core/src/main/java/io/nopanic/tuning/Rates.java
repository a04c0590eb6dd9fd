package io.nopanic.tuning;

import io.nopanic.spi.Require;

/** What a rule does that opens when a share of the calls in a window has failed. All results hold for failures that are independent of each other. */
public final class Rates {

    private static final int MOST_CALLS = 10_000;

    private Rates() {}

    /**
     * How likely it is that an empty window opens its breaker within its first calls, though nothing is wrong but the usual failures. Most false trips of a rule with a small minimum
     * happen here, where one or two failures are already a large share. As in the circuit breaker, only a failure opens. Exact, by going through the calls one by one with the probability of
     * each number of failures so far.
     *
     * @param minimumCalls from how many calls on the rule judges, at least 1
     * @param threshold the share of failures at which it opens, more than 0, at most 1
     * @param calls how many of the first calls, 0 to 10,000; no more than the window holds
     * @param failureRate how often calls fail, 0 to 1
     */
    public static double falseTripWhileFilling(int minimumCalls, double threshold, int calls, double failureRate) {
        Require.between("minimumCalls", minimumCalls, 1, Integer.MAX_VALUE);
        Require.share("threshold", threshold);
        Require.between("calls", calls, 0, MOST_CALLS);
        Require.between("failureRate", failureRate, 0, 1);
        double[] chance = new double[calls + 1];
        chance[0] = 1;
        double tripped = 0;
        for (int seen = 1; seen <= calls; seen++) {
            for (int failed = seen; failed > 0; failed--) {
                double failsNow = chance[failed - 1] * failureRate;
                boolean trips = seen >= minimumCalls && (double) failed / seen >= threshold;
                tripped += trips ? failsNow : 0;
                chance[failed] = chance[failed] * (1 - failureRate) + (trips ? 0 : failsNow);
            }
            chance[0] *= 1 - failureRate;
        }
        return tripped;
    }
}
