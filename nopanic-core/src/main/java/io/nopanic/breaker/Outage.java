package io.nopanic.breaker;

import java.util.concurrent.atomic.LongAdder;

/**
 * From the moment at which the breaker leaves the closed state until it is closed again, however often it probes in between.
 *
 * @param sinceNanos when it began
 * @param failedProbings how often in a row probing has failed
 * @param refusals counts the calls refused
 */
record Outage(long sinceNanos, int failedProbings, LongAdder refusals) {

    static Outage begin(long nowNanos) {
        return new Outage(nowNanos, 0, new LongAdder());
    }

    /** The same after probing has failed once more. */
    Outage afterFailedProbing() {
        return new Outage(sinceNanos, failedProbings + 1, refusals);
    }

    long refused() {
        return refusals.sum();
    }
}
