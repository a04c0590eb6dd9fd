package io.nopanic.retry;

import static io.nopanic.events.Event.GiveUpReason.ATTEMPTS_EXHAUSTED;
import static io.nopanic.events.Event.GiveUpReason.BUDGET_EXHAUSTED;
import static io.nopanic.events.Event.GiveUpReason.CANCELLED;
import static io.nopanic.events.Event.GiveUpReason.NOT_RETRYABLE;
import static io.nopanic.events.Event.GiveUpReason.TIME_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.CapturedLog;
import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.events.Event.GiveUpReason;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.RejectedException;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Repetition.Attempt;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Nanos;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {

    private static final IOException FAILURE = new IOException("no");
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private final VirtualTime time = VirtualTime.create();

    // ---------------- how often, when

    @Test
    void makesThreeAttemptsByDefaultWithFullJitterFromOneHundredMilliseconds() {
        Run run = new Run(builder().random(always(0.5)).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(3);
        assertThat(run.delays).containsExactly(ms(50), ms(100));
        assertThat(run.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void drawsFreshRandomNumbersByDefault() {
        Retry retry = builder().noBudget().attempts(1000).build();
        assertThat(IntStream.range(0, 50).mapToObj(i -> retry.delayNanos(attempt(12, FAILURE))))
                .doesNotHaveDuplicates()
                .allSatisfy(delay -> assertThat(delay).isBetween(0L, 30_000_000_000L));
    }

    @Test
    void returnsAGoodResultWithoutFurtherAttempts() {
        Run run = new Run(builder().build());
        assertThat(run.call(attempt -> "good")).isEqualTo("good");
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.events).isEmpty();
    }

    @Test
    void makesOneAttemptOnlyIfToldSo() {
        Run run = new Run(builder().attempts(1).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(1);
    }

    @Test
    void goesOnWithoutLimitIfToldSo() {
        Run run = new Run(
                builder().unlimitedAttempts().noBudget().backoff(Backoff.none()).build());
        assertThat(run.call(attempt -> attempt <= 5 ? FAILURE : "sixth")).isEqualTo("sixth");
        Retry retry = builder().unlimitedAttempts().noBudget().build();
        assertThat(retry.delayNanos(attempt(Integer.MAX_VALUE - 1, FAILURE))).isNotNegative();
        assertThat(retry.delayNanos(attempt(Integer.MAX_VALUE, FAILURE))).isEqualTo(Repetition.DONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MIN_VALUE})
    void refusesANumberOfAttemptsThatMakesNoSense(int attempts) {
        assertThatThrownBy(() -> builder().attempts(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempts is " + attempts
                        + ", allowed is a whole number of at least 1, or unlimitedAttempts()");
    }

    @Test
    void refusesDurationsThatMakeNoSense() {
        for (Duration duration : List.of(Duration.ZERO, ms(-1))) {
            assertThatThrownBy(() -> builder().maxDuration(duration))
                    .hasMessageContaining("maxDuration is " + duration);
        }
        assertThatThrownBy(() -> builder().retryAfterCap(ms(-1))).hasMessageContaining("retryAfterCap is PT-0.001S");
    }

    @Test
    void endsWithTheListOfDelays() {
        Run run =
                new Run(builder().attempts(10).backoff(Backoff.of(ms(1), ms(2))).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.delays).containsExactly(ms(1), ms(2));
        assertThat(run.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void startsEveryCallAtTheBeginningOfTheBackoff() throws Exception {
        Retry retry = builder()
                .attempts(4)
                .backoff(Backoff.exponential(ms(100)))
                .noBudget()
                .build();
        Run outer = new Run(retry);
        Run inner = new Run(retry);
        Object result = outer.call(attempt -> {
            if (attempt == 2) {
                assertThat(inner.failing()).isSameAs(FAILURE);
            }
            return FAILURE;
        });
        assertThat(result).isSameAs(FAILURE);
        assertThat(outer.delays).containsExactly(ms(100), ms(200), ms(400));
        assertThat(inner.delays).containsExactly(ms(100), ms(200), ms(400));

        CyclicBarrier together = new CyclicBarrier(2);
        List<Run> runs = List.of(new Run(retry), new Run(retry));
        List<Thread> threads = new ArrayList<>();
        for (Run run : runs) {
            Thread thread = new Thread(() -> run.call(attempt -> {
                together.await();
                return FAILURE;
            }));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(runs).allSatisfy(run -> assertThat(run.delays).containsExactly(ms(100), ms(200), ms(400)));
    }

    @Test
    void feedsThePreviousDelayToTheBackoff() {
        Run run = new Run(builder()
                .attempts(4)
                .backoff(Backoff.decorrelatedJitter(ms(100), Duration.ofSeconds(30)))
                .random(always(Math.nextDown(1.0)))
                .build());
        run.failing();
        assertThat(run.delays).containsExactly(ms(300), ms(900), ms(2700));
    }

    // ---------------- what is retried

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

    // ---------------- results

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

    // ---------------- faults of users

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

    // ---------------- hints

    @Test
    void waitsAtLeastAsLongAsTheFailureAsks() {
        for (double random : new double[] {0, 0.5, Math.nextDown(1.0)}) {
            Run run = new Run(builder().random(always(random)).build());
            run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
            // 10 s to 10 s + 5 % + 50 ms
            assertThat(run.delays)
                    .hasSize(2)
                    .allSatisfy(delay -> assertThat(delay)
                            .isEqualTo(Duration.ofSeconds(10).plusNanos((long) (550_000_001 * random))));
        }
    }

    @Test
    void keepsALongerDelayOfItsOwn() {
        Run run =
                new Run(builder().backoff(Backoff.fixed(Duration.ofSeconds(20))).build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(20), Duration.ofSeconds(20));
    }

    @Test
    void raisesAShortDelayAboveTheCapOfTheBackoff() {
        Run run = new Run(builder()
                .backoff(Backoff.fixed(ms(1)).withCap(ms(100)))
                .random(always(0))
                .build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(10)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    @Test
    void followsAHintNoLongerThanItsCap() {
        for (Duration hint : List.of(Duration.ofSeconds(61), Duration.ofDays(365), HUGE)) {
            Run run = new Run(builder().random(always(0)).build());
            run.call(attempt -> new Hinted(hint));
            assertThat(run.delays).containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(60));
        }
        Run spread = new Run(builder().random(always(Math.nextDown(1.0))).build());
        spread.call(attempt -> new Hinted(HUGE));
        assertThat(spread.delays.get(0)).isEqualTo(ms(63_050));
        Run longer = new Run(builder().random(always(0)).retryAfterCap(HUGE).build());
        longer.call(attempt -> new Hinted(HUGE));
        assertThat(longer.delays.get(0)).isEqualTo(Duration.ofNanos(Nanos.FOREVER));
    }

    @Test
    void takesANegativeHintAndZeroAndNoneAsNoHint() {
        for (Duration hint : new Duration[] {ms(-5), Duration.ofSeconds(Long.MIN_VALUE), Duration.ZERO, null}) {
            Run run = new Run(builder().backoff(Backoff.fixed(ms(7))).build());
            run.call(attempt -> new Hinted(hint));
            assertThat(run.delays).containsExactly(ms(7), ms(7));
        }
    }

    @Test
    void readsHintsFromResultsAndRefusalsAndWrappedErrors() {
        Run result = new Run(builder()
                .random(always(0))
                .retryOnResult(Response.class, r -> r.status == 503)
                .build());
        result.call(attempt -> new Response(503, Duration.ofSeconds(3)));
        assertThat(result.delays).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));

        Run refusal = new Run(
                builder().random(always(0)).retryOn(RejectedException.class).build());
        refusal.call(attempt -> new Refused(5_000_000_000L));
        assertThat(refusal.delays).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));

        Run wrapped = new Run(builder().random(always(0)).build());
        wrapped.call(attempt -> new CompletionException(new Hinted(Duration.ofSeconds(4))));
        assertThat(wrapped.delays).containsExactly(Duration.ofSeconds(4), Duration.ofSeconds(4));
    }

    @Test
    void readsHintsWithFunctionsAndFollowsTheLongest() {
        Run run = new Run(builder()
                .random(always(0))
                .retryAfterFrom(Exception.class, error -> Optional.of(Duration.ofSeconds(2)))
                .retryAfterFrom(IOException.class, error -> Optional.of(Duration.ofSeconds(9)))
                .build());
        run.call(attempt -> attempt == 1 ? new Hinted(Duration.ofSeconds(1)) : new Hinted(Duration.ofSeconds(3)));
        assertThat(run.delays).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void ignoresHintsIfToldSo() {
        Run run = new Run(builder()
                .retryAfterCap(Duration.ZERO)
                .backoff(Backoff.fixed(ms(7)))
                .build());
        run.call(attempt -> new Hinted(Duration.ofSeconds(1)));
        assertThat(run.delays).containsExactly(ms(7), ms(7));
    }

    // ---------------- limits of time

    @Test
    void startsNoAttemptThatWouldBeginAfterItsMaxDuration() {
        Run run = new Run(builder()
                .attempts(10)
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(400)))
                .build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.delays).containsExactly(ms(400), ms(400));
        assertThat(run.elapsed()).isEqualTo(ms(800));
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void countsTheTimeOfTheAttemptsThemselves() {
        Run run = new Run(builder()
                .attempts(10)
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(100)))
                .build());
        run.takes = ms(350);
        run.failing();
        assertThat(run.attempts).isEqualTo(3);
        assertThat(run.elapsed()).isEqualTo(ms(1250));
    }

    @Test
    void acceptsADelayLongerThanTheMaxDurationAndOtherUnits() {
        Run longer = new Run(builder()
                .maxDuration(ms(500))
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .build());
        assertThat(longer.failing()).isSameAs(FAILURE);
        assertThat(longer.attempts).isEqualTo(1);
        Run shorter = new Run(builder()
                .maxDuration(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(ms(500)))
                .build());
        shorter.failing();
        assertThat(shorter.attempts).isEqualTo(2);
        Run nanos = new Run(builder()
                .maxDuration(Duration.ofNanos(901_000))
                .backoff(Backoff.fixed(Duration.ofNanos(900_000)))
                .build());
        nanos.failing();
        assertThat(nanos.attempts).isEqualTo(2);
        Run huge = new Run(builder().maxDuration(HUGE).build());
        huge.failing();
        assertThat(huge.attempts).isEqualTo(3);
    }

    @Test
    void startsNoAttemptThatTheDeadlineAroundItWouldEndBeforeItBegins() {
        Retry retry = builder().backoff(Backoff.fixed(ms(100))).build();
        assertThat(retry.delayNanos(attempt(1, FAILURE, ms(101)))).isEqualTo(ms(100).toNanos());
        Run run = new Run(retry);
        run.remaining = ms(100);
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void startsNoAttemptWithoutDelayWhenNoTimeIsLeft() {
        Retry retry = builder().backoff(Backoff.none()).build();
        for (Duration remaining : List.of(Duration.ZERO, ms(-1))) {
            assertThat(retry.delayNanos(attempt(1, FAILURE, remaining))).isEqualTo(Repetition.DONE);
        }
    }

    @Test
    void givesUpAtOnceWhenTheHintIsLongerThanTheTimeLeft() {
        Run run = new Run(builder().maxDuration(Duration.ofSeconds(5)).build());
        Hinted failure = new Hinted(Duration.ofSeconds(10));
        assertThat(run.call(attempt -> failure)).isSameAs(failure);
        assertThat(run.elapsed()).isZero();
        assertThat(run.reason()).isEqualTo(TIME_EXHAUSTED);
    }

    @Test
    void measuresElapsedTimeOnlyIfThatIsLimited() {
        assertThat(builder().build().measuresElapsed()).isFalse();
        assertThat(builder().maxDuration(ms(1)).build().measuresElapsed()).isTrue();
    }

    // ---------------- budget

    @Test
    void boundsTheLoadOnADependencyThatFailsAltogether() {
        Budget budget = budget(0.2, 0.3);
        Retry retry =
                builder().attempts(4).budget(budget).backoff(Backoff.none()).build();
        List<Event> gaveUp = new ArrayList<>();
        retry.events().subscribe(Event.RetryGaveUp.class, gaveUp::add);
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += new Run(retry).attemptsOf(FAILURE);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 3);
        assertThat(gaveUp)
                .hasSize(1000)
                .filteredOn(each -> ((Event.RetryGaveUp) each).reason() == BUDGET_EXHAUSTED)
                .hasSizeGreaterThan(800);
    }

    @Test
    void boundsTheLoadByDefault() {
        Retry retry = builder().backoff(Backoff.none()).build();
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += new Run(retry).attemptsOf(FAILURE);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 100);
    }

    @Test
    void boundsNestedRetriesTogetherWhenTheyShareABudget() {
        Budget budget = budget(0.2, 0.3);
        Retry outermost = builder().budget(budget).backoff(Backoff.none()).build();
        List<Retry> inner = IntStream.range(0, 3)
                .mapToObj(i -> builder()
                        .budget(budget.spendOnly())
                        .backoff(Backoff.none())
                        .build())
                .toList();
        int attempts = 0;
        for (int call = 0; call < 1000; call++) {
            attempts += nested(outermost, inner);
        }
        assertThat(attempts).isEqualTo(1000 + 200 + 3);
    }

    private int nested(Retry retry, List<Retry> inner) {
        int[] attempts = {0};
        new Run(retry).call(attempt -> {
            attempts[0] += inner.isEmpty() ? 1 : nested(inner.get(0), inner.subList(1, inner.size()));
            return FAILURE;
        });
        return attempts[0];
    }

    @Test
    void endsWithTheLastFailureWhenTheBudgetIsExhausted() {
        Run run = new Run(builder().budget(budget(0, 0.1)).attempts(10).build());
        assertThat(run.failing()).isSameAs(FAILURE);
        assertThat(run.attempts).isEqualTo(2);
        assertThat(run.reason()).isEqualTo(BUDGET_EXHAUSTED);
    }

    @Test
    void spendsNothingOnAttemptsThatAreNotMade() {
        Budget budget = budget(0, 0.5);
        Retry retry = builder()
                .budget(budget)
                .maxDuration(ms(1))
                .backoff(Backoff.fixed(ms(5)))
                .build();
        new Run(retry).attemptsOf(FAILURE);
        new Run(retry).attemptsOf(new InterruptedException());
        new Run(builder().budget(budget).attempts(1).build()).attemptsOf(FAILURE);
        assertThat(budget.available()).isEqualTo(5);
    }

    @Test
    void retriesWithoutABudgetIfToldSo() {
        Retry retry = builder().noBudget().attempts(500).backoff(Backoff.none()).build();
        assertThat(new Run(retry).attemptsOf(FAILURE)).isEqualTo(500);
        assertThat(retry.budget()).isEmpty();
    }

    @Test
    void givesItsBudgetBackAndStopsWhenTheWaitIsInterrupted() {
        Budget budget = budget(0, 0.5);
        Run run =
                new Run(builder().budget(budget).retryOnResult(Objects::isNull).build());
        run.interruptedAt = 1;
        assertThat(run.call(attempt -> null)).isEqualTo("interrupted");
        assertThat(run.attempts).isEqualTo(1);
        assertThat(run.reason()).isEqualTo(CANCELLED);
        assertThat(budget.available()).isEqualTo(5);
    }

    @Test
    void givesNothingBackWithoutABudget() {
        Run run = new Run(builder().noBudget().build());
        run.interruptedAt = 1;
        assertThat(run.failing()).isEqualTo("interrupted");
        assertThat(run.reason()).isEqualTo(CANCELLED);
    }

    // ---------------- events

    @Test
    void tellsEveryAttemptAndTheEnd() {
        Run run = new Run(
                builder().name("billing").backoff(Backoff.exponential(ms(100))).build());
        run.failing();
        assertThat(run.events).hasSize(3);
        Event.RetryScheduled first = (Event.RetryScheduled) run.events.get(0);
        assertThat(first.name()).isEqualTo("billing");
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.delayNanos()).isEqualTo(ms(100).toNanos());
        assertThat(first.error()).isSameAs(FAILURE);
        Event.RetryScheduled second = (Event.RetryScheduled) run.events.get(1);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.stamp().nanos() - first.stamp().nanos()).isEqualTo(ms(100).toNanos());
        Event.RetryGaveUp last = (Event.RetryGaveUp) run.events.get(2);
        assertThat(last.attempts()).isEqualTo(3);
        assertThat(last.reason()).isEqualTo(ATTEMPTS_EXHAUSTED);
    }

    @Test
    void endsEveryCallThatIsNotGoodWithExactlyOneEvent() {
        Retry retry =
                builder().noBudget().attempts(2).retryOnResult(Objects::isNull).build();
        List<Event> gaveUp = new ArrayList<>();
        retry.events().subscribe(Event.RetryGaveUp.class, gaveUp::add);
        Object[] outcomes = {
            FAILURE, new StackOverflowError(), new InterruptedException(), new Refused(-1), null, "good"
        };
        for (Object outcome : outcomes) {
            new Run(retry).call(attempt -> outcome);
        }
        assertThat(gaveUp).hasSize(outcomes.length - 1);
    }

    @Test
    void describesItself() {
        assertThat(Retry.withDefaults().describe())
                .isEqualTo("3 attempts; exponential from PT0.1S by 2.0, at most PT30S, full jitter; "
                        + "hints followed up to PT1M; "
                        + "budget of 20 % of the calls of the last PT10S plus 10 per second");
        assertThat(builder()
                        .unlimitedAttempts()
                        .maxDuration(Duration.ofSeconds(5))
                        .backoff(Backoff.none())
                        .retryAfterCap(Duration.ZERO)
                        .noBudget()
                        .build()
                        .describe())
                .isEqualTo("unlimited attempts within PT5S; no delay; hints ignored; no budget");
        assertThat(Retry.ofAttempts(7).attempts()).isEqualTo(7);
        assertThat(builder().name("billing").build()).hasToString("retry 'billing'");
    }

    // ---------------- helpers

    private Retry.Builder builder() {
        return Retry.builder().time(time.time());
    }

    private Budget budget(double ratio, double minPerSecond) {
        return Budget.builder()
                .time(time.time())
                .ratio(ratio)
                .minPerSecond(minPerSecond)
                .build();
    }

    private Attempt attempt(int number, Throwable error) {
        return new Attempt(number, 0, time.nanos(), 0, Long.MAX_VALUE, null, error);
    }

    private Attempt attempt(int number, Throwable error, Duration remaining) {
        return new Attempt(number, 0, time.nanos(), 0, remaining.toNanos(), null, error);
    }

    private static RandomGenerator always(double value) {
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

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneakyThrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** One call through a retry, driven as the engine does it; a {@link Throwable} that the body answers counts as thrown. */
    private final class Run {

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

    private interface Body {
        @Nullable Object attempt(int number) throws Exception;
    }

    private static final class Hinted extends IllegalStateException implements HasRetryAfter {
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

    private static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused(long retryAfterNanos) {
            super("limiter", "pipeline", "refused", retryAfterNanos, null);
        }
    }

    private static final class Response implements HasRetryAfter {
        private final int status;
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
