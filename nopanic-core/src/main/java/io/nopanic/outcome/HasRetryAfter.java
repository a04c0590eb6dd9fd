package io.nopanic.outcome;

import java.time.Duration;
import java.util.Optional;

/**
 * A failure or a result that knows when it makes sense to come back, as an HTTP response with {@code Retry-After} does. Put it on
 * your own exceptions, and retries and breakers respect it.
 */
public interface HasRetryAfter {

    /** How long to stay away, if known. */
    Optional<Duration> retryAfter();
}
