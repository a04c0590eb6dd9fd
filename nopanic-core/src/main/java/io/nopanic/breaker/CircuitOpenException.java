package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.outcome.RejectedException;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker refused the call, because it is open or because its probes are out. The cause is the failure that opened
 * it or kept it open, if it was one; {@link #retryAfter()} is what is left of the open time, where that is known.
 */
public final class CircuitOpenException extends RejectedException {

    private static final long serialVersionUID = 1L;

    private final CircuitState state;

    CircuitOpenException(
            String policy, String pipeline, CircuitState state, long retryAfterNanos, @Nullable Throwable lastFailure) {
        super(policy, pipeline, "circuit breaker is " + state, retryAfterNanos, lastFailure);
        this.state = state;
    }

    /** The state in which the breaker refused. */
    public CircuitState state() {
        return state;
    }

    static long unknown() {
        return UNKNOWN;
    }
}
