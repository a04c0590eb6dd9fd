package io.nopanic.outcome;

import io.nopanic.time.Nanos;
import java.time.Duration;

/**
 * A timeout policy ended the call. It is not a {@link java.util.concurrent.TimeoutException}, so one that the call itself threw
 * stays distinguishable. Unlike a {@link RejectedException} it does count as a failure of the dependency.
 */
public final class TimeoutExceededException extends NopanicException {

    private static final long serialVersionUID = 1L;

    private final long timeoutNanos;

    /**
     * @param policy the name of the timeout policy
     * @param pipeline the name of the pipeline
     * @param timeoutNanos how long the call was allowed to take, in nanoseconds
     */
    public TimeoutExceededException(String policy, String pipeline, long timeoutNanos) {
        super(policy, pipeline, "not finished within " + Nanos.toDuration(timeoutNanos), null);
        this.timeoutNanos = timeoutNanos;
    }

    /** How long the call was allowed to take. */
    public Duration timeout() {
        return Nanos.toDuration(timeoutNanos);
    }
}
