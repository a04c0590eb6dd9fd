package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who moves the breaker from one state to another, how often, and who is told. */
@Timeout(60)
class TransitionsTest {

    private static final Duration OPEN = Duration.ofSeconds(10);

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder() {
        return CircuitBreaker.builder().time(time.time()).consecutiveFailures(1).openFor(OPEN);
    }

    private static List<Event.BreakerStateChanged> changes(CircuitBreaker breaker) {
        List<Event.BreakerStateChanged> changes = new ArrayList<>();
        breaker.events().subscribe(Event.BreakerStateChanged.class, changes::add);
        return changes;
    }

    @Test
    void twoThreadsThatSeeTheThresholdMakeOneTransition() throws Exception {
        for (int round = 0; round < 200; round++) {
            CircuitBreaker breaker = builder().consecutiveFailures(1).build();
            List<Event.BreakerStateChanged> changes = changes(breaker);
            Pipeline pipeline = Pipeline.of(breaker);
            List<Permit> calls = List.of(pipeline.admit(), pipeline.admit());
            AtomicInteger next = new AtomicInteger();
            ProbingTest.inParallel(2, () -> calls.get(next.getAndIncrement()).failed(new IOException()));
            assertThat(changes).hasSize(1);
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        }
    }

    @Test
    void askingForTheStateItIsInDoesNothing() {
        CircuitBreaker breaker = builder().build();
        List<Event.BreakerStateChanged> changes = changes(breaker);
        breaker.reset();
        assertThat(changes).isEmpty();
        for (Runnable hand : List.<Runnable>of(breaker::forceOpen, breaker::forceClosed, breaker::reset)) {
            hand.run();
            int before = changes.size();
            hand.run();
            assertThat(changes).hasSize(before);
        }
    }

    @Test
    void aProbeThatFailsIsTheLastFailureInTheEventOfItsTransition() throws Exception {
        CircuitBreaker breaker = builder().build();
        List<Event.BreakerStateChanged> changes = changes(breaker);
        Pipeline pipeline = Pipeline.of(breaker);
        IOException first = new IOException("in a closed breaker");
        pipeline.admit().failed(first);
        time.advance(OPEN);
        IOException second = new IOException("of a probe");
        pipeline.admit().failed(second);
        assertThat(changes).extracting(Event.BreakerStateChanged::lastFailure).containsExactly(first, first, second);
    }

    @Test
    void everyListenerSeesAnUnbrokenChainInOrder() throws Exception {
        CircuitBreaker breaker = builder().openFor(Duration.ofNanos(1)).build();
        List<Event.BreakerStateChanged> one = changes(breaker);
        List<Event.BreakerStateChanged> two = changes(breaker);
        Pipeline pipeline = Pipeline.of(breaker);
        // Fewer events than one publisher delivers in one go, so all have arrived when the threads have ended.
        ProbingTest.inParallel(8, () -> {
            for (int i = 0; i < 60; i++) {
                switch (i % 4) {
                    case 0 -> breaker.forceOpen();
                    case 1 -> breaker.reset();
                    case 2 -> {
                        try {
                            pipeline.admit().failed(new IOException());
                        } catch (CircuitOpenException | InterruptedException refused) {
                            // as it happens
                        }
                    }
                    default -> {
                        time.advance(Duration.ofNanos(1));
                        breaker.state();
                    }
                }
            }
        });
        assertThat(one).isNotEmpty().isEqualTo(two);
        CircuitState state = CircuitState.CLOSED;
        long generation = 0;
        for (Event.BreakerStateChanged change : one) {
            assertThat(change.from()).isEqualTo(state);
            assertThat(change.generation()).isGreaterThan(generation);
            state = change.to();
            generation = change.generation();
        }
    }

