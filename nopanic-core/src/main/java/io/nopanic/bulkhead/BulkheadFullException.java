package io.nopanic.bulkhead;

import io.nopanic.outcome.RejectedException;
import io.nopanic.time.Nanos;
import java.time.Duration;

/**
 * A bulkhead refused the call: every permit was in use, and the queue was full or the longest wait over. When a permit will be
 * free is not known, so {@link #retryAfter()} is empty.
 */
public final class BulkheadFullException extends RejectedException {

    private static final long serialVersionUID = 1L;

    private final int maxConcurrent;
    private final long waitedNanos;

    /**
     * @param policy the name of the bulkhead
     * @param pipeline the name of the pipeline
     * @param maxConcurrent how many calls the bulkhead lets run at one time
     * @param maxQueued how many calls it lets wait
     * @param waitedNanos how long the call waited in vain, in nanoseconds; 0 if it was refused at once
     */
    public BulkheadFullException(String policy, String pipeline, int maxConcurrent, int maxQueued, long waitedNanos) {
        super(policy, pipeline, detail(maxConcurrent, maxQueued, waitedNanos), UNKNOWN, null);
        this.maxConcurrent = maxConcurrent;
        this.waitedNanos = waitedNanos;
    }

    /** How many calls the bulkhead let run at one time when it refused. */
    public int maxConcurrent() {
        return maxConcurrent;
    }

    /** How long the call waited in vain; zero if it was refused at once. */
    public Duration waited() {
        return Nanos.toDuration(waitedNanos);
    }

    private static String detail(int maxConcurrent, int maxQueued, long waitedNanos) {
        if (waitedNanos > 0) {
            return "none of " + maxConcurrent + " permits came free within " + Nanos.toDuration(waitedNanos);
        }
        String inUse = "all " + maxConcurrent + " permits are in use";
        return maxQueued == 0 ? inUse : inUse + " and the queue of " + maxQueued + " has no place";
    }
}
