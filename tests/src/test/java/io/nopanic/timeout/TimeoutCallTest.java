package io.nopanic.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.Event;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls under a timeout. */
@org.junit.jupiter.api.Timeout(value = 60, threadMode = org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD)
class TimeoutCallTest {

    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Duration REAL_LIMIT = Duration.ofSeconds(30);

    private final VirtualTime time = VirtualTime.manual();
    private final Bulkhead bulkhead = Bulkhead.of(1);
    private final List<Event> events = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aBlockingCallIsInterruptedAndItsFlagIsCleanAfterwards() {
        Pipeline pipeline = Pipeline.of(told(builder().build()), bulkhead);
        CountDownLatch never = new CountDownLatch(1);
        Future<Boolean> caller = threads.submit(() -> {
            assertThatThrownBy(() -> pipeline.call(() -> {
                        never.await();
                        return "never";
                    }))
                    .isInstanceOfSatisfying(
                            TimeoutExceededException.class,
                            e -> assertThat(e.timeout()).isEqualTo(LIMIT));
            return Thread.currentThread().isInterrupted();
        });
        expireOnceInUse();
        assertThat(caller).succeedsWithin(REAL_LIMIT).isEqualTo(false);
        assertThat(bulkhead.inUse()).isZero();
        assertThat(events).hasSize(1).allSatisfy(event -> assertThat(event).isInstanceOf(Event.TimedOut.class));
    }

    @Test
    void aCallThatEndedInTimeIsNeverInterruptedLater() throws Exception {
        Pipeline pipeline = Pipeline.of(told(builder().build()));
        assertThat(pipeline.<String>call(() -> "in time")).isEqualTo("in time");
        assertThat(time.pendingTimers()).isZero();
        time.advance(LIMIT);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void anAbandonedCallIsAnsweredInTimeAndHoldsItsPermitUntilItEnds() {
        Timeout timeout = told(builder().abandon().build());
        Pipeline pipeline = Pipeline.of(timeout, bulkhead);
        CountDownLatch end = new CountDownLatch(1);
        Future<String> caller = threads.submit(() -> pipeline.call(() -> {
            awaitIgnoringInterrupts(end);
            return "too late";
        }));
        time.awaitParked(1);
        expireOnceInUse();
        assertThatThrownBy(() -> caller.get(REAL_LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutExceededException.class);
        assertThat(bulkhead.inUse()).as("while the code still runs").isEqualTo(1);
        assertThat(timeout.stuck()).isEqualTo(1);
        assertThat(events).hasSize(1);
        end.countDown();
        awaitIdle();
        while (timeout.stuck() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void anAbandonedCallIsInterruptedSoThatItsThreadServesOthers() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        Pipeline pipeline = Pipeline.of(builder().abandonOn(one).build(), bulkhead);
        CountDownLatch never = new CountDownLatch(1);
        Future<String> first = threads.submit(() -> pipeline.call(() -> {
            never.await();
            return "never";
        }));
        time.awaitParked(1);
        expireOnceInUse();
        assertThatThrownBy(() -> first.get(REAL_LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutExceededException.class);
        awaitIdle();
        Future<String> second = threads.submit(() -> pipeline.call(() -> "next"));
        assertThat(second).succeedsWithin(REAL_LIMIT).isEqualTo("next");
        one.shutdownNow();
    }

    @Test
    void anExecutorThatRefusesEndsTheCallWithItsException() {
        RejectedExecutionException refusal = new RejectedExecutionException("the pool is full");
        Timeout timeout = builder()
                .abandonOn(task -> {
                    throw refusal;
                })
                .build();
        assertThatThrownBy(() -> Pipeline.of(timeout, bulkhead).call(() -> "never"))
                .isSameAs(refusal);
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void aStageFailsInTimeAndItsSourceIsCancelled() {
        Pipeline pipeline = Pipeline.of(told(builder().build()), bulkhead);
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> source);
        time.advance(LIMIT.minusNanos(1));
        assertThat(call).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeoutExceededException.class);
        assertThat(source).isCancelled();
        assertThat(bulkhead.inUse()).isZero();
        assertThat(events).hasSize(1);
    }

    @Test
    void aStageThatCannotBeCancelledHoldsItsPermitUntilItEnds() {
        Pipeline pipeline = Pipeline.of(builder().build(), bulkhead);
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<String> call = pipeline.callAsync(() -> stubborn);
        time.advance(LIMIT);
        assertThat(call).isCompletedExceptionally();
        assertThat(bulkhead.inUse()).isEqualTo(1);
        stubborn.complete("too late");
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void theCodesOwnTimeoutComesOutAsItIs() {
        TimeoutException own = new TimeoutException("of the driver");
        Pipeline pipeline = Pipeline.of(told(builder().build()));
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThatThrownBy(pipeline.callAsync(() -> CompletableFuture.failedFuture(own))::join)
                .hasCause(own);
        assertThat(events).isEmpty();
    }

    @Test
    void theShortestAndTheLongestTimeoutsWork() throws Exception {
        Pipeline longest = Pipeline.of(Timeout.builder()
                .time(time.time())
                .after(Duration.ofSeconds(Long.MAX_VALUE))
                .build());
        assertThat(longest.<String>call(() -> "value")).isEqualTo("value");
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = Pipeline.of(Timeout.builder()
                        .time(time.time())
                        .after(Duration.ofNanos(1))
                        .build())
                .callAsync(() -> source);
        assertThat(call).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(call).isCompletedExceptionally();
    }

    private Timeout.Builder builder() {
        return Timeout.builder().name("attempt").time(time.time()).after(LIMIT);
    }

    private Timeout told(Timeout timeout) {
        timeout.events().subscribe(events::add);
        return timeout;
    }

    private void expireOnceInUse() {
        while (bulkhead.inUse() == 0) {
            Thread.onSpinWait();
        }
        time.advance(LIMIT);
    }

    private void awaitIdle() {
        while (bulkhead.inUse() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void awaitIgnoringInterrupts(CountDownLatch end) {
        boolean ended = false;
        while (!ended) {
            try {
                end.await();
                ended = true;
            } catch (InterruptedException ignored) {
                // As code does that knows no interrupts.
            }
        }
    }
}
