package io.nopanic.breaker;

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

    boolean reached(long calls, long failures, long slow, long failedOrSlow) {
        if (calls < minimumCalls) {
            return false;
        }
        double all = calls;
        return failures / all >= failureRate || slow / all >= slowRate || failedOrSlow / all >= failedOrSlowRate;
    }

    boolean watchesSlowCalls() {
        return slowRate <= 1 || failedOrSlowRate <= 1;
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
