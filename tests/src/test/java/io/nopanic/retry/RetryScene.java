package io.nopanic.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.events.Event.GiveUpReason;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Repetition.Attempt;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the tests of the retry speak of; each call is driven as the engine drives it, in virtual time. */
abstract class RetryScene {

    static final IOException FAILURE = new IOException("no");
    static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    final VirtualTime time = VirtualTime.create();

    Retry.Builder builder() {
        return Retry.builder().time(time.time());
    }

    Budget budget(double ratio, double minPerSecond) {
        return Budget.builder()
                .time(time.time())
                .ratio(ratio)
                .minPerSecond(minPerSecond)
                .build();
    }

    Attempt attempt(int number, Throwable error) {
        return new Attempt(number, 0, time.nanos(), 0, Long.MAX_VALUE, null, error);
    }

    Attempt attempt(int number, Throwable error, Duration remaining) {
        return new Attempt(number, 0, time.nanos(), 0, remaining.toNanos(), null, error);
    }

    static RandomGenerator always(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }

    static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    @SuppressWarnings("unchecked")
    static <E extends Throwable> void sneakyThrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** One call through a retry, driven as the engine does it; a {@link Throwable} that the body answers counts as thrown. */
    final class Run {

        final Retry retry;
        final List<Event> events = new ArrayList<>();
        final List<Duration> delays = new ArrayList<>();
        final long startNanos = time.nanos();
        Duration takes = Duration.ZERO;

        @Nullable Duration remaining;

        int interruptedAt;
        int attempts;

        Run(Retry retry) {
            this.retry = retry;
        }

        Object failing() {
            return call(attempt -> FAILURE);
        }

        int attemptsOf(Throwable error) {
            assertThat(call(attempt -> error)).isSameAs(error);
            return attempts;
        }

        @Nullable Object call(Body body) {
            try (var subscription = retry.events().subscribe(events::add)) {
                retry.onCall();
                long previousDelayNanos = 0;
                while (true) {
                    attempts++;
                    Object outcome = answer(body);
                    Throwable error = outcome instanceof Throwable thrown ? thrown : null;
                    if (error == null && retry.accepts(outcome)) {
                        return outcome;
                    }
                    Attempt attempt = new Attempt(
                            attempts,
                            previousDelayNanos,
                            time.nanos(),
                            retry.measuresElapsed() ? time.nanos() - startNanos : 0,
                            remaining == null ? Long.MAX_VALUE : remaining.toNanos(),
                            error == null ? outcome : null,
                            error);
                    long delayNanos = retry.delayNanos(attempt);
                    if (delayNanos == Repetition.DONE) {
                        return outcome;
                    }
                    assertThat(delayNanos).isNotNegative();
                    if (attempts == interruptedAt) {
                        time.advance(Duration.ofNanos(delayNanos / 2));
                        retry.onAbandoned(attempt);
                        return "interrupted";
                    }
                    delays.add(Duration.ofNanos(delayNanos));
                    time.advance(Duration.ofNanos(delayNanos));
                    previousDelayNanos = delayNanos;
                }
            }
        }

        private @Nullable Object answer(Body body) {
            time.advance(takes);
            try {
                return body.attempt(attempts);
            } catch (Exception thrown) {
                throw new AssertionError(thrown);
            }
        }

        Duration elapsed() {
            return Duration.ofNanos(time.nanos() - startNanos);
        }

        GiveUpReason reason() {
            return ((Event.RetryGaveUp) events.get(events.size() - 1)).reason();
        }
    }

    interface Body {
        @Nullable Object attempt(int number) throws Exception;
    }

    static final class Hinted extends IllegalStateException implements HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final @Nullable Duration hint;

        Hinted(@Nullable Duration hint) {
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.ofNullable(hint);
        }
    }

    static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused(long retryAfterNanos) {
            super("limiter", "pipeline", "refused", retryAfterNanos, null);
        }
    }

    static final class Response implements HasRetryAfter {
        final int status;
        private final Duration hint;

        Response(int status, Duration hint) {
            this.status = status;
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(hint);
        }
    }
}
