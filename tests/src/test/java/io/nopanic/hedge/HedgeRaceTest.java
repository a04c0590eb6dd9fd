package io.nopanic.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.RejectedException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A hedge at work in a pipeline. */
class HedgeRaceTest {

    private static final Duration DELAY = Duration.ofMillis(10);
    private static final Duration NANO = Duration.ofNanos(1);

    private final VirtualTime time = VirtualTime.manual();
    private final List<CompletableFuture<Object>> copies = new ArrayList<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    // --------------------------------------------------------------------------------------------------------
    // asynchronous

    @Test
    void aQuickCallStartsNoCopyAndLeavesNoTimer() {
        CompletableFuture<Object> call = call(hedge().build());
        copies.get(0).complete("quick");

        assertThat(call).isCompletedWithValue("quick");
        assertThat(time.pendingTimers()).isZero();
        time.advance(DELAY);
        assertThat(copies).hasSize(1);
    }

    @Test
    void theFirstCopyThatSucceedsWinsAndTheOtherIsCancelled() {
        CompletableFuture<Object> call = call(hedge().build());
        time.advance(DELAY.minus(NANO));
        assertThat(copies).hasSize(1);
        time.advance(NANO);
        assertThat(copies).hasSize(2);
        time.advance(Duration.ofMillis(3));
        copies.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(copies.get(0)).isCancelled();
        assertThat(events.stream().map(Event::getClass))
                .containsExactly(Event.HedgeStarted.class, Event.HedgeWon.class);
        assertThat(events).last().isInstanceOfSatisfying(Event.HedgeWon.class, won -> {
            assertThat(won.copy()).isEqualTo(1);
            assertThat(won.latencyNanos()).isEqualTo(Duration.ofMillis(3).toNanos());
        });
    }

    @Test
    void aCopyThatFailsStartsTheNextAtOnce() {
        CompletableFuture<Object> call = call(hedge().maxHedges(2).build());
        copies.get(0).completeExceptionally(new IOException());
        assertThat(copies).hasSize(2);
        copies.get(1).completeExceptionally(new IOException());
        assertThat(copies).hasSize(3);
        copies.get(2).complete("third");

        assertThat(call).isCompletedWithValue("third");
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aCopyThatFailsStartsTheNextThoughNoOtherRunsByThen() {
        IOException failure = new IOException();
        CompletableFuture<Object> call = call(hedge().maxHedges(2)
                .classifier(asItAsksWhatToDoAfter(failure, () -> copies.get(1).completeExceptionally(new Refused())))
                .build());
        time.advance(DELAY);
        copies.get(0).completeExceptionally(failure);
        assertThat(copies).hasSize(3);
        copies.get(2).complete("third");

        assertThat(call).isCompletedWithValue("third");
    }

    @Test
    void twoCopiesThatFailAtOneMomentStartOneEach() {
        IOException failure = new IOException();
        CompletableFuture<Object> call = call(hedge().maxHedges(3)
                .classifier(
                        asItAsksWhatToDoAfter(failure, () -> copies.get(1).completeExceptionally(new IOException())))
                .build());
        time.advance(DELAY);
        copies.get(0).completeExceptionally(failure);

        assertThat(copies).hasSize(4);
        assertThat(call).isNotDone();
    }

    /** The default, which at the second look at this failure lets something else happen: the first is whether it ends the call. */
    private static Classifier asItAsksWhatToDoAfter(Throwable failure, Runnable meanwhile) {
        AtomicInteger looks = new AtomicInteger();
        return Classifier.builder()
                .ignoreIf(error -> {
                    if (error == failure && looks.incrementAndGet() == 2) {
                        meanwhile.run();
                    }
                    return false;
                })
                .build();
    }

    @Test
    void whenAllFailTheFailureOfTheOriginalComesOut() {
        IOException original = new IOException("original");
        CompletableFuture<Object> call = call(hedge().build());
        time.advance(DELAY);
        copies.get(1).completeExceptionally(new IOException("hedge"));
        assertThat(call).isNotDone();
        copies.get(0).completeExceptionally(original);

        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).cause().isSameAs(original);
    }

