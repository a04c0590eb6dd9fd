package io.nopanic.testkit;

import io.nopanic.outcome.Failures;
import io.nopanic.outcome.RejectedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a guarded call ended, in the same form for blocking and asynchronous calls.
 *
 * @param value what it returned; {@code null} if it failed
 * @param error what it threw, unwrapped; {@code null} if it returned
 * @param took how long that was, in virtual time
 */
public record Answer(@Nullable Object value, @Nullable Throwable error, Duration took) {

    /** Whether it returned. */
    public boolean succeeded() {
        return error == null;
    }

    /** Whether a policy refused it. */
    public boolean refused() {
        return error instanceof RejectedException;
    }

    /** Whether it was given up: a blocking call by an interrupt, an asynchronous one by cancelling it. */
    public boolean cancelled() {
        return error != null && Failures.isCancellation(error);
    }
}
