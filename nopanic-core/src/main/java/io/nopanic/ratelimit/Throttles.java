package io.nopanic.ratelimit;

import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.Outcome;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.ReportedOnce;
import io.nopanic.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Recognises outcomes by which a dependency says "slow down". Immutable and thread-safe.
 *
 * <p>Such are an error or a result that carries a hint when to come back, and what the user's rules name. Refusals by a policy further in never are, whatever
 * the rules say, nor are cancellations and interrupts: the dependency did not say them.
 */
final class Throttles {

    /** No hint, or none that makes sense. */
    static final long NO_HINT = 0;

    /** What the user's rules name counts as a failure here; without rules for errors everything else would, so one is always there. */
    private final Classifier rules;

    private final long longestNanos;
    private final ReportedOnce faults = new ReportedOnce(
            AdaptiveRateLimiter.class, "what reads a hint from an outcome threw; the outcome is taken to carry none");

    /**
     * @param rules what the user named; completed here
     * @param longestNanos the longest hint that is followed as given
     */
    Throttles(Classifier.Builder rules, long longestNanos) {
        this.rules = rules.failIf(error -> false)
                .ignore(RejectedException.class)
                .ignoreIf(Failures::isCancellation)
                .build();
        this.longestNanos = longestNanos;
    }

    boolean isThrottle(@Nullable Object result, @Nullable Throwable error) {
        if (error == null) {
            return hint(result) != null || rules.ofResult(result) == Outcome.FAILURE;
        }
        Throwable failure = Failures.unwrap(error);
        return (hint(failure) != null && !(failure instanceof RejectedException))
                || rules.ofError(failure) == Outcome.FAILURE;
    }

    /** How long the outcome asks to stay away, cut to the longest that is followed; {@link #NO_HINT} if it does not. */
    long hintNanos(@Nullable Object result, @Nullable Throwable error) {
        Duration hint = hint(error == null ? result : Failures.unwrap(error));
        return hint == null ? NO_HINT : Math.max(NO_HINT, Math.min(Nanos.of(hint), longestNanos));
    }

    private @Nullable Duration hint(@Nullable Object carrier) {
        if (!(carrier instanceof HasRetryAfter hinting)) {
            return null;
        }
        try {
            return hinting.retryAfter().orElse(null);
        } catch (Throwable thrown) {
            faults.thrown(thrown);
            return null;
        }
    }
}
