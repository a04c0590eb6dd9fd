package io.nopanic.outcome;

import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy refused the call: it never reached the thing it was meant for. By default no other policy counts a refusal against
 * the dependency, and none retries it.
 */
public abstract class RejectedException extends NopanicException implements HasRetryAfter {

    private static final long serialVersionUID = 1L;

    /** The value of {@link #retryAfterNanos} that stands for "not known". */
    protected static final long UNKNOWN = -1;

    private final long retryAfterNanos;

    /**
     * @param policy the name of the policy that refused
     * @param pipeline the name of the pipeline in which it did
     * @param detail what happened, in words
     * @param retryAfterNanos when it makes sense to come back, in nanoseconds from now, or {@link #UNKNOWN}
     * @param cause the last failure seen, if that explains the refusal
     */
    protected RejectedException(
            String policy, String pipeline, String detail, long retryAfterNanos, @Nullable Throwable cause) {
        super(policy, pipeline, detail, cause);
        this.retryAfterNanos = retryAfterNanos;
    }

    @Override
    public final Optional<Duration> retryAfter() {
        return retryAfterNanos < 0 ? Optional.empty() : Optional.of(Nanos.toDuration(retryAfterNanos));
    }
}