    @Test
    void theEventOfATripCarriesTheNumbersThatLedToIt() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .time(time.time())
                .failureRate(0.6)
                .minimumCalls(10)
                .build();
        List<Event.BreakerStateChanged> changes = changes(breaker);
        Pipeline pipeline = Pipeline.of(breaker);
        for (int i = 0; i < 4; i++) {
            pipeline.admit().succeeded(1);
        }
        IOException last = new IOException("last");
        for (int i = 0; i < 6; i++) {
            pipeline.admit().failed(last);
        }
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).counts().failureRate()).isEqualTo(0.6);
        assertThat(changes.get(0).lastFailure()).isSameAs(last);
    }

    @Test
    void aListenerMayUseTheBreakerItListensTo() throws Exception {
        CircuitBreaker breaker = builder().build();
        CircuitBreaker other = builder().build();
        List<CircuitState> seen = new ArrayList<>();
        breaker.events().subscribe(Event.BreakerStateChanged.class, change -> {
            seen.add(breaker.state());
            if (change.to() == CircuitState.OPEN) {
                breaker.reset();
            }
            Pipeline.of(other).get(() -> "through another");
        });
        Pipeline.of(breaker).admit().failed(new IOException());
        assertThat(seen).containsExactly(CircuitState.OPEN, CircuitState.CLOSED);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aListenerThatThrowsChangesNothing(Mode mode) {
        CircuitBreaker breaker = builder().build();
        breaker.events().subscribe(event -> {
            throw new AssertionError("listener");
        });
        Guarded service = mode.guard(
                Pipeline.of(breaker), time, ScriptedDependency.on(time).fail(1).thenSucceed("ok"));
        assertThat(service.call().succeeded()).isFalse();
        assertThat(service.call().error()).isInstanceOf(CircuitOpenException.class);
        assertThat(service.callAfter(OPEN).value()).isEqualTo("ok");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void stepsOfTheWallClockChangeNothing() throws Exception {
        for (Duration step : List.of(Duration.ofHours(-1), Duration.ofHours(1))) {
            CircuitBreaker breaker = builder().openFor(Duration.ofSeconds(1)).build();
            Pipeline pipeline = Pipeline.of(breaker);
            pipeline.admit().failed(new IOException());
            time.jumpWallClock(step);
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
            time.advance(Duration.ofSeconds(1));
            assertThat(pipeline.<String>call(() -> "ok")).isEqualTo("ok");
        }
    }

    @Test
    void anOpenPeriodThatWasEndedByHandPlansNothingForLaterOnes() throws Exception {
        CircuitBreaker breaker = builder().build();
        Pipeline pipeline = Pipeline.of(breaker);
        pipeline.admit().failed(new IOException());
        time.advance(Duration.ofSeconds(5));
        breaker.forceOpen();
        time.advance(Duration.ofSeconds(5));
        assertThat(breaker.state()).isEqualTo(CircuitState.FORCED_OPEN);
        breaker.reset();
        pipeline.admit().failed(new IOException());
        time.advance(Duration.ofSeconds(8));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        time.advance(Duration.ofSeconds(2));
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void callersThatMeetATransitionGetACleanAnswer() throws Exception {
        for (int round = 0; round < 50; round++) {
            CircuitBreaker breaker = builder().build();
            Pipeline pipeline = Pipeline.of(breaker);
            pipeline.admit().failed(new IOException());
            time.advance(OPEN);
            AtomicInteger answers = new AtomicInteger();
            ProbingTest.inParallel(4, () -> {
                try {
                    pipeline.get(() -> "probe");
                } catch (CircuitOpenException refused) {
                    // a clean answer too
                }
                answers.incrementAndGet();
            });
            assertThat(answers).hasValue(4);
            assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyCallIsCountedInExactlyOneOutcome(Mode mode) {
        CircuitBreaker breaker =
                CircuitBreaker.builder().time(time.time()).minimumCalls(1000).build();
        ScriptedDependency dependency = ScriptedDependency.on(time)
                .succeed(50, "ok")
                .fail(25, IOException::new)
                .fail(25, AssertionError::new);
        mode.guard(Pipeline.of(breaker), time, dependency).call(100);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(100);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(50);
    }

    @Test
    void ignoringBeatsFailingWhicheverTypeIsMoreSpecial() {
        record Case(
                Class<? extends Throwable> fail, Class<? extends Throwable> ignore, Throwable thrown, int failures) {}
        for (Case each : List.of(
                new Case(Exception.class, IOException.class, new FileNotFoundException(), 0),
                new Case(FileNotFoundException.class, IOException.class, new FileNotFoundException(), 0),
                new Case(IOException.class, FileNotFoundException.class, new IOException(), 1),
                new Case(IOException.class, FileNotFoundException.class, new FileNotFoundException(), 0),
                new Case(IOException.class, Error.class, new IllegalStateException(), 0))) {
            CircuitBreaker breaker = CircuitBreaker.builder()
                    .time(time.time())
                    .failOn(each.fail)
                    .ignore(each.ignore)
                    .build();
            assertThatThrownBy(() -> Pipeline.of(breaker).call(() -> {
                        throw (Exception) each.thrown;
                    }))
                    .isSameAs(each.thrown);
            assertThat(breaker.snapshot().counts().failures())
                    .as(each.toString())
                    .isEqualTo(each.failures);
        }
    }

    @Test
    void rulesLookThroughWrappersAndLoopsOfThem() {
        CompletionException loop = new CompletionException("loop") {
            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
        record Case(Throwable thrown, int failures) {}
        for (Case each : List.of(
                new Case(new CompletionException(new ExecutionException(new FileNotFoundException())), 0),
                new Case(new ExecutionException(null), 1),
                new Case(new ExecutionException("no cause", null), 1),
                new Case(loop, 1))) {
            CircuitBreaker breaker = CircuitBreaker.builder()
                    .time(time.time())
                    .ignore(IOException.class)
                    .build();
            CompletableFuture<Object> call =
                    Pipeline.of(breaker).callAsync(() -> CompletableFuture.failedFuture(each.thrown));
            assertThat(call).isCompletedExceptionally();
            assertThat(breaker.snapshot().counts().failures())
                    .as(each.toString())
                    .isEqualTo(each.failures);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void nothingOfACallRunsWhileTheBreakerIsOpen(Mode mode) {
        CircuitBreaker breaker = builder().build();
        breaker.forceOpen();
        Guarded service = mode.guard(
                Pipeline.of(breaker), time, ScriptedDependency.on(time).thenSucceed("ok"));
        assertThat(service.call(5)).allMatch(answer -> answer.error() instanceof CircuitOpenException);
        assertThat(service.dependency().calls()).isZero();
    }

    @Test
    void aPredicateThatThrowsLeavesTheCallsOwnOutcome() {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .time(time.time())
                .ignoreIf(error -> {
                    throw new NoClassDefFoundError();
                })
                .build();
        IOException error = new IOException();
        assertThatThrownBy(() -> Pipeline.of(breaker).call(() -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(1);
    }

    @Test
    void aFailureThatCannotTellWhenToComeBackOpensTheBreakerAllTheSame() throws Exception {
        class Broken extends RuntimeException implements io.nopanic.outcome.HasRetryAfter {
            @Override
            public java.util.Optional<Duration> retryAfter() {
                throw new IllegalStateException("no header");
            }
        }
        CircuitBreaker breaker = builder().build();
        Pipeline.of(breaker).admit().failed(new Broken());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(breaker.snapshot().retryAfter()).contains(OPEN);
    }

    @Test
    void refusalsAreNewEachTimeAndTakeNothingAlong() {
        CircuitBreaker breaker = builder().build();
        breaker.forceOpen();
        Pipeline pipeline = Pipeline.of(breaker);
        List<Throwable> refusals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(pipeline::admit).satisfies(refusal -> {
                refusal.addSuppressed(new IOException());
                assertThat(refusal.getSuppressed()).isEmpty();
                assertThat(refusal.getStackTrace()).isEmpty();
                refusals.add(refusal);
            });
        }
        assertThat(refusals).doesNotHaveDuplicates();
    }
}
