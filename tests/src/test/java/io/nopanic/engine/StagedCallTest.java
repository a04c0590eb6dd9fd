package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.engine.Stubs.Again;
import io.nopanic.engine.Stubs.Copies;
import io.nopanic.engine.Stubs.Gate;
import io.nopanic.engine.Stubs.Instead;
import io.nopanic.engine.Stubs.Limit;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Substitute;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StagedCallTest {

    private static final long MS = 1_000_000L;

    private final VirtualTime time = VirtualTime.create();
    private final Gate gate = new Gate();

    private Pipeline pipeline(Policy... policies) {
        Pipeline.Builder builder = Pipeline.builder().name("test").time(time.time());
        for (Policy policy : policies) {
            builder.with(policy);
        }
        return builder.build();
    }

    @Test
    void aPermitIsHeldUntilTheSourceEnds() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> source);
        assertThat(gate.held).hasValue(1);
        assertThat(call).isNotDone();
        source.complete("value");
        assertThat(call).isCompletedWithValue("value");
        assertThat(gate.held).hasValue(0);
    }

    @Test
    void cancellingTheCallCancelsTheSourceAndGivesThePermitBack() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(new Again(3, 0), gate).callAsync(() -> source);
        assertThat(call.cancel(true)).isTrue();
        assertThat(source).isCancelled();
        assertThat(gate.held).hasValue(0);
        assertThat(gate.endings).containsExactly("CancellationException");
    }

    @Test
    void cancellingAfterTheEndChangesNothing() {
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> CompletableFuture.completedFuture("v"));
        assertThat(call.cancel(true)).isFalse();
        assertThat(gate.endings).containsExactly("v");
    }

    @Test
    void aSourceThatCannotBeCancelledHoldsThePermitUntilItEnds() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(gate).callAsync(source::minimalCompletionStage);
        call.cancel(true);
        assertThat(gate.held).hasValue(1);
        source.complete("late");
        assertThat(gate.held).hasValue(0);
        assertThat(gate.endings).containsExactly("late");
    }

    @Test
    void completingTheCallFromOutsideGivesItUp() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> source);
        assertThat(call.complete("mine")).isTrue();
        assertThat(source).isCancelled();
        assertThat(call).isCompletedWithValue("mine");
        assertThat(gate.held).hasValue(0);
    }

    @Test
    void theErrorArrivesUnwrapped() {
        IOException error = new IOException("down");
        CompletableFuture<String> call = pipeline(gate)
                .callAsync(
                        () -> CompletableFuture.failedFuture(new CompletionException(new CompletionException(error))));
        assertThatThrownBy(call::join).hasCause(error);
        assertThat(gate.endings).containsExactly("IOException");
    }

    @Test
    void codeThatThrowsOrReturnsNoStageFailsTheCall() {
        CompletableFuture<String> thrown = pipeline(gate).callAsync(() -> {
            throw new StackOverflowError();
        });
        assertThatThrownBy(thrown::join).hasCauseInstanceOf(StackOverflowError.class);
        CompletableFuture<String> none = pipeline(gate).callAsync(() -> null);
        assertThatThrownBy(none::join).hasCauseInstanceOf(NullPointerException.class);
        assertThat(gate.held).hasValue(0);
        assertThat(gate.endings).containsExactly("StackOverflowError", "NullPointerException");
    }

    @Test
    void aMillionImmediateAttemptsNeedNoStack() {
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException());
        CompletableFuture<String> call = pipeline(new Again(1_000_000, 0)).callAsync(() -> {
            attempts.incrementAndGet();
            return failed;
        });
        assertThat(call).isCompletedExceptionally();
        assertThat(attempts).hasValue(1_000_000);
    }

    @Test
    void attemptsFollowEachOtherAfterTheirDelay() {
        List<Long> moments = new ArrayList<>();
        long startNanos = time.nanos();
        CompletableFuture<String> call = pipeline(new Again(3, 100 * MS)).callAsync(() -> {
            moments.add((time.nanos() - startNanos) / MS);
            return CompletableFuture.failedFuture(new IOException());
        });
        time.advance(Duration.ofMillis(99));
        assertThat(moments).containsExactly(0L);
        time.advance(Duration.ofMillis(1));
        assertThat(moments).containsExactly(0L, 100L);
        time.advance(Duration.ofMillis(100));
        assertThat(moments).containsExactly(0L, 100L, 200L);
        assertThat(call).isCompletedExceptionally();
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void cancellingDuringTheDelayEndsTheAttemptsAndTheTimer() {
        Again again = new Again(3, 100 * MS);
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<String> call = pipeline(again).callAsync(() -> {
            attempts.incrementAndGet();
            return CompletableFuture.failedFuture(new IOException());
        });
        call.cancel(true);
        assertThat(time.pendingTimers()).isZero();
        time.advance(Duration.ofSeconds(10));
        assertThat(attempts).hasValue(1);
        assertThat(again.abandoned).hasValue(1);
    }

    @Test
    void aCallInLineGoesInWhenWoken() {
        gate.setting = Gate.Setting.WAIT;
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> CompletableFuture.completedFuture("in"));
        assertThat(call).isNotDone();
        gate.openAndWake();
        assertThat(call).isCompletedWithValue("in");
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aCallInLineThatIsCancelledLeavesItsPlaceAndNeverRuns() {
        gate.setting = Gate.Setting.WAIT;
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("in");
        });
        call.cancel(true);
        gate.openAndWake();
        time.advance(Duration.ofSeconds(10));
        assertThat(gate.left).hasValue(1);
        assertThat(gate.held).hasValue(0);
        assertThat(runs).hasValue(0);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aRefusedCallIsNotStarted() {
        gate.setting = Gate.Setting.SHUT;
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<String> call = pipeline(gate).callAsync(() -> {
            runs.incrementAndGet();
            return new CompletableFuture<String>();
        });
        assertThatThrownBy(call::join).hasCauseInstanceOf(Stubs.Refusal.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aTimeoutFailsTheCallCancelsTheSourceAndLeavesNoTimer() {
        Limit limit = new Limit(100 * MS);
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(limit, gate).callAsync(() -> source);
        time.advance(Duration.ofMillis(99));
        assertThat(call).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThatThrownBy(call::join).hasCauseInstanceOf(TimeoutExceededException.class);
        assertThat(source).isCancelled();
        assertThat(gate.held).hasValue(0);
        assertThat(limit.timeouts).hasValue(1);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aPermitInsideATimeoutStaysHeldUntilTheWorkReallyEnds() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(new Limit(100 * MS), gate).callAsync(source::minimalCompletionStage);
        time.advance(Duration.ofMillis(100));
        assertThat(call).isCompletedExceptionally();
        assertThat(gate.held).hasValue(1);
        source.complete("late");
        assertThat(gate.held).hasValue(0);
    }

    @Test
    void whoeverIsFirstWinsBetweenValueAndTimeout() {
        Limit limit = new Limit(100 * MS);
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(limit).callAsync(() -> source);
        time.advance(Duration.ofMillis(99));
        source.complete("in time");
        time.advance(Duration.ofSeconds(1));
        assertThat(call).isCompletedWithValue("in time");
        assertThat(limit.timeouts).hasValue(0);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void attemptsThatTimeOutAreFollowedByOthers() {
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<String> call = pipeline(new Again(3, 0), new Limit(100 * MS))
                .callAsync(() -> {
                    attempts.incrementAndGet();
                    return new CompletableFuture<String>();
                });
        time.advance(Duration.ofMillis(300));
        assertThatThrownBy(call::join).hasCauseInstanceOf(TimeoutExceededException.class);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void aHedgeWinsAndTheOriginalIsCancelledAndItsLateResultClosed() {
        Copies copies = new Copies(1, 10 * MS);
        AtomicInteger closed = new AtomicInteger();
        List<CompletableFuture<AutoCloseable>> sources = new ArrayList<>();
        CompletableFuture<AutoCloseable> call = pipeline(copies, gate).callAsync(() -> {
            sources.add(new CompletableFuture<>());
            return sources.get(sources.size() - 1).minimalCompletionStage();
        });
        time.advance(Duration.ofMillis(10));
        assertThat(sources).hasSize(2);
        AutoCloseable value = () -> {};
        sources.get(1).complete(value);
        assertThat(call).isCompletedWithValue(value);
        assertThat(copies.won).hasValue(1);
        assertThat(gate.held).hasValue(1);
        sources.get(0).complete(closed::incrementAndGet);
        assertThat(closed).hasValue(1);
        assertThat(gate.held).hasValue(0);
    }

    @Test
    void aCopyThatFailsStartsTheNextAtOnceAndIfAllFailTheFirstFailureComesOut() {
        Copies copies = new Copies(2, 10 * MS);
        AtomicInteger number = new AtomicInteger();
        CompletableFuture<String> call = pipeline(copies)
                .callAsync(() -> CompletableFuture.failedFuture(new IOException("copy " + number.getAndIncrement())));
        assertThat(number).hasValue(3);
        assertThatThrownBy(call::join).hasRootCauseMessage("copy 0");
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void withoutBudgetTheOriginalGoesOn() {
        Copies copies = new Copies(1, 10 * MS);
        copies.budget = false;
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(copies).callAsync(() -> source);
        time.advance(Duration.ofMillis(100));
        source.complete("original");
        assertThat(call).isCompletedWithValue("original");
        assertThat(copies.won).hasValue(0);
    }

    @Test
    void noHedgeStartsAfterTheCallerHasCancelled() {
        AtomicInteger starts = new AtomicInteger();
        CompletableFuture<String> call = pipeline(new Copies(1, 10 * MS)).callAsync(() -> {
            starts.incrementAndGet();
            return new CompletableFuture<String>();
        });
        time.advance(Duration.ofNanos(10 * MS - 1));
        call.cancel(true);
        time.advance(Duration.ofSeconds(1));
        assertThat(starts).hasValue(1);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void anAnswerInsteadMayItselfBeAStageAndKeepsTheErrorItReplaces() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        IOException original = new IOException();
        Instead instead = new Instead(() -> null, (result, error) -> new Substitute.ComputeStage(() -> answer));
        CompletableFuture<String> call =
                pipeline(instead, gate).callAsync(() -> CompletableFuture.failedFuture(original));
        assertThat(call).isNotDone();
        IllegalStateException thrown = new IllegalStateException();
        answer.completeExceptionally(thrown);
        assertThatThrownBy(call::join).hasCause(thrown);
        assertThat(thrown.getSuppressed()).containsExactly(original);
    }

    @Test
    void callsThatWaitForAnotherOnesAnswerAskAgainWhenThatEndsWithoutOne() {
        CompletableFuture<Substitute> signal = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        Instead instead = new Instead(
                () -> asked.getAndIncrement() == 0 ? new Substitute.AskAgain(signal) : new Substitute.Proceed("token"),
                (result, error) -> null);
        CompletableFuture<String> call = pipeline(instead).callAsync(() -> CompletableFuture.completedFuture("own"));
        assertThat(call).isNotDone();
        signal.cancel(true);
        assertThat(call).isCompletedWithValue("own");
        assertThat(instead.tokens).containsExactly("token");
    }

    @Test
    void givingUpACallThatWaitsForAnotherLeavesTheSharedSignalAlone() {
        CompletableFuture<Substitute> signal = new CompletableFuture<>();
        Instead instead = new Instead(() -> new Substitute.AskAgain(signal), (result, error) -> null);
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<String> call = pipeline(instead).callAsync(() -> {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("own");
        });
        call.cancel(true);
        assertThat(signal).isNotDone();
        assertThat(runs).hasValue(0);
    }

    @Test
    void theEndOfTheSourceIsSeenHoweverItRacesWithAttaching() throws Exception {
        Pipeline pipeline = pipeline(new Again(3, 0), gate);
        CyclicBarrier barrier = new CyclicBarrier(2);
        int rounds = 2_000;
        @SuppressWarnings("unchecked")
        CompletableFuture<Integer>[] sources = new CompletableFuture[rounds];
        for (int i = 0; i < rounds; i++) {
            sources[i] = new CompletableFuture<>();
        }
        Thread completer = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                await(barrier);
                sources[i].complete(i);
            }
        });
        completer.start();
        List<CompletionStage<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            CompletableFuture<Integer> source = sources[i];
            await(barrier);
            calls.add(pipeline.callAsync(() -> source));
        }
        completer.join();
        for (int i = 0; i < rounds; i++) {
            assertThat(calls.get(i).toCompletableFuture()).isCompletedWithValue(i);
        }
        assertThat(gate.held).hasValue(0);
    }

    @Test
    void aCallThatIsCancelledWhileItsSourceEndsSettlesOnce() throws Exception {
        Pipeline pipeline = pipeline(gate);
        CyclicBarrier barrier = new CyclicBarrier(2);
        int rounds = 2_000;
        List<CompletableFuture<String>> sources = new ArrayList<>();
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            CompletableFuture<String> source = new CompletableFuture<>();
            sources.add(source);
            calls.add(pipeline.callAsync(() -> source));
        }
        Thread canceller = new Thread(() -> calls.forEach(call -> {
            await(barrier);
            call.cancel(true);
        }));
        canceller.start();
        for (CompletableFuture<String> source : sources) {
            await(barrier);
            source.complete("value");
        }
        canceller.join();
        assertThat(gate.held).hasValue(0);
        assertThat(gate.endings).hasSize(rounds);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void cancellationsHaveAMessageThatNamesThePipeline() {
        assertThat(new StagedCall<>(
                                new Context("test", time.time(), new Resumer(Runnable::run)),
                                new Segment(List.of()),
                                () -> CompletableFuture.completedFuture(1),
                                0,
                                0)
                        .cancelled())
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("test");
    }
}
