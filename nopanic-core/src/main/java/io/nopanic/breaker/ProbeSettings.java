package io.nopanic.breaker;

import io.nopanic.spi.Require;
import java.time.Duration;

/** What a {@link CircuitBreakerBuilder} was told about probing. */
final class ProbeSettings {

    private static final int MAX_PROBES = 10_000;

    private int probes;
    private boolean firstAlone;
    private double failureRate;
    private long timeoutNanos;

    void probes(int count) {
        probes = Require.between("probes", count, 1, MAX_PROBES);
        firstAlone = false;
    }

    void closeAfter(int successes) {
        probes = Require.between("closeAfter", successes, 1, MAX_PROBES);
        firstAlone = true;
    }

    void failureRate(double share) {
        failureRate = Require.share("probeFailureRate", share);
    }

    void timeout(Duration duration) {
        timeoutNanos = Require.positive("probeTimeout", duration);
    }

    void check() {
        if (firstAlone && failureRate > 0) {
            throw Require.refused("probeFailureRate", failureRate, "none beside closeAfter, which lets no probe fail");
        }
    }

    /** The rules, with what holds if nothing was said. */
    HalfOpen.Rules rules(int usualProbes, boolean usuallyFirstAlone, boolean slowIsFailed, long usualTimeoutNanos) {
        boolean named = probes > 0;
        return new HalfOpen.Rules(
                named ? probes : usualProbes,
                named ? firstAlone : usuallyFirstAlone,
                failureRate,
                slowIsFailed,
                timeoutNanos > 0 ? timeoutNanos : usualTimeoutNanos);
    }
}
