package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulkheads in pipelines, with blocking calls, stages that are already complete and stages that are pending. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BulkheadCallTest {

    private static final Duration MAX_WAIT = Duration.ofMillis(20);

    private final VirtualTime time = VirtualTime.manual();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void guardsCallsOfEveryKind() throws Exception {
        Bulkhead bulkhead = bulkhead(1, 0);
        Pipeline pipeline = Pipeline.of(bulkhead);
        assertThat(pipeline.<Integer>call(bulkhead::inUse)).isEqualTo(1);
        CompletableFuture<Integer> complete =
                pipeline.callAsync(() -> CompletableFuture.completedFuture(bulkhead.inUse()));
        assertThat(complete).isCompletedWithValue(1);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> pending);
        assertThat(bulkhead.inUse()).isEqualTo(1);
        pending.complete("late");
        assertThat(call).isCompletedWithValue("late");
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void blockingAndAsynchronousCallsOfTwoPipelinesShareOneCapacity() {
        Bulkhead bulkhead = bulkhead(2, 0);
        Pipeline orders = Pipeline.of(bulkhead);
        Pipeline prices = Pipeline.of(bulkhead);
        Future<String> blocking = threads.submit(() -> orders.call(() -> waitIn(orders)));
        time.awaitParked(1);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> call = prices.callAsync(() -> pending);
        assertThat(bulkhead.inUse()).isEqualTo(2);

        AtomicInteger started = new AtomicInteger();
        assertThatThrownBy(() -> prices.call(started::incrementAndGet)).isInstanceOf(BulkheadFullException.class);
        assertThat(orders.callAsync(() -> CompletableFuture.completedFuture(started.incrementAndGet())))
                .isCompletedExceptionally();
        assertThat(started).hasValue(0);
        pending.complete("done");
        assertThat(call).isCompleted();
        assertThat(bulkhead.available()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(blocking).succeedsWithin(Duration.ofSeconds(30));
        assertThat(bulkhead.available()).isEqualTo(2);
    }

    @Test
    void aThreadWaitsUntilAPermitIsHandedToIt() throws Exception {
        Bulkhead bulkhead = bulkhead(1, 1);
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        Future<Integer> waiter = threads.submit(() -> pipeline.call(bulkhead::inUse));
        time.awaitParked(1);
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(waiter.get()).isEqualTo(1);
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void aThreadWhoseWaitIsOverIsRefusedAndTakesNoPermitLater() {
        Bulkhead bulkhead = bulkhead(1, 1);
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        Future<String> waiter = threads.submit(() -> pipeline.call(() -> "never"));
        time.awaitParked(1);
        time.advance(MAX_WAIT);
        assertThatThrownBy(waiter::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BulkheadFullException.class, e -> assertThat(e.waited()).isEqualTo(MAX_WAIT));
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(bulkhead.available()).isEqualTo(1);
        assertThat(bulkhead.queued()).isZero();
    }

    @Test
    void anInterruptedThreadLeavesTheQueue() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        Thread waiter = new Thread(() -> seen.complete(failureOf(() -> pipeline.call(() -> "never"))));
        waiter.start();
        time.awaitParked(1);
        CompletableFuture<String> next = pipeline.callAsync(() -> CompletableFuture.completedFuture("next"));
        assertThat(bulkhead.queued()).isEqualTo(2);
        waiter.interrupt();
        assertThat(seen).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(InterruptedException.class);
        assertThat(bulkhead.queued()).isEqualTo(1);
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(next).isCompletedWithValue("next");
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aStageWaitsAndIsRefusedWhenItsWaitIsOver() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        AtomicInteger started = new AtomicInteger();
        CompletableFuture<Integer> first =
                pipeline.callAsync(() -> CompletableFuture.completedFuture(started.incrementAndGet()));
        time.advance(MAX_WAIT.dividedBy(2));
        CompletableFuture<Integer> second =
                pipeline.callAsync(() -> CompletableFuture.completedFuture(started.incrementAndGet()));
        time.advance(MAX_WAIT.dividedBy(2));
        assertThat(failureOf(first)).isInstanceOf(BulkheadFullException.class);
        assertThat(second).isNotDone();
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(second).isCompletedWithValue(1);
        assertThat(bulkhead.available()).isEqualTo(1);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aCancelledStageLeavesTheQueueAndNeverStarts() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        AtomicInteger started = new AtomicInteger();
        CompletableFuture<Integer> cancelled =
                pipeline.callAsync(() -> CompletableFuture.completedFuture(started.incrementAndGet()));
        cancelled.cancel(true);
        assertThat(bulkhead.queued()).isZero();
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(started).hasValue(0);
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aCancelledCallKeepsItsPermitUntilItsStageHasEnded() {
        Bulkhead bulkhead = bulkhead(1, 0);
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<String> call = Pipeline.of(bulkhead).callAsync(() -> stubborn);
        call.cancel(true);
        assertThatThrownBy(call::join).isInstanceOf(CancellationException.class);
        assertThat(bulkhead.inUse()).isEqualTo(1);
        stubborn.complete("at last");
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void aTimeoutAroundItEndsTheWaitForAPermit() {
        Bulkhead bulkhead = Bulkhead.builder()
                .time(time.time())
                .maxConcurrent(1)
                .maxQueued(1)
                .build();
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = Pipeline.of(bulkhead).callAsync(() -> pending);
        Pipeline hasty = Pipeline.of(io.nopanic.timeout.Timeout.of(Duration.ofMillis(5)), bulkhead);
        CompletableFuture<String> waiter = hasty.callAsync(() -> CompletableFuture.completedFuture("never"));
        assertThat(bulkhead.queued()).isEqualTo(1);
        time.advance(Duration.ofMillis(5));
        assertThat(failureOf(waiter)).isInstanceOf(io.nopanic.outcome.TimeoutExceededException.class);
        assertThat(bulkhead.queued()).isZero();
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void getsThePermitBackWhenAnExecutorRefusesTheCall() {
        Bulkhead bulkhead = bulkhead(1, 0);
        Pipeline pipeline = Pipeline.of(bulkhead);
        for (Throwable refusal : List.of(
                new RejectedExecutionException("the pool is full"),
                new OutOfMemoryError("unable to create native thread"))) {
            CompletableFuture<String> call = pipeline.submit(() -> "never", task -> sneak(refusal));
            assertThat(failureOf(call)).isSameAs(refusal);
            assertThat(bulkhead.available()).isEqualTo(1);
        }
    }

    @Test
    void aHundredThousandQueuedStagesThatCompleteAtOnceNeedNoStack() {
        int waiters = 100_000;
        Bulkhead bulkhead = Bulkhead.builder()
                .time(time.time())
                .maxConcurrent(1)
                .maxQueued(waiters)
                .build();
        Pipeline pipeline = Pipeline.of(bulkhead);
        CompletableFuture<String> pending = new CompletableFuture<>();
        CompletableFuture<String> holder = pipeline.callAsync(() -> pending);
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            int number = i;
            calls.add(pipeline.callAsync(() -> CompletableFuture.completedFuture(number)));
        }
        assertThat(bulkhead.queued()).isEqualTo(waiters);
        assertThat(time.pendingTimers())
                .as("a wait without limit needs no timer")
                .isZero();
        pending.complete("done");
        assertThat(holder).isCompleted();
        assertThat(calls).allSatisfy(call -> assertThat(call).isCompleted());
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void growingStartsStagesThatWait() {
        Bulkhead bulkhead = bulkhead(1, 3);
        Pipeline pipeline = Pipeline.of(bulkhead);
        List<CompletableFuture<String>> calls = new ArrayList<>();
        AtomicInteger started = new AtomicInteger();
        CompletableFuture<String> pending = new CompletableFuture<>();
        for (int i = 0; i < 4; i++) {
            calls.add(pipeline.callAsync(() -> {
                started.incrementAndGet();
                return pending;
            }));
        }
        assertThat(started).hasValue(1);
        bulkhead.resize(3, 3);
        assertThat(started).hasValue(3);
        pending.complete("done");
        assertThat(calls).allSatisfy(call -> assertThat(call).isCompletedWithValue("done"));
        assertThat(bulkhead.inUse()).isZero();
    }

    private Bulkhead bulkhead(int maxConcurrent, int maxQueued) {
        return Bulkhead.builder()
                .time(time.time())
                .maxConcurrent(maxConcurrent)
                .maxQueued(maxQueued)
                .maxWait(MAX_WAIT)
                .build();
    }

    private String waitIn(Pipeline pipeline) {
        time.time().park(pipeline, Duration.ofSeconds(1).toNanos());
        return "done";
    }

    private static Throwable failureOf(CompletableFuture<?> call) {
        assertThat(call).isCompletedExceptionally();
        return failureOf(call::join).getCause();
    }

    private static Throwable failureOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable code) {
        return org.assertj.core.api.Assertions.catchThrowable(code);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
