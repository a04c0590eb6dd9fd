package io.nopanic.ratelimit;

import io.nopanic.outcome.RejectedException;
import java.util.Objects;

/**
 * A rate limiter refused the call. {@link #retryAfter()} tells when it would have worked: when its permits would have been there, behind all
 * calls that wait for theirs. It is empty if the call asked for more permits than there can ever be.
 */
public final class RateLimitedException extends RejectedException {

    private static final long serialVersionUID = 1L;

    /**
     * @param policy the name of the rate limiter
     * @param pipeline the name of the pipeline
     * @param detail why, in words
     * @param retryAfterNanos when it would have worked, in nanoseconds from now; -1 for never
     */
    public RateLimitedException(String policy, String pipeline, String detail, long retryAfterNanos) {
        super(policy, pipeline, detail, Math.max(retryAfterNanos, UNKNOWN), null);
    }

    /** What happened, and when it makes sense to come back. */
    @Override
    public String getMessage() {
        String what = Objects.requireNonNull(super.getMessage());
        return retryAfter().map(after -> what + ", retry after " + after).orElse(what);
    }
}
