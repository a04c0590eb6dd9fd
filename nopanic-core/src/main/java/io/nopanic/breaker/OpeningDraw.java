package io.nopanic.breaker;

import io.nopanic.outcome.Failures;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.ReportedOnce;
import io.nopanic.time.Nanos;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an open time depends on that comes from code of users. It is asked for before a transition is tried, so that no such code runs
 * inside a loop of compare-and-set.
 *
 * @param hintNanos how long the failure asks to be left alone; 0 if it does not
 * @param random from 0 to 1
 */
record OpeningDraw(long hintNanos, double random) {

    static final OpeningDraw NONE = new OpeningDraw(0, 0.5);

    /** Asks failures and the source of random numbers; one that throws is done without. */
    static final class Source {

        private final RandomGenerator random;
        private final ReportedOnce faults = new ReportedOnce(
                CircuitBreaker.class,
                "a failure's retryAfter or the source of random numbers threw; the open time does without");

        Source(RandomGenerator random) {
            this.random = random;
        }

        OpeningDraw draw(@Nullable Throwable error) {
            long hintNanos = 0;
            double number = NONE.random;
            try {
                if (error != null && Failures.unwrap(error) instanceof HasRetryAfter hint) {
                    hintNanos = hint.retryAfter().map(Nanos::of).orElse(0L);
                }
                number = random.nextDouble();
            } catch (Throwable thrown) {
                faults.thrown(thrown);
            }
            return new OpeningDraw(hintNanos, number);
        }
    }
}
