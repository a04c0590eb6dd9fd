package io.nopanic.retry;

import static io.nopanic.events.Event.GiveUpReason.ATTEMPTS_EXHAUSTED;
import static io.nopanic.events.Event.GiveUpReason.CANCELLED;
import static io.nopanic.events.Event.GiveUpReason.NOT_RETRYABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.CapturedLog;
import io.nopanic.events.Event;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.TimeoutExceededException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a retry makes again, and what it leaves alone. */
class RetryRulesTest extends RetryScene {

    // ------------------------------------------------------------------------------------------------- what is retried

    static List<Throwable> neverRetriedByDefault() {
        return List.of(
                new InterruptedException(),
                new CancellationException(),
                new CallInterruptedException("pipeline"),
                new Refused(-1),
                new StackOverflowError(),
                new AssertionError(),
                new NoClassDefFoundError());
    }

    @ParameterizedTest
    @MethodSource("neverRetriedByDefault")
    void doesNotRetryRefusalsCancellationsInterruptsAndErrors(Throwable error) {
        boolean cancelled = !(error instanceof Refused || error instanceof Error);
        for (Retry.Builder builder : List.of(
                builder(),
                builder().retryOn(Exception.class),
                builder().retryOn(Throwable.class),
                builder().retryOn(RuntimeException.class),
                builder().retryIf(any -> true))) {
            Run run = new Run(builder.build());
            assertThat(run.call(attempt -> error)).isSameAs(error);
            assertThat(run.attempts).isEqualTo(1);
            assertThat(run.reason()).isEqualTo(cancelled ? CANCELLED : NOT_RETRYABLE);
        }
    }

    @ParameterizedTest
    @MethodSource("neverRetriedByDefault")
    void retriesThemIfTheirOwnTypeIsNamed(Throwable error) {
        Run run = new Run(builder().retryOn(error.getClass()).build());
        assertThat(run.call(attempt -> error)).isSameAs(error);
        assertThat(run.attempts).isEqualTo(3);
    }

    @Test
    void retriesAllRefusalsIfThatIsNamed() {
        Run run = new Run(builder().retryOn(RejectedException.class).build());
        Refused refused = new Refused(-1);
        assertThat(run.call(attempt -> refused)).isSameAs(refused);
        assertThat(run.attempts).isEqualTo(3);
        assertThat(new Run(builder().retryOn(RejectedException.class).build()).attemptsOf(FAILURE))
                .isEqualTo(1);
        assertThat(new Run(builder()
                                .retryOn(RejectedException.class)
                                .retryOn(Exception.class)
                                .build())
                        .attemptsOf(FAILURE))
                .isEqualTo(3);
    }

    @Test
    void retriesAnAttemptThatTimedOut() {
        Run run = new Run(builder().build());
        assertThat(run.attemptsOf(new TimeoutExceededException("timeout", "pipeline", 1)))
                .isEqualTo(3);
    }

