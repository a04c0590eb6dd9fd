package io.nopanic.breaker;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * From the moment at which the breaker leaves the closed state until it is closed again, however often it probes in between.
 *
 * @param sinceNanos when it began
 * @param failedProbings how often in a row probing has failed
 * @param refusals counts the calls refused
 * @param lastFailure the failure that began it or, since then, the last one of a probe; none if it began without one
 */
record Outage(
        long sinceNanos,
        int failedProbings,
        LongAdder refusals,
        @Nullable Throwable lastFailure) {

    static Outage begin(long nowNanos, @Nullable Throwable failure) {
        return new Outage(nowNanos, 0, new LongAdder(), failure);
    }

    /** The same after probing has failed once more. */
    Outage afterFailedProbing() {
        return new Outage(sinceNanos, failedProbings + 1, refusals, lastFailure);
    }

    /** The same after a probe has come back, by a failure if one is given. */
    Outage afterProbe(@Nullable Throwable failure) {
        return failure == null ? this : new Outage(sinceNanos, failedProbings, refusals, failure);
    }

    long refused() {
        return refusals.sum();
    }
}