    @Test
    void anEmptyBudgetDoesNotEndTheCallThatRuns() {
        Budget empty =
                Budget.builder().ratio(0).minPerSecond(0).time(time.time()).build();
        CompletableFuture<Object> call = call(hedge().budget(empty).build());
        time.advance(DELAY);
        assertThat(call).isNotDone();
        assertThat(copies).hasSize(1);
        time.advance(Duration.ofMillis(90));
        copies.get(0).complete("original");

        assertThat(call).isCompletedWithValue("original");
    }

    @Test
    void aHedgeThatIsRefusedFurtherInDoesNotEndTheCallThatRuns() {
        AtomicInteger entered = new AtomicInteger();
        Hedge hedge = hedge().build();
        CompletableFuture<Object> original = new CompletableFuture<>();
        CompletableFuture<Object> call = pipeline(hedge)
                .callAsync(() ->
                        entered.incrementAndGet() == 1 ? original : CompletableFuture.failedFuture(new Refused()));
        time.advance(DELAY);
        assertThat(entered).hasValue(2);
        assertThat(call).isNotDone();
        original.complete("original");

        assertThat(call).isCompletedWithValue("original");
    }

    @Test
    void noCopyIsStartedForACallThatWasRefused() {
        AtomicInteger entered = new AtomicInteger();
        Refused refused = new Refused();
        CompletableFuture<Object> call = pipeline(hedge().build()).callAsync(() -> {
            entered.incrementAndGet();
            return CompletableFuture.failedFuture(refused);
        });

        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).cause().isSameAs(refused);
        assertThat(entered).hasValue(1);
    }

    @Test
    void noCopyIsStartedForACallThatWasCancelledJustBeforeItWasDue() {
        CompletableFuture<Object> call = call(hedge().build());
        time.advance(DELAY.minus(NANO));
        call.cancel(true);
        time.advance(Duration.ofHours(1));

        assertThat(copies).hasSize(1);
        assertThat(copies.get(0)).isCancelled();
        assertThat(time.pendingTimers()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void cancellingTheCallCancelsEveryCopy() {
        CompletableFuture<Object> call = call(hedge().build());
        time.advance(DELAY);
        call.cancel(true);

        assertThat(copies).hasSize(2).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void aLosersErrorReachesOnlyTheListeners() {
        NullPointerException late = new NullPointerException();
        CompletableFuture<Object> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return completeExceptionally(late);
            }
        };
        Hedge hedge = hedge().build();
        CompletableFuture<Object> call = pipeline(hedge).callAsync(() -> {
            copies.add(copies.isEmpty() ? stubborn : new CompletableFuture<>());
            return copies.get(copies.size() - 1);
        });
        time.advance(DELAY);
        copies.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(stubborn).isCompletedExceptionally();
        assertThat(events).last().isInstanceOfSatisfying(Event.HedgeLoserFailed.class, failed -> {
            assertThat(failed.copy()).isZero();
            assertThat(failed.error()).isSameAs(late);
        });
    }

    @Test
    void aLosersResultIsClosed() {
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable late = closed::incrementAndGet;
        CompletableFuture<Object> uncancellable = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<Object> call = pipeline(hedge().build()).callAsync(() -> {
            copies.add(copies.isEmpty() ? uncancellable : new CompletableFuture<>());
            return copies.get(copies.size() - 1);
        });
        time.advance(DELAY);
        copies.get(1).complete("hedge");
        assertThat(call).isCompletedWithValue("hedge");
        uncancellable.complete(late);

        assertThat(closed).hasValue(1);
    }

    @Test
    void aResultIsClosedIfTheCallIsCancelledAsItWins() {
        AtomicInteger closed = new AtomicInteger();
        Hedge hedge = hedge().build();
        List<CompletableFuture<Object>> calls = new ArrayList<>();
        hedge.events().subscribe(Event.HedgeWon.class, won -> calls.get(0).cancel(true));
        calls.add(call(hedge));
        copies.get(0).complete((AutoCloseable) closed::incrementAndGet);

        assertThat(calls.get(0)).isCancelled();
        assertThat(closed).hasValue(1);
    }

    /** A result that may be no good. */
    private static final class Response implements AutoCloseable {

        private final boolean isGood;
        private int closed;

        Response(boolean isGood) {
            this.isGood = isGood;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private CompletableFuture<Object> callForAResponse() {
        return call(hedge().maxHedges(2)
                .classifier(Classifier.builder()
                        .failOnResult(Response.class, response -> !response.isGood)
                        .build())
                .build());
    }

    @Test
    void resultsThatAreNotGoodEnoughAreClosedWhenAnotherWins() {
        List<Response> responses = List.of(new Response(false), new Response(false), new Response(true));
        CompletableFuture<Object> call = callForAResponse();
        for (int copy = 0; copy < 3; copy++) {
            copies.get(copy).complete(responses.get(copy));
        }

        assertThat(call).isCompletedWithValue(responses.get(2));
        assertThat(responses).extracting(response -> response.closed).containsExactly(1, 1, 0);
    }

    @Test
    void whenNoResultIsGoodEnoughAllButTheOriginalsAreClosed() {
        List<Response> responses = List.of(new Response(false), new Response(false), new Response(false));
        CompletableFuture<Object> call = callForAResponse();
        for (int copy = 0; copy < 3; copy++) {
            copies.get(copy).complete(responses.get(copy));
        }

        assertThat(call).isCompletedWithValue(responses.get(0));
        assertThat(responses).extracting(response -> response.closed).containsExactly(0, 1, 1);
    }

    @Test
    void theOriginalsResultIsClosedWhenTheCallIsCancelledBeforeTheOthersEnd() {
        Response bad = new Response(false);
        CompletableFuture<Object> call = callForAResponse();
        copies.get(0).complete(bad);
        assertThat(bad.closed).isZero();
        call.cancel(true);

        assertThat(copies.get(1)).isCancelled();
        assertThat(bad.closed).isEqualTo(1);
    }

    @Test
    void adaptsItsDelayToTheCallsItSees() {
        Hedge hedge = hedge().quantile(0.9).warmUp(10).build();
        for (int i = 0; i < 10; i++) {
            call(hedge);
            time.advance(Duration.ofMillis(2));
            copies.get(i).complete("quick");
        }

        assertThat(hedge.delay()).isBetween(Duration.ofMillis(2), Duration.ofNanos(2_130_000));
    }

    // ------------------------------------------------------------------------------------------------------------
    // blocking

    @Test
    void aBlockingHedgeIsNotQueuedBehindTheOriginal() throws Exception {
        BlockingCall call = new BlockingCall(hedge().build());
        CountDownLatch hold = new CountDownLatch(1);
        call.copy(0).complete(() -> {
            hold.await();
            return "original";
        });
        time.awaitParked(1);
        time.advance(DELAY);
        call.copy(1).complete(() -> "hedge");

        assertThat(call.result()).isEqualTo("hedge");
    }

    @Test
    void aHedgeThatItsExecutorRefusesDoesNotEndTheCallThatRuns() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicInteger submitted = new AtomicInteger();
        CountDownLatch refused = new CountDownLatch(1);
        BlockingCall call = new BlockingCall(hedge().executor(task -> {
                    if (submitted.getAndIncrement() > 0) {
                        refused.countDown();
                        throw new RejectedExecutionException("full");
                    }
                    threads.execute(task);
                })
                .build());
        BlockingCall.Copy original = call.copy(0);
        time.awaitParked(1);
        time.advance(DELAY);
        assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
        original.complete(() -> "original");

        assertThat(call.result()).isEqualTo("original");
        threads.shutdown();
    }

    @Test
    void aBlockingLoserIsInterruptedAndNotWaitedFor() throws Exception {
        BlockingCall call = new BlockingCall(hedge().build());
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        call.copy(0).complete(() -> {
            try {
                running.countDown();
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                mayEnd.await();
            }
            return "late";
        });
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        time.awaitParked(1);
        time.advance(DELAY);
        call.copy(1).complete(() -> "hedge");

        assertThat(call.result()).isEqualTo("hedge");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        mayEnd.countDown();
    }

    @Test
    void aResultIsNotLostIfTheCallerIsInterruptedAsItWins() throws Exception {
        CountDownLatch won = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Hedge hedge = hedge().executor(task -> {
                    Thread thread = new Thread(task) {
                        /** The caller, who gives the loser up, is held until the winner has ended. */
                        @Override
                        public void interrupt() {
                            mayGoOn.countDown();
                            try {
                                threads.get(1).join();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            super.interrupt();
                        }
                    };
                    thread.setDaemon(true);
                    threads.add(thread);
                    thread.start();
                })
                .build();
        hedge.events().subscribe(Event.HedgeWon.class, event -> {
            won.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        BlockingCall call = new BlockingCall(hedge);
        call.copy(0);
        time.awaitParked(1);
        time.advance(DELAY);
        call.copy(1).complete(() -> "hedge");
        assertThat(won.await(30, TimeUnit.SECONDS)).isTrue();
        call.caller.interrupt();

        assertThat(call.result()).isEqualTo("hedge");
        assertThat(call.flagWasLeft).isTrue();
    }

    @Test
    void theFailureOfABlockingOriginalComesOutAsTheSameObject() {
        IOException original = new IOException("original");
        BlockingCall call = new BlockingCall(hedge().build());
        call.copy(0).complete(() -> {
            throw original;
        });
        call.copy(1).complete(() -> {
            throw new IOException("hedge");
        });

        assertThatThrownBy(call::result).cause().isSameAs(original);
    }

    // ------------------------------------------------------------------------------------------------------------------------

    private Hedge.Builder hedge() {
        return Hedge.builder().delay(DELAY).time(time.time());
    }

    private Pipeline pipeline(Hedge hedge) {
        hedge.events().subscribe(events::add);
        return Pipeline.builder().with(hedge).executor(Runnable::run).build();
    }

    private CompletableFuture<Object> call(Hedge hedge) {
        return pipeline(hedge).callAsync(() -> {
            CompletableFuture<Object> copy = new CompletableFuture<>();
            copies.add(copy);
            return copy;
        });
    }

    /** A call on a thread of its own, each copy of which does what it is told when the test meets it. */
    private final class BlockingCall {

        private final BlockingQueue<Copy> met = new LinkedBlockingQueue<>();
        private final CompletableFuture<Object> result = new CompletableFuture<>();
        private final Thread caller;
        private volatile boolean flagWasLeft;

        BlockingCall(Hedge hedge) {
            Pipeline pipeline = pipeline(hedge);
            caller = new Thread(() -> {
                try {
                    Object value = pipeline.call(() -> {
                        Copy copy = new Copy();
                        met.add(copy);
                        return copy.code.get(30, TimeUnit.SECONDS).call();
                    });
                    flagWasLeft = Thread.interrupted();
                    result.complete(value);
                } catch (Throwable thrown) {
                    result.completeExceptionally(thrown);
                }
            });
            caller.setDaemon(true);
            caller.start();
        }

        /** Copies are met in the order in which they start; the number only says which one is meant. */
        Copy copy(int number) {
            try {
                return Objects.requireNonNull(met.poll(30, TimeUnit.SECONDS), "copy " + number + " did not start");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        Object result() throws Exception {
            return result.get(30, TimeUnit.SECONDS);
        }

        private final class Copy {
            private final CompletableFuture<Callable<?>> code = new CompletableFuture<>();

            void complete(Callable<?> with) {
                code.complete(with);
            }
        }
    }

    private static final class Refused extends RejectedException {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("policy", "pipeline", "refused", UNKNOWN, null);
        }
    }
}