    @Test
    void retriesWhatIsNamedAndNothingElse() {
        Retry retry = builder()
                .retryOn(IOException.class)
                .retryIf(error -> "busy".equals(error.getMessage()))
                .build();
        assertThat(new Run(retry).attemptsOf(new IOException())).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new FileNotFoundException())).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new IllegalStateException("busy"))).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new IllegalStateException("bug"))).isEqualTo(1);
    }

    @Test
    void givesUpOnWhatIsNamedWhateverElseSaysToRetry() {
        Retry retry = builder()
                .retryOn(IOException.class)
                .retryOn(FileNotFoundException.class)
                .giveUpOn(FileNotFoundException.class)
                .giveUpIf(error -> "for good".equals(error.getMessage()))
                .build();
        assertThat(new Run(retry).attemptsOf(new IOException())).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new IOException("for good"))).isEqualTo(1);
        assertThat(new Run(retry).attemptsOf(new FileNotFoundException())).isEqualTo(1);
        assertThat(new Run(builder()
                                .retryOn(FileNotFoundException.class)
                                .giveUpOn(IOException.class)
                                .build())
                        .attemptsOf(new FileNotFoundException()))
                .isEqualTo(1);
    }

    @Test
    void keepsTheDefaultsForWhatIsNotGivenUpOn() {
        Retry retry = builder().giveUpOn(IllegalArgumentException.class).build();
        Run run = new Run(retry);
        assertThat(run.attemptsOf(new IllegalArgumentException())).isEqualTo(1);
        assertThat(run.reason()).isEqualTo(NOT_RETRYABLE);
        assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new OutOfMemoryError())).isEqualTo(1);
    }

    @Test
    void looksThroughWrappersOfAsynchronousFailures() {
        Retry retry = builder()
                .retryOn(IOException.class)
                .giveUpOn(FileNotFoundException.class)
                .build();
        CompletionException wrapped = new CompletionException(new ExecutionException(FAILURE));
        Run run = new Run(retry);
        assertThat(run.call(attempt -> wrapped)).isSameAs(wrapped);
        assertThat(run.attempts).isEqualTo(3);
        assertThat(((Event.RetryGaveUp) run.events.get(2)).error()).isSameAs(FAILURE);
        assertThat(new Run(retry).attemptsOf(new CompletionException(new FileNotFoundException())))
                .isEqualTo(1);
        assertThat(new Run(retry).attemptsOf(new UncheckedIOException(FAILURE))).isEqualTo(1);
        assertThat(new Run(builder().build()).attemptsOf(new CompletionException(new CancellationException())))
                .isEqualTo(1);
        assertThat(new Run(builder().build()).attemptsOf(new CompletionException(null, null)))
                .isEqualTo(3);
    }

    @Test
    void canBuildSeveralFromOneBuilder() {
        Retry.Builder builder = builder();
        Retry all = builder.build();
        Retry some = builder.retryOn(IOException.class).build();
        assertThat(new Run(all).attemptsOf(new IllegalStateException())).isEqualTo(3);
        assertThat(new Run(some).attemptsOf(new IllegalStateException())).isEqualTo(1);
        assertThat(all.budget()).isNotEqualTo(some.budget());
    }

    // --------------------------------------------------------------------------------------------------------- results

    @Test
    void returnsTheLastResultWhenAttemptsRunOutAndSaysThatTheyDid() {
        Run run = new Run(
                builder().retryOnResult(Integer.class, result -> result < 0).build());
        assertThat(run.call(attempt -> -attempt)).isEqualTo(-3);
        assertThat(run.attempts).isEqualTo(3);
        assertThat(run.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
        assertThat(((Event.RetryGaveUp) run.events.get(2)).error()).isNull();
        assertThat(run.events).hasSize(3);
    }

    @Test
    void takesTheFirstResultThatIsGoodEnough() {
        Run run = new Run(
                builder().retryOnResult(Integer.class, result -> result < 0).build());
        assertThat(run.call(attempt -> attempt - 2)).isEqualTo(0);
        assertThat(run.attempts).isEqualTo(2);
        assertThat(run.events).hasSize(1);
    }

    @Test
    void asksAboutResultsOfTheNamedTypeOnly() {
        Retry retry = builder().retryOnResult(Integer.class, result -> true).build();
        assertThat(retry.accepts(1)).isFalse();
        assertThat(retry.accepts(1L)).isTrue();
        assertThat(retry.accepts(null)).isTrue();
    }

    @Test
    void asksANullRuleAboutResultsAndNotAboutErrors() {
        Retry retry = builder()
                .retryOnResult(Objects::isNull)
                .retryOn(IOException.class)
                .build();
        Run run = new Run(retry);
        assertThat(run.call(attempt -> null)).isNull();
        assertThat(run.attempts).isEqualTo(3);
        assertThat(new Run(retry).attemptsOf(new IllegalStateException())).isEqualTo(1);
        assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(3);
    }

    @Test
    void leavesErrorRulesAtTheirDefaultsWhenOnlyResultsAreNamed() {
        Retry retry = builder().retryOnResult(Objects::isNull).build();
        assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(3);
    }

    @Test
    void acceptsEveryResultWithoutResultRules() {
        assertThat(builder().build().accepts(null)).isTrue();
        assertThat(builder().build().accepts(-1)).isTrue();
    }

    // ------------------------------------------------------------------------------------------------- faults of users

    @Test
    void keepsTheOutcomeWhenARuleThrowsAndReportsItOnce() {
        Retry retry = builder()
                .retryIf(error -> {
                    throw new NoClassDefFoundError("gone");
                })
                .retryOnResult(result -> {
                    throw new IllegalStateException("broken");
                })
                .build();
        try (CapturedLog log = new CapturedLog(Classifier.class)) {
            Run run = new Run(retry);
            assertThat(run.call(attempt -> FAILURE)).isSameAs(FAILURE);
            assertThat(run.attempts).isEqualTo(1);
            assertThat(run.reason()).isEqualTo(NOT_RETRYABLE);
            assertThat(new Run(retry).call(attempt -> "result")).isEqualTo("result");
            assertThat(log.records()).hasSize(1);
        }
    }

    @Test
    void retriesWhenARuleForGivingUpThrows() {
        Retry retry = builder()
                .giveUpIf(error -> {
                    throw new IllegalStateException("broken");
                })
                .build();
        try (CapturedLog log = new CapturedLog(Classifier.class)) {
            assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(3);
            assertThat(log.records()).hasSize(1);
        }
    }

    @Test
    void keepsTheOutcomeWhenTheDelayFunctionThrowsAndReportsItOnce() {
        Retry retry = builder()
                .backoff(Backoff.of((attempt, result, error) -> {
                    throw new StackOverflowError();
                }))
                .build();
        try (CapturedLog log = new CapturedLog(Retry.class)) {
            Run run = new Run(retry);
            assertThat(run.attemptsOf(FAILURE)).isEqualTo(1);
            assertThat(run.reason()).isEqualTo(NOT_RETRYABLE);
            assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(1);
            assertThat(log.records()).hasSize(1);
        }
    }

    @Test
    void retriesWithItsOwnDelayWhenReadingAHintThrows() {
        Retry retry = builder()
                .backoff(Backoff.fixed(ms(10)))
                .retryAfterFrom(IOException.class, error -> {
                    throw new IllegalStateException("broken");
                })
                .retryAfterFrom(Hinted.class, error -> null)
                .build();
        try (CapturedLog log = new CapturedLog(Retry.class)) {
            Run run = new Run(retry);
            run.failing();
            assertThat(run.delays).containsExactly(ms(10), ms(10));
            assertThat(new Run(retry).attemptsOf(new Hinted(null))).isEqualTo(3);
            assertThat(log.records()).hasSize(1);
        }
    }

    @Test
    void isNotDisturbedByListenersThatThrow() {
        Retry retry = builder().build();
        for (Throwable thrown : List.of(new IllegalStateException(), new StackOverflowError())) {
            retry.events().subscribe(event -> sneakyThrow(thrown));
        }
        try (CapturedLog log = new CapturedLog(io.nopanic.events.Events.class)) {
            Run run = new Run(retry);
            assertThat(run.failing()).isSameAs(FAILURE);
            assertThat(run.attempts).isEqualTo(3);
            assertThat(log.records()).hasSize(2);
        }
    }
}
