package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.ArrayList;
import java.util.List;

/**
 * When a window's content is reason to open: at least so many calls, and one of the rates at or over its limit. A limit above 1 is off.
 *
 * <p>Rates are compared as quotients: a quotient of two whole numbers is rounded to the same {@code double} as the decimal fraction that the
 * user wrote for it, which a product is not.
 */
record Thresholds(int minimumCalls, double failureRate, double slowRate, double failedOrSlowRate) {

    static final double OFF = 2;

    boolean areReached(Counts seen) {
        return mayBeReached(seen, 0);
    }

    /**
     * Whether they may be reached if calls in flight are slow besides: so many, or fewer. If none is, says whether they are.
     */
    boolean mayBeReached(Counts seen, long overdueAtMost) {
        // Failures are not measured against calls in flight, of which there may be fewer.
        double ended = seen.calls();
        double all = ended + overdueAtMost;
        return all >= minimumCalls
                && (seen.failures() / ended >= failureRate
                        || (seen.slow() + overdueAtMost) / all >= slowRate
                        || (seen.failedOrSlow() + overdueAtMost) / all >= failedOrSlowRate);
    }

    /**
     * How many bad outcomes have to come before a threshold can be reached, whatever else comes, as long as nothing leaves the window and no other call
     * in flight becomes slow: at least 1.
     *
     * @param overdue how many calls in flight are among the slow ones
     */
    long slack(Counts seen, long overdue) {
        // Calls in flight may come back without being judged, so failures are not measured against them.
        double slack = slack(failureRate, seen.failures(), seen.calls() - overdue);
        slack = Math.min(slack, slack(slowRate, seen.slow(), seen.calls()));
        slack = Math.min(slack, slack(failedOrSlowRate, seen.failedOrSlow(), seen.calls()));
        return (long) Math.max(1, slack);
    }

    /**
     * The least {@code k} with {@code (bad + k) / (calls + k) >= rate}, and with {@code bad + k >= rate * minimumCalls}, since good calls may fill up
     * to the minimum.
     */
    private double slack(double rate, long bad, long calls) {
        if (rate > 1) {
            return Long.MAX_VALUE;
        }
        double byRate = bad == calls ? 0 : (rate * calls - bad) / (1 - rate);
        return Math.floor(Math.max(byRate, rate * minimumCalls - bad));
    }

    @Override
    public String toString() {
        List<String> rates = new ArrayList<>();
        add(rates, failureRate, "failed");
        add(rates, slowRate, "slow");
        add(rates, failedOrSlowRate, "failed or slow");
        return String.join(" or ", rates) + " of at least " + minimumCalls + " calls";
    }

    private static void add(List<String> rates, double rate, String what) {
        if (rate <= 1) {
            rates.add(Math.round(rate * 10_000) / 100.0 + " % " + what);
        }
    }
}
