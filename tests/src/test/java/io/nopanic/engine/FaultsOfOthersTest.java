package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Outcome;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Substitute;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import io.nopanic.timeout.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What code of others does - executors, clocks, stages, listeners, one policy inside another - must not break a call. */
@org.junit.jupiter.api.Timeout(60)
class FaultsOfOthersTest {

    private final VirtualTime time = VirtualTime.create();

    private Pipeline pipeline(Policy... policies) {
        Pipeline.Builder builder = Pipeline.builder().time(time.time());
        for (Policy policy : policies) {
            builder.with(policy);
        }
        return builder.build();
    }

    private static Retry retry(int attempts) {
        return Retry.builder()
                .attempts(attempts)
                .backoff(Backoff.none())
                .noBudget()
                .build();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRetryInsideAnotherBeginsAnewEachTime(Mode mode) {
        ScriptedDependency dependency = ScriptedDependency.on(time).thenFail();
        Guarded service = mode.guard(pipeline(retry(2), retry(3)), time, dependency);
        assertThat(service.call().succeeded()).isFalse();
        assertThat(dependency.calls()).isEqualTo(6);
    }

    @Test
    void callsGoOnWhenTheirExecutorRefusesAndNeverOnTheTimersThread() throws Exception {
        for (java.util.concurrent.Executor executor : List.<java.util.concurrent.Executor>of(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                Runnable::run)) {
            AtomicReference<String> thread = new AtomicReference<>();
            AtomicInteger attempts = new AtomicInteger();
            Pipeline pipeline = Pipeline.builder()
                    .with(Retry.builder()
                            .attempts(2)
                            .backoff(Backoff.fixed(Duration.ofMillis(1)))
                            .build())
                    .executor(executor)
                    .build();
            CompletableFuture<String> call = pipeline.callAsync(() -> {
                thread.set(Thread.currentThread().getName());
                return attempts.incrementAndGet() == 1
                        ? CompletableFuture.failedFuture(new IOException())
                        : CompletableFuture.completedFuture("ok");
            });
            assertThat(call.get()).isEqualTo("ok");
            assertThat(thread.get()).isNotEqualTo("nopanic-timer");
        }
    }

    @Test
    void aTaskThatItsExecutorAcceptedAndThenThrewForRunsOnce() throws Exception {
        List<Runnable> accepted = new CopyOnWriteArrayList<>();
        Resumer resumer = new Resumer(task -> {
            accepted.add(task);
            throw new OutOfMemoryError("unable to create native thread");
        });
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        resumer.execute(() -> {
            runs.incrementAndGet();
            ran.countDown();
        });
        ran.await();
        accepted.forEach(Runnable::run);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aCallThatItsExecutorAcceptedAndThenThrewForGivesItsPermitBackOnce() throws Exception {
        List<Runnable> accepted = new CopyOnWriteArrayList<>();
        Bulkhead bulkhead = Bulkhead.of(1);
        AtomicInteger attempts = new AtomicInteger();
        Pipeline pipeline = Pipeline.builder()
                .time(time.time())
                .with(bulkhead)
                .with(Retry.builder()
                        .attempts(2)
                        .backoff(Backoff.fixed(Duration.ofMillis(1)))
                        .build())
                .executor(task -> {
                    accepted.add(task);
                    throw new OutOfMemoryError("unable to create native thread");
                })
                .build();
        CompletableFuture<String> call = pipeline.callAsync(() -> {
            int attempt = attempts.incrementAndGet();
            if (attempt == 1) {
                return CompletableFuture.failedFuture(new IOException());
            }
            if (attempt == 2) {
                accepted.forEach(Runnable::run);
            }
            return CompletableFuture.completedFuture("ok");
        });
        time.advance(Duration.ofMillis(1));
        assertThat(call.get()).isEqualTo("ok");
        assertThat(attempts).hasValue(2);
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void codeThatHasBegunAnswersForItselfThoughItsExecutorThrew() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ThreadTask<String> task = ThreadTask.start(
                () -> {
                    begun.countDown();
                    await(end);
                    return "own";
                },
                code -> {
                    new Thread(code).start();
                    await(begun);
                    throw new OutOfMemoryError("unable to create native thread");
                });
        boolean answeredEarly = task.isDone();
        end.countDown();
        assertThat(task.get()).isEqualTo("own");
        assertThat(answeredEarly).isFalse();
    }

    @Test
    void codeThatWasRefusedNeverBegins() {
        List<Runnable> accepted = new ArrayList<>();
        AtomicInteger runs = new AtomicInteger();
        ThreadTask<Integer> task = ThreadTask.start(runs::incrementAndGet, code -> {
            accepted.add(code);
            throw new OutOfMemoryError("unable to create native thread");
        });
        assertThat(task).isCompletedExceptionally();
        accepted.forEach(Runnable::run);
        assertThat(runs).hasValue(0);
    }

    /** A thread on which its so manieth look-up fails, as for lack of stack or memory. */
    private static final class FragileThread extends Thread {

        private final AtomicInteger lookUpsLeft = new AtomicInteger();

        FragileThread(Runnable code) {
            super(code);
        }

        static void run(int failingLookUp, Runnable code) throws InterruptedException {
            FragileThread thread = new FragileThread(code);
            thread.lookUpsLeft.set(failingLookUp);
            thread.start();
            thread.join();
        }

        @Override
        public int hashCode() {
            if (lookUpsLeft.getAndDecrement() == 1) {
                throw new OutOfMemoryError("Java heap space");
            }
            return super.hashCode();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aCallThatCannotBeHandedOverWhenItIsWokenGoesOnWhenItIsWokenAgain(int failingLookUp) throws Exception {
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(1).maxQueued(1).build();
        Pipeline pipeline = pipeline(bulkhead);
        CompletableFuture<String> holder = new CompletableFuture<>();
        pipeline.callAsync(() -> holder);
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> waiting = pipeline.callAsync(() -> source);
        FragileThread.run(failingLookUp, () -> holder.complete("done"));
        waiting.cancel(true);
        assertThat(bulkhead.queued()).isZero();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aRefreshThatCannotBeHandedOverHasEnded() throws Exception {
        Stubs.Instead instead =
                new Stubs.Instead(() -> new Substitute.Refresh("stale", "load"), (result, error) -> null);
        Pipeline pipeline = pipeline(instead);
        FragileThread.run(1, () -> pipeline.callAsync(CompletableFuture::new));
        assertThat(instead.tokens).containsExactly("load");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aThreadThatFailedWhileItHandedOverHandsOverWhatComesLater(int failingLookUp) throws Exception {
        Resumer resumer = new Resumer(Runnable::run);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        FragileThread.run(failingLookUp, () -> {
            try {
                resumer.execute(first::incrementAndGet);
            } catch (OutOfMemoryError noMemory) {
                thrown.incrementAndGet();
            }
            resumer.execute(later::incrementAndGet);
        });
        assertThat(first.get() + thrown.get()).as("run, or thrown for").isEqualTo(1);
        assertThat(later).hasValue(1);
    }

    @Test
    void codeThatGoesOnOnTheThreadThatWokeItHoldsUpNoOtherThread() throws Exception {
        Resumer resumer = new Resumer(Runnable::run);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> resumer.execute(() -> {
            begun.countDown();
            await(end);
        }));
        begun.await();
        AtomicReference<Thread> other = new AtomicReference<>();
        resumer.execute(() -> other.set(Thread.currentThread()));
        Thread ranOn = other.get();
        end.countDown();
        slow.get();
        assertThat(ranOn).isEqualTo(Thread.currentThread());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void callsThatWakeEachOtherOnOneThreadDoNotPileUpOnItsStack() {
        Resumer resumer = new Resumer(Runnable::run);
        AtomicInteger woken = new AtomicInteger();
        resumer.execute(new Runnable() {
            @Override
            public void run() {
                if (woken.incrementAndGet() < 100_000) {
                    resumer.execute(this);
                }
            }
        });
        assertThat(woken).hasValue(100_000);
    }

    @Test
    void aStageThatThrowsWhenCancelledStopsNothing() {
        Bulkhead bulkhead = Bulkhead.of(1);
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletionStage<String> rude = new CompletableFuture<String>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                throw new IllegalStateException("no");
            }
        };
        source.whenComplete((value, error) -> rude.toCompletableFuture().complete(value));
        CompletableFuture<String> call =
                pipeline(Timeout.of(Duration.ofSeconds(1)), bulkhead).callAsync(() -> rude);
        time.advance(Duration.ofSeconds(1));
        assertThat(call).isCompletedExceptionally();
        assertThat(bulkhead.inUse()).isEqualTo(1);
        source.complete("late");
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void aWaitThatCannotBeTimedLeavesItsPlaceInLine() {
        Time broken = Time.of(
                        time::nanos,
                        (delayNanos, action) -> {
                            throw new OutOfMemoryError("unable to create native thread");
                        },
                        (blocker, nanos) -> {
                            throw new StackOverflowError();
                        },
                        () -> Instant.EPOCH)
                .withExecutor(Runnable::run);
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(5)
                .maxWait(Duration.ofSeconds(1))
                .build();
        Pipeline pipeline = Pipeline.builder().with(bulkhead).time(broken).build();
        CompletableFuture<String> holder = new CompletableFuture<>();
        pipeline.callAsync(() -> holder);
        assertThatThrownBy(() -> pipeline.callAsync(() -> CompletableFuture.completedFuture("x"))
                        .join())
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> pipeline.call(() -> "x")).isInstanceOf(StackOverflowError.class);
        assertThat(bulkhead.queued()).isZero();
        holder.complete("done");
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aLoserIsCancelledAndATimeoutToldBeforeTheCallersContinuationRuns() {
        List<CompletableFuture<String>> sources = new ArrayList<>();
        List<Boolean> cancelledThen = new ArrayList<>();
        pipeline(new Stubs.Copies(1, 1_000_000))
                .callAsync(() -> {
                    sources.add(new CompletableFuture<>());
                    return sources.get(sources.size() - 1);
                })
                .thenAccept(value -> cancelledThen.add(sources.get(0).isCancelled()));
        time.advance(Duration.ofMillis(1));
        sources.get(1).complete("hedge");
        Stubs.Limit limit = new Stubs.Limit(1_000_000);
        CompletableFuture<String> slow = new CompletableFuture<>();
        pipeline(limit).callAsync(() -> slow).whenComplete((value, error) -> {
            cancelledThen.add(slow.isCancelled());
            cancelledThen.add(limit.timeouts.get() == 1);
        });
        time.advance(Duration.ofMillis(1));
        assertThat(cancelledThen).containsExactly(true, true, true);
    }

    @Test
    void aBlockingCallThatWaitedForAnothersAnswerBeginsWhenItsWaitIsOver() throws Exception {
        CompletableFuture<Substitute> signal = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        Stubs.Instead instead = new Stubs.Instead(
                () -> asked.getAndIncrement() == 0 ? new Substitute.AskAgain(signal) : null, (result, error) -> null);
        CircuitBreaker breaker = CircuitBreaker.builder()
                .time(time.time())
                .slowAfter(Duration.ofSeconds(1))
                .build();
        time.time().schedule(Duration.ofSeconds(2).toNanos(), () -> signal.complete(null));
        assertThat(pipeline(instead, breaker).<String>call(() -> "own")).isEqualTo("own");
        assertThat(breaker.snapshot().counts().slow()).isZero();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
    }

    @Test
    void aThrowingSourceOfRandomNumbersLeavesTheBreakerWorking() {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .time(time.time())
                .consecutiveFailures(1)
                .openFor(Duration.ofSeconds(10))
                .openJitter(0.5)
                .random(() -> {
                    throw new IllegalStateException("no entropy");
                })
                .build();
        ScriptedDependency dependency = ScriptedDependency.on(time).fail(2).thenSucceed("ok");
        Guarded service = Mode.BLOCKING.guard(Pipeline.of(breaker), time, dependency);
        service.call();
        assertThat(breaker.snapshot().retryAfter()).contains(Duration.ofSeconds(10));
        service.callAfter(Duration.ofSeconds(10));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(service.callAfter(Duration.ofSeconds(10)).value()).isEqualTo("ok");
    }

    @Test
    void jitterKeepsWithinTheCap() {
        for (double random : new double[] {0, 0.5, 0.999}) {
            CircuitBreaker breaker = CircuitBreaker.builder()
                    .time(time.time())
                    .consecutiveFailures(1)
                    .openFor(Duration.ofSeconds(60))
                    .openGrowth(2, Duration.ofSeconds(60))
                    .openJitter(0.5)
                    .random(() -> (long) (random * (1L << 53)) << 11)
                    .build();
            Mode.BLOCKING
                    .guard(
                            Pipeline.of(breaker),
                            time,
                            ScriptedDependency.on(time).thenFail())
                    .call();
            assertThat(breaker.snapshot().retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
        }
    }

    @Test
    void namingExceptionAsAFailureDoesNotHoldRefusalsAndCancellationsAgainstTheDependency() {
        Classifier general = Classifier.builder()
                .failOn(Exception.class)
                .failIf(error -> true)
                .build();
        Classifier named =
                Classifier.builder().failOn(CancellationException.class).build();
        CircuitBreaker open = CircuitBreaker.builder().build();
        open.forceOpen();
        Throwable refusal = null;
        try {
            Pipeline.of(open).admit();
        } catch (Exception e) {
            refusal = e;
        }
        assertThat(general.ofError(new CompletionException(refusal))).isEqualTo(Outcome.IGNORED);
        assertThat(general.ofError(new CancellationException())).isEqualTo(Outcome.CANCELLED);
        assertThat(general.ofError(new InterruptedException())).isEqualTo(Outcome.CANCELLED);
        assertThat(general.ofError(new AssertionError())).isEqualTo(Outcome.FAILURE);
        assertThat(named.ofError(new CancellationException())).isEqualTo(Outcome.FAILURE);
        assertThat(named.ofError(new IOException())).isEqualTo(Outcome.IGNORED);
    }

    @Test
    void warnsOfABreakerThatSeesHangingCallsOnlyAsCancelled() {
        Timeout outer = Timeout.of(Duration.ofSeconds(1));
        assertThat(pipeline(outer, CircuitBreaker.builder().time(time.time()).build())
                        .warnings())
                .singleElement()
                .asString()
                .contains("look cancelled");
    }

    @Test
    void aFloodOfEventsHoldsNoPublisherAndLosesNothingThatFits() throws Exception {
        Events events = new Events();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(5_000);
        events.subscribe(event -> {
            first.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            all.countDown();
        });
        Event event = new Event.CallSucceeded(new Event.Stamp("x", 0, Instant.EPOCH), 0);
        Thread publisher = new Thread(() -> events.publish(event));
        publisher.start();
        first.await();
        for (int i = 1; i < 5_000; i++) {
            events.publish(event);
        }
        release.countDown();
        publisher.join();
        all.await();
        assertThat(events.dropped()).isZero();
    }

    @Test
    void aSharedExceptionOfAFallbackDoesNotGrow() {
        IllegalStateException shared = new IllegalStateException();
        Stubs.Instead instead = new Stubs.Instead(
                () -> null,
                (result, error) -> new Substitute.Compute(() -> {
                    throw shared;
                }));
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> pipeline(instead).call(() -> {
                        throw new IOException();
                    }))
                    .isSameAs(shared);
        }
        assertThat(shared.getSuppressed()).hasSizeLessThan(10);
    }
}
