package io.nopanic.breaker;

import io.nopanic.time.Nanos;
import io.nopanic.tuning.Cusum;
import io.nopanic.tuning.OpenTime;
import io.nopanic.tuning.WarmUp;
import java.util.List;
import java.util.Locale;

/**
 * What traffic a breaker is built for, and what is known to go wrong with settings that do not suit it.
 *
 * @param callsPerSecond 0 if unknown; then nothing is known to go wrong
 * @param failureRate the share of calls that fail while all is well
 */
record Expectation(double callsPerSecond, double failureRate) {

    /** A mean length of outages to measure open times against. */
    private static final double OUTAGE_SECONDS = 60;

    private static final double TOO_LONG = 10;
    private static final double TOO_LIKELY = 1e-4;
    private static final double SECONDS_PER_DAY = 86_400;
    private static final int FIRST_CALLS = 100;

    boolean isKnown() {
        return callsPerSecond > 0;
    }

    /** A window of time that judges from so many calls on. */
    void checkWindow(long windowNanos, int minimumCalls, List<String> warnings) {
        double calls = callsPerSecond * windowNanos / 1e9;
        if (isKnown() && calls < 2.0 * minimumCalls) {
            warnings.add(text(
                    "at %s calls per second the window of %s holds about %s calls, and minimumCalls is %d: an outage can go"
                            + " unseen. Use failureCost, a count window or consecutiveFailures.",
                    number(callsPerSecond), Nanos.toDuration(windowNanos), number(calls), minimumCalls));
        }
    }

    /** A window of so many calls that opens at a share of failures. */
    void checkFilling(double windowCalls, int minimumCalls, double threshold, List<String> warnings) {
        int calls = (int) Math.min(FIRST_CALLS, windowCalls);
        if (!isKnown() || threshold > 1 || calls < minimumCalls) {
            return;
        }
        double chance = new WarmUp(calls, minimumCalls, threshold)
                .at(failureRate, WarmUp.Judged.AFTER_FAILURES)
                .tripProbability();
        if (chance > TOO_LIKELY) {
            warnings.add(text(
                    "with minimumCalls %d, failures of %s %% of the calls open it with a probability of %s within the first %d"
                            + " calls each time it has closed. Raise minimumCalls.",
                    minimumCalls, number(failureRate * 100), number(chance), calls));
        }
    }

    /** A test that opens on evidence of so much. */
    void checkEvidence(Cusum test, double threshold, List<String> warnings) {
        if (!isKnown() || failureRate == 0) {
            return;
        }
        double days = test.meanCallsToTrip(threshold, failureRate) / callsPerSecond / SECONDS_PER_DAY;
        if (days < 1) {
            warnings.add(text(
                    "while %s %% of %s calls per second fail, it opens for nothing every %s hours. Say a lower failureCost, or a"
                            + " longer meanTimeToFalseTrip.",
                    number(failureRate * 100), number(callsPerSecond), number(days * 24)));
        }
    }

    /** A fixed open time. */
    void checkOpenTime(long openNanos, double failureCost, List<String> warnings) {
        if (!isKnown()) {
            return;
        }
        double bestSeconds = OpenTime.optimal(failureCost, OUTAGE_SECONDS, callsPerSecond);
        if (openNanos / 1e9 > TOO_LONG * bestSeconds) {
            warnings.add(text(
                    "it stays open for %s; at %s calls per second about %s s are best for outages of %s s, and all calls refused"
                            + " after an outage are refused for nothing. Use quadraticProbing, or a shorter openFor with openGrowth.",
                    Nanos.toDuration(openNanos), number(callsPerSecond), number(bestSeconds), number(OUTAGE_SECONDS)));
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2g", value);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
