package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * The first {@code n} calls of a count window, which is empty each time the breaker has closed and judges from {@code minimumCalls} on. Failures are
 * independent. All results are exact, by dynamic programming over the numbers of calls and failures; cost {@code n^2 / 2} operations.
 *
 * @param calls {@code n}, the length of the window
 * @param minimumCalls from 1 to {@code n}
 * @param rate the share of failures that opens the breaker, more than 0, at most 1
 */
public record WarmUp(int calls, int minimumCalls, double rate) {

    private static final int MAX_CALLS = 20_000;

    /** Checks the numbers. */
    public WarmUp {
        Require.between("calls", calls, 1, MAX_CALLS);
        Require.between("minimumCalls", minimumCalls, 1, calls);
        Require.share("rate", rate);
    }

    /** After which calls the window is judged. */
    public enum Judged {
        /** After failures only, as the breaker of this toolkit does. */
        AFTER_FAILURES,
        /** After every call, as others do: then a success that completes the minimum can open the breaker. */
        AFTER_EVERY_CALL
    }

    /**
     * What happens in these calls.
     *
     * @param tripProbability how likely the breaker opens
     * @param meanCalls how many calls pass on average until it opens or the window is full
     */
    public record Result(double tripProbability, double meanCalls) {}

    /**
     * What happens in these calls.
     *
     * @param failureRate from 0 to 1
     */
    public Result at(double failureRate, Judged judged) {
        double p = Chance.checked("failureRate", failureRate);
        double[] now = new double[calls + 1]; // by the number of failures
        now[0] = 1;
        double opened = 0;
        double meanCalls = 0;
        for (int made = 1; made <= calls; made++) {
            meanCalls += 1 - opened;
            int enough = made < minimumCalls ? calls + 1 : Math.max(1, Chance.leastFailures(made, rate));
            for (int failures = made; failures >= 0; failures--) {
                double byFailure = failures == 0 ? 0 : now[failures - 1] * p;
                double bySuccess = now[failures] * (1 - p);
                now[failures] = 0;
                if (failures < enough) {
                    now[failures] = byFailure + bySuccess;
                } else if (judged == Judged.AFTER_FAILURES) {
                    opened += byFailure;
                    now[failures] = bySuccess;
                } else {
                    opened += byFailure + bySuccess;
                }
            }
        }
        return new Result(opened, meanCalls);
    }
}
