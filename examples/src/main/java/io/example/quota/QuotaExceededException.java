package io.example.quota;

import io.nopanic.outcome.RejectedException;

/** The quota of this period is used up. */
public final class QuotaExceededException extends RejectedException {

    private static final long serialVersionUID = 1L;

    QuotaExceededException(String policy, String pipeline, long retryAfterNanos) {
        super(policy, pipeline, "quota used up", retryAfterNanos, null);
    }
}
