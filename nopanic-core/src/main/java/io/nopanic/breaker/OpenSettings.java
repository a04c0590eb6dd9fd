package io.nopanic.breaker;

import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.List;

/** What a {@link CircuitBreakerBuilder} was told about how long to stay open. */
final class OpenSettings {

    private static final long SHORTEST_NANOS = 100_000_000L;
    private static final long LONGEST_NANOS = 30_000_000_000L;

    private long openNanos = 30_000_000_000L;
    private double factor = 1;
    private long capNanos = Nanos.FOREVER;
    private boolean quadratic;
    private double kappa;
    private long shortestNanos = SHORTEST_NANOS;
    private long longestNanos = LONGEST_NANOS;
    private double jitter;
    private long hintCapNanos = 60_000_000_000L;

    void openFor(Duration duration) {
        openNanos = Require.positive("openFor", duration);
        quadratic = false;
    }

    void growth(double growth, Duration cap) {
        double checked = Require.between("factor", growth, 1, 100);
        capNanos = Require.positive("cap", cap);
        factor = checked;
    }

    void quadratic() {
        kappa = 0;
        shortestNanos = SHORTEST_NANOS;
        longestNanos = LONGEST_NANOS;
        quadratic = true;
    }

    void quadratic(double newKappa, Duration shortest, Duration longest) {
        double checked = Require.between("kappa", newKappa, 0.1, 1000);
        long atLeastNanos = Require.notNegative("shortest", shortest);
        long atMostNanos = Require.positive("longest", longest);
        if (atMostNanos < atLeastNanos) {
            throw Require.refused("longest", longest, "at least the shortest, " + shortest);
        }
        kappa = checked;
        shortestNanos = atLeastNanos;
        longestNanos = atMostNanos;
        quadratic = true;
    }

    void jitter(double share) {
        jitter = Require.between("openJitter", share, 0, 1);
    }

    void hintCap(Duration cap) {
        hintCapNanos = Require.notNegative("retryAfterCap", cap);
    }

    void check() {
        if (quadratic && factor > 1) {
            throw Require.refused(
                    "factor", factor, "1, or a time to stay open; quadratic probing has a growth of its own");
        }
        if (!quadratic && capNanos < openNanos) {
            throw Require.refused(
                    "cap", Nanos.toDuration(capNanos), "at least the open time, " + Nanos.toDuration(openNanos));
        }
    }

    void warn(Expectation expected, double failureCost, List<String> warnings) {
        if (!quadratic) {
            expected.checkOpenTime(openNanos, failureCost, warnings);
        }
    }

    OpenSchedule schedule(double usualKappa) {
        return quadratic
                ? new QuadraticSchedule(
                        kappa > 0 ? kappa : usualKappa, shortestNanos, longestNanos, jitter, hintCapNanos)
                : new TimedSchedule(openNanos, factor, capNanos, jitter, hintCapNanos);
    }
}
