package io.nopanic.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.CapturedLog;
import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retries in real calls, in every mode. */
class RetryPipelineTest {

    private static final IOException FAILURE = new IOException("no");

    private final VirtualTime time = VirtualTime.create();
    private final AtomicInteger attempts = new AtomicInteger();

    @AfterEach
    void leavesNoTimerAndNoInterrupt() {
        assertThat(time.pendingTimers()).isZero();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** How a call is made. */
    enum Mode {
        BLOCKING {
            @Override
            Object outcome(Pipeline pipeline, VirtualTime time, Callable<?> body) {
                try {
                    return pipeline.call(body);
                } catch (Throwable thrown) {
                    return thrown;
                }
            }
        },
        COMPLETED_STAGE {
            @Override
            Object outcome(Pipeline pipeline, VirtualTime time, Callable<?> body) {
                return await(time, pipeline.callAsync(() -> {
                    CompletableFuture<Object> stage = new CompletableFuture<>();
                    complete(stage, body);
                    return stage;
                }));
            }
        },
        PENDING_STAGE {
            @Override
            Object outcome(Pipeline pipeline, VirtualTime time, Callable<?> body) {
                return await(time, pipeline.callAsync(() -> {
                    CompletableFuture<Object> stage = new CompletableFuture<>();
                    time.time().schedule(0, () -> complete(stage, body));
                    return stage;
                }));
            }
        };

        abstract Object outcome(Pipeline pipeline, VirtualTime time, Callable<?> body);

        private static void complete(CompletableFuture<Object> stage, Callable<?> body) {
            try {
                stage.complete(body.call());
            } catch (Throwable thrown) {
                stage.completeExceptionally(thrown);
            }
        }

        private static Object await(VirtualTime time, CompletableFuture<Object> call) {
            time.advanceUntil(call::isDone);
            return call.handle((value, thrown) -> thrown == null ? value : Failures.unwrap(thrown))
                    .join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void makesTheSameAttemptsWithTheSameEventsInEveryMode(Mode mode) {
        Retry retry = builder()
                .attempts(5)
                .backoff(Backoff.exponential(ms(100)))
                .retryOnResult(Integer.class, result -> result < 3)
                .build();
        List<String> events = new ArrayList<>();
        retry.events().subscribe(event -> events.add(brief(event) + " at " + time.elapsed()));
        Object outcome = mode.outcome(pipeline(retry), time, () -> {
            int attempt = attempts.incrementAndGet();
            if (attempt == 2) {
                throw FAILURE;
            }
            return attempt - 1;
        });
        assertThat(outcome).isEqualTo(3);
        assertThat(attempts).hasValue(4);
        assertThat(events)
                .containsExactly(
                        "attempt 1, delay PT0.1S, error null at PT0S",
                        "attempt 2, delay PT0.2S, error " + FAILURE + " at PT0.1S",
                        "attempt 3, delay PT0.4S, error null at PT0.3S");
        assertThat(time.elapsed()).isEqualTo(ms(700));
    }

    @ParameterizedTest
    @EnumSource
    void endsWithTheLastAttemptsOwnExceptionInEveryMode(Mode mode) {
        Retry retry = builder().build();
        List<IOException> thrown = new ArrayList<>();
        Object outcome = mode.outcome(pipeline(retry), time, () -> {
            thrown.add(new IOException());
            throw thrown.get(thrown.size() - 1);
        });
        assertThat(thrown).hasSize(3);
        assertThat(outcome).isSameAs(thrown.get(2));
        assertThat(thrown.get(2).getSuppressed()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void endsWithTheCallsErrorWhenARuleThrowsInEveryMode(Mode mode) {
        Retry retry = builder()
                .retryIf(error -> {
                    throw new NoClassDefFoundError("gone");
                })
                .build();
        try (CapturedLog log = new CapturedLog(Classifier.class)) {
            assertThat(mode.outcome(pipeline(retry), time, this::fail)).isSameAs(FAILURE);
            assertThat(attempts).hasValue(1);
            assertThat(log.records()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsNoAttemptPastTheDeadlineAroundItInEveryMode(Mode mode) {
        Retry retry = builder().attempts(10).backoff(Backoff.fixed(ms(100))).build();
        Object outcome = mode.outcome(pipeline(new Limit(time, ms(250)), retry), time, this::fail);
        assertThat(outcome).isSameAs(FAILURE);
        assertThat(attempts).hasValue(3);
        assertThat(time.elapsed()).isEqualTo(ms(200));
    }

    @ParameterizedTest
    @EnumSource
    void startsNoAttemptPastItsMaxDurationInEveryMode(Mode mode) {
        Retry retry = builder()
                .attempts(10)
                .maxDuration(ms(250))
                .backoff(Backoff.fixed(ms(100)))
                .build();
        assertThat(mode.outcome(pipeline(retry), time, this::fail)).isSameAs(FAILURE);
        assertThat(attempts).hasValue(3);
        assertThat(time.elapsed()).isEqualTo(ms(200));
    }

    @ParameterizedTest
    @EnumSource
    void retriesTenThousandTimesWithoutDelayOnOneStack(Mode mode) {
        Retry retry =
                builder().unlimitedAttempts().noBudget().backoff(Backoff.none()).build();
        Object outcome =
                mode.outcome(pipeline(retry), time, () -> attempts.get() < 9_999 ? fail() : attempts.incrementAndGet());
        assertThat(outcome).isEqualTo(10_000);
    }

    // --------------------------------------------------------------------------------------------------------
    // interrupts

    @Test
    void retriesNoCallThatWasInterrupted() {
        InterruptedException interrupted = new InterruptedException();
        assertThatThrownBy(() -> pipeline(builder().retryOn(Exception.class).build())
                        .call(() -> {
                            attempts.incrementAndGet();
                            throw interrupted;
                        }))
                .isSameAs(interrupted);
        assertThat(attempts).hasValue(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void stopsWhenTheThreadIsInterruptedBeforeTheWait() {
        Budget budget = Budget.builder().time(time.time()).minPerSecond(0.1).build();
        Retry retry = builder().budget(budget).retryOnResult(Objects::isNull).build();
        assertThatThrownBy(() -> pipeline(retry).call(() -> {
                    attempts.incrementAndGet();
                    Thread.currentThread().interrupt();
                    return null;
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(attempts).hasValue(1);
        assertThat(time.elapsed()).isZero();
        assertThat(budget.available()).isEqualTo(1);
    }

    @Test
    void stopsWhenTheThreadIsInterruptedDuringTheWait() throws Exception {
        VirtualTime manual = VirtualTime.manual();
        Budget budget = Budget.builder().time(manual.time()).minPerSecond(0.1).build();
        Retry retry = Retry.builder()
                .time(manual.time())
                .budget(budget)
                .backoff(Backoff.fixed(Duration.ofHours(1)))
                .build();
        List<Event> events = new ArrayList<>();
        retry.events().subscribe(events::add);
        List<Object> seen = new ArrayList<>();
        Thread caller = new Thread(() -> {
            try {
                pipeline(retry).get(() -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException();
                });
            } catch (CallInterruptedException expected) {
                seen.add(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        manual.awaitParked(1);
        assertThat(budget.available()).isZero();
        caller.interrupt();
        caller.join();
        assertThat(seen).containsExactly(true);
        assertThat(attempts).hasValue(1);
        assertThat(budget.available()).isEqualTo(1);
        assertThat(events)
                .hasSize(2)
                .last()
                .isInstanceOfSatisfying(
                        Event.RetryGaveUp.class,
                        last -> assertThat(last.reason()).isEqualTo(Event.GiveUpReason.CANCELLED));
    }

    @Test
    void stopsWhenTheFutureIsCancelledDuringTheWait() {
        Budget budget = Budget.builder().time(time.time()).minPerSecond(0.1).build();
        Retry retry = builder()
                .budget(budget)
                .backoff(Backoff.fixed(Duration.ofHours(1)))
                .build();
        CompletableFuture<Object> call = pipeline(retry).callAsync(() -> {
            attempts.incrementAndGet();
            return CompletableFuture.failedFuture(new CompletionException(FAILURE));
        });
        assertThat(budget.available()).isZero();
        call.cancel(true);
        time.advance(Duration.ofHours(2));
        assertThat(attempts).hasValue(1);
        assertThat(budget.available()).isEqualTo(1);
    }

    // ----------------------------------------------------------------------------------------------------------
    // helpers

    private Object fail() throws IOException {
        attempts.incrementAndGet();
        throw FAILURE;
    }

    private Retry.Builder builder() {
        return Retry.builder().time(time.time());
    }

    private static Pipeline pipeline(io.nopanic.spi.Policy... policies) {
        Pipeline.Builder builder = Pipeline.builder().executor(Runnable::run);
        for (io.nopanic.spi.Policy policy : policies) {
            builder.with(policy);
        }
        return builder.build();
    }

    private static String brief(Event event) {
        Event.RetryScheduled scheduled = (Event.RetryScheduled) event;
        return "attempt " + scheduled.attempt() + ", delay " + Duration.ofNanos(scheduled.delayNanos()) + ", error "
                + scheduled.error();
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static final class Limit extends PolicyBase implements Deadline {

        private final Duration limit;

        Limit(VirtualTime time, Duration limit) {
            super(new LimitBuilder().time(time.time()));
            this.limit = limit;
        }

        @Override
        public long timeoutNanos() {
            return limit.toNanos();
        }

        @Override
        public String describe() {
            return limit.toString();
        }
    }

    private static final class LimitBuilder extends PolicyBuilder<LimitBuilder, @Nullable Object> {

        LimitBuilder() {
            super("limit");
        }

        @Override
        protected LimitBuilder self() {
            return this;
        }

        @Override
        public @Nullable Object build() {
            return null;
        }
    }
}
