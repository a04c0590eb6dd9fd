package io.nopanic.breaker;

import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.List;

/** What a {@link CircuitBreakerBuilder} was told about opening on a rate over a window. */
final class RateSettings {

    private static final int MAX_BUCKETS = 1000;
    private static final int USUAL_MINIMUM = 5;

    private boolean named;
    private long windowNanos = 30_000_000_000L;
    private int buckets = 10;
    private int windowCalls;
    private int minimumCalls;
    private double failureRate = 0.5;
    private double slowCallRate = Thresholds.OFF;
    private double failedOrSlowRate = Thresholds.OFF;

    void timeWindow(Duration length, int inBuckets) {
        long nanos = Require.positive("timeWindow", length);
        buckets = Require.between("buckets", inBuckets, 1, MAX_BUCKETS);
        windowNanos = nanos;
        windowCalls = 0;
        named = true;
    }

    void countWindow(int calls) {
        windowCalls = Require.between("countWindow", calls, 1, CountWindow.MAX_CALLS);
        named = true;
    }

    void minimumCalls(int calls) {
        minimumCalls = Require.between("minimumCalls", calls, 1, Integer.MAX_VALUE);
        named = true;
    }

    void failureRate(double share) {
        failureRate = Require.share("failureRate", share);
        named = true;
    }

    void slowCallRate(double share) {
        slowCallRate = Require.share("slowCallRate", share);
        named = true;
    }

    void failedOrSlowRate(double share) {
        failedOrSlowRate = Require.share("failedOrSlowRate", share);
        named = true;
    }

    /** Whether a window or a rate was named. */
    boolean isNamed() {
        return named;
    }

    /** Whether slow calls can open the breaker. */
    boolean slowCallsCount() {
        return slowCallRate <= 1 || failedOrSlowRate <= 1;
    }

    void check(boolean slowAfterNamed) {
        if (!slowAfterNamed && slowCallsCount()) {
            throw Require.refused("slowAfter", "not set", "a duration when slowCallRate or failedOrSlowRate is set");
        }
        if (windowCalls > 0 && minimumCalls > windowCalls) {
            throw Require.refused(
                    "minimumCalls", minimumCalls, "at most the " + windowCalls + " calls of the count window");
        }
    }

    void warn(Expectation expected, List<String> warnings) {
        if (windowCalls == 0) {
            expected.checkWindow(windowNanos, minimum(), warnings);
        }
        double calls = windowCalls > 0 ? windowCalls : expected.callsPerSecond() * windowNanos / 1e9;
        expected.checkFilling(calls, minimum(), failureRate, warnings);
    }

    private int minimum() {
        int usual = windowCalls > 0 ? Math.min(USUAL_MINIMUM, windowCalls) : USUAL_MINIMUM;
        return minimumCalls > 0 ? minimumCalls : usual;
    }

    WindowRule rule(SlowLimit slowLimit) {
        Thresholds thresholds = new Thresholds(minimum(), failureRate, slowCallRate, failedOrSlowRate);
        int calls = windowCalls;
        long nanos = windowNanos;
        int parts = buckets;
        return calls > 0
                ? new WindowRule(
                        nowNanos -> new CountWindow(thresholds, calls),
                        "the last " + calls + " calls",
                        false,
                        thresholds,
                        slowLimit)
                : new WindowRule(
                        nowNanos -> new TimeWindow(thresholds, nanos, parts, nowNanos),
                        "the last " + Nanos.toDuration(nanos),
                        true,
                        thresholds,
                        slowLimit);
    }
}
