package io.nopanic.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.Event;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Calls for the same key at the same time. */
class CacheLoadsTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final int CALLERS = 50;

    private final VirtualTime time = VirtualTime.manual();
    private final AtomicInteger loads = new AtomicInteger();
    private final BlockingQueue<CompletableFuture<String>> sources = new LinkedBlockingQueue<>();
    private final Cache<String, String> cache = cache().build();

    // ------------------------------------------------------------------------------------------------------------
    // blocking

    @Test
    void oneOfFiftyCallersLoadsAColdOrExpiredKeyAndTheOthersWait() throws Exception {
        for (String value : List.of("first", "second")) {
            loads.set(0);
            CountDownLatch loaded = new CountDownLatch(1);
            List<Caller> callers = startAll(cache, () -> {
                await(loaded);
                return value;
            });
            time.awaitParked(CALLERS - 1);
            loaded.countDown();

            for (Caller caller : callers) {
                assertThat(caller.result()).isSameAs(value);
            }
            assertThat(loads).hasValue(1);
            time.advance(TTL);
        }
    }

    @Test
    void aClockThatThrowsAtTheEndOfALoadKeepsNobodyWaiting() throws Exception {
        AtomicBoolean clockThrows = new AtomicBoolean();
        Cache<String, String> fragile = Cache.<String, String>builder()
                .ttl(TTL)
                .time(time.time().withTicker(() -> {
                    if (clockThrows.getAndSet(false)) {
                        throw new IllegalStateException("no clock");
                    }
                    return time.nanos();
                }))
                .build();
        String loaded = fragile.get("blocking", () -> {
            clockThrows.set(true);
            return "value";
        });
        assertThat(loaded).isEqualTo("value");
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> load = fragile.getAsync("staged", () -> source);
        clockThrows.set(true);
        source.complete("value");
        assertThat(load).isCompletedWithValue("value");
        for (String key : List.of("blocking", "staged")) {
            assertThat(fragile.getAsync(key, () -> CompletableFuture.completedFuture("another")))
                    .isDone();
        }
    }

    @Test
    void thoseWhoWaitShareTheFailureAsTheSameObject() throws Exception {
        IOException down = new IOException();
        CountDownLatch loaded = new CountDownLatch(1);
        List<Caller> callers = startAll(cache, () -> {
            await(loaded);
            throw down;
        });
        time.awaitParked(CALLERS - 1);
        loaded.countDown();

        for (Caller caller : callers) {
            assertThatThrownBy(caller::result)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(down);
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void thoseWhoWaitShareANull() throws Exception {
        CountDownLatch loaded = new CountDownLatch(1);
        List<Caller> callers = startAll(cache, () -> {
            await(loaded);
            return null;
        });
        time.awaitParked(CALLERS - 1);
        loaded.countDown();

        for (Caller caller : callers) {
            assertThat(caller.result()).isNull();
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void whenTheLeaderIsInterruptedOneOfThoseWhoWaitTakesItsPlace() throws Exception {
        CountDownLatch leading = new CountDownLatch(1);
        Caller leader = start(() -> cache.get("k", counted(() -> {
            leading.countDown();
            await(new CountDownLatch(1));
            return "never";
        })));
        await(leading);
        List<Caller> others = startAll(cache, () -> "second");
        time.awaitParked(CALLERS);
        leader.thread.interrupt();

        assertThatThrownBy(leader::result).hasCauseInstanceOf(InterruptedException.class);
        for (Caller caller : others) {
            assertThat(caller.result()).isEqualTo("second");
        }
        assertThat(loads).hasValue(2);
    }

    @Test
    void whenTheLeaderEndsWithAnErrorOneOfThoseWhoWaitTakesItsPlace() throws Exception {
        StackOverflowError crash = new StackOverflowError();
        CountDownLatch leading = new CountDownLatch(1);
        CountDownLatch crashing = new CountDownLatch(1);
        Caller leader = start(() -> cache.get("k", counted(() -> {
            leading.countDown();
            await(crashing);
            throw crash;
        })));
        await(leading);
        List<Caller> others = startAll(cache, () -> "second");
        time.awaitParked(CALLERS);
        crashing.countDown();

        assertThatThrownBy(leader::result).cause().isSameAs(crash);
        for (Caller caller : others) {
            assertThat(caller.result()).isEqualTo("second");
        }
        assertThat(loads).hasValue(2);
    }

    @Test
    void oneWhoStopsWaitingDisturbsNobody() throws Exception {
        CountDownLatch loaded = new CountDownLatch(1);
        List<Caller> callers = startAll(cache, () -> {
            await(loaded);
            return "v";
        });
        time.awaitParked(CALLERS - 1);
        Caller gone = callers.stream().filter(each -> !each.leads).findFirst().orElseThrow();
        gone.thread.interrupt();
        assertThatThrownBy(gone::result).hasCauseInstanceOf(InterruptedException.class);
        loaded.countDown();

        for (Caller caller : callers) {
            if (caller != gone) {
                assertThat(caller.result()).isEqualTo("v");
            }
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void everyStaleAnswerIsToldThoughOneCallFailed() throws Exception {
        Cache<String, String> stale = cache().staleIfError(TTL).build();
        Queue<Event.StaleServed> told = new ConcurrentLinkedQueue<>();
        stale.events().subscribe(Event.StaleServed.class, told::add);
        stale.put("k", "old");
        time.advance(TTL);
        CountDownLatch loaded = new CountDownLatch(1);
        List<Caller> callers = startAll(stale, () -> {
            await(loaded);
            throw new IOException();
        });
        time.awaitParked(CALLERS - 1);
        loaded.countDown();

        for (Caller caller : callers) {
            assertThat(caller.result()).isEqualTo("old");
        }
        assertThat(loads).hasValue(1);
        assertThat(told).hasSize(CALLERS);
    }

    @Test
    void loadsOfTwoKeysThatNeedEachOthersValuesInOrderDoNotHang() throws Exception {
        CountDownLatch bothLoading = new CountDownLatch(2);
        Caller first = start(() -> cache.get("AaAa", () -> {
            bothLoading.countDown();
            await(bothLoading);
            return "a of " + cache.get("shared", counted(() -> "s"));
        }));
        Caller second = start(() -> cache.get("BBBB", () -> {
            bothLoading.countDown();
            await(bothLoading);
            return "b of " + cache.get("shared", counted(() -> "s"));
        }));

        assertThat(first.result()).isEqualTo("a of s");
        assertThat(second.result()).isEqualTo("b of s");
        assertThat(loads).hasValue(1);
    }

    // --------------------------------------------------------------------------------------------------------
    // asynchronous

    @Test
    void asynchronousCallersShareOneLoad() throws Exception {
        List<CompletableFuture<String>> calls = asyncAll();
        CompletableFuture<String> source = nextSource();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        source.complete("v");

        assertThat(calls)
                .allSatisfy(call -> assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("v"));
        assertThat(loads).hasValue(1);
    }

    @Test
    void asynchronousCallersShareTheFailure() throws Exception {
        IOException down = new IOException();
        List<CompletableFuture<String>> calls = asyncAll();
        nextSource().completeExceptionally(down);

        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                        .cause()
                        .isSameAs(down));
        assertThat(loads).hasValue(1);
    }

    @Test
    void whenTheAsynchronousLeaderIsCancelledAnotherTakesItsPlace() throws Exception {
        List<CompletableFuture<String>> calls = asyncAll();
        CompletableFuture<String> first = nextSource();
        calls.get(0).cancel(true);
        assertThat(first).isCancelled();
        nextSource().complete("second");

        for (CompletableFuture<String> call : calls.subList(1, CALLERS)) {
            assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("second");
        }
        assertThat(loads).hasValue(2);
    }

    @Test
    void anAsynchronousCallerThatLeavesDisturbsNobody() throws Exception {
        List<CompletableFuture<String>> calls = asyncAll();
        CompletableFuture<String> source = nextSource();
        calls.get(7).cancel(true);
        assertThat(source).isNotDone();
        source.complete("v");

        assertThat(calls.get(6).get(30, TimeUnit.SECONDS)).isEqualTo("v");
        assertThat(calls.get(8).get(30, TimeUnit.SECONDS)).isEqualTo("v");
    }

    @Test
    void anyNumberOfLeadersMayBeCancelledOneAfterTheOther() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        cache.getAsync("k", () -> first);
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            calls.add(cache.getAsync("k", () -> {
                loads.incrementAndGet();
                return CompletableFuture.failedFuture(new CancellationException());
            }));
        }
        first.cancel(true);

        for (CompletableFuture<String> call : calls) {
            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        }
        assertThat(loads).hasValue(20_000);
    }

    @Test
    void blockingAndAsynchronousCallersShareOneLoad() throws Exception {
        List<CompletableFuture<String>> calls = asyncAll();
        List<Caller> callers = startAll(cache, () -> "not made");
        time.awaitParked(CALLERS);
        nextSource().complete("v");

        for (Caller caller : callers) {
            assertThat(caller.result()).isEqualTo("v");
        }
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("v"));
        assertThat(loads).hasValue(1);
    }

    @Test
    void theThreadThatStartedAnAsynchronousLoadMayWaitForIt() throws Exception {
        CompletableFuture<String> source = new CompletableFuture<>();
        Caller caller = start(() -> {
            CompletableFuture<String> call = cache.getAsync("k", () -> source);
            assertThat(call).isNotDone();
            return cache.get("k", counted(() -> "not made"));
        });
        time.awaitParked(1);
        source.complete("v");

        assertThat(caller.result()).isEqualTo("v");
        assertThat(loads).hasValue(0);
    }

    // -------------------------------------------------------------------------------------------------------------
    // races

    @Test
    void afterEverythingWasForgottenNobodyGetsAnOldValueFromALoadThatBeganMeanwhile() throws Exception {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Cache<String, String> stale = cache().staleIfError(TTL)
                .time(time.time().withTicker(() -> {
                    meanwhile.getAndSet(() -> {}).run();
                    return time.nanos();
                }))
                .build();
        stale.put("k", "old");
        time.advance(TTL);
        List<CompletableFuture<String>> calls = new ArrayList<>();
        CompletableFuture<String> source = new CompletableFuture<>();
        // The store reads the clock before it forgets.
        meanwhile.set(() -> calls.add(stale.getAsync("k", () -> source)));
        stale.invalidateAll();
        assertThat(calls).as("loads that began meanwhile").hasSize(1);

        CompletableFuture<String> later = stale.getAsync("k", () -> CompletableFuture.completedFuture("new"));
        IOException down = new IOException();
        source.completeExceptionally(down);
        assertThat(later.get(30, TimeUnit.SECONDS)).isEqualTo("new");
        assertThatThrownBy(() -> calls.get(0).get(30, TimeUnit.SECONDS)).cause().isSameAs(down);
        assertThat(stale.getIfFresh("k")).contains("new");
    }

    @Test
    void callersThatRaceForAColdKeyLoadItOnce() throws Exception {
        race(
                400,
                round -> {},
                round -> cache.get("k" + round, counted(() -> "v")),
                round -> assertThat(loads).hasValue(1));
    }

    @Test
    void callersThatRaceForAStaleKeyMakeOneFailingCall() throws Exception {
        Cache<String, String> stale = cache().staleIfError(TTL).build();
        race(
                400,
                round -> {
                    stale.put("k", "old");
                    time.advance(TTL);
                },
                round -> stale.get("k", counted(() -> {
                    throw new IOException();
                })),
                round -> assertThat(loads).hasValue(1));
    }

    @Test
    void callersThatRaceForAStaleKeyStartOneRefresh() throws Exception {
        Queue<Runnable> background = new ConcurrentLinkedQueue<>();
        Cache<String, String> stale =
                cache().staleWhileRevalidate(TTL).executor(background::add).build();
        race(
                400,
                round -> {
                    background.forEach(Runnable::run);
                    background.clear();
                    stale.put("k", "old");
                    time.advance(TTL);
                },
                round -> stale.get("k", counted(() -> "new")),
                round -> assertThat(background).hasSize(1));
    }

    @Test
    void neverHangsNorLoadsAKeyTwiceAtATimeWhateverIsForgottenMeanwhile() throws Exception {
        Cache<String, String> tiny = cache().maxSize(2).build();
        AtomicInteger[] running = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        AtomicInteger atOnce = new AtomicInteger();
        race(
                300,
                round -> {},
                round -> {
                    for (int i = 0; i < 20; i++) {
                        int key = (round + i) % running.length;
                        assertThat(tiny.get("k" + key, () -> {
                                    atOnce.accumulateAndGet(running[key].incrementAndGet(), Math::max);
                                    if (key == 3 && loads.incrementAndGet() % 7 == 0) {
                                        running[key].decrementAndGet();
                                        throw new CancellationException();
                                    }
                                    running[key].decrementAndGet();
                                    return "v" + key;
                                }))
                                .isEqualTo("v" + key);
                        time.advance(Duration.ofSeconds(1));
                    }
                    return null;
                },
                round -> assertThat(atOnce.get()).isLessThanOrEqualTo(1));
    }

    // ------------------------------------------------------------------------------------------------------------------------

    private interface Round {
        Object play(int round) throws Exception;
    }

    private interface Step {
        void take(int round);
    }

    /** Lets four threads play each round at the same time. */
    private void race(int rounds, Step before, Round play, Step after) throws Exception {
        int threads = 4;
        CyclicBarrier start = new CyclicBarrier(threads + 1);
        CyclicBarrier end = new CyclicBarrier(threads + 1);
        Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
        List<Caller> players = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            players.add(start(() -> {
                for (int round = 0; round < rounds; round++) {
                    start.await(30, TimeUnit.SECONDS);
                    try {
                        play.play(round);
                    } catch (CancellationException expected) {
                        // Its own leader's.
                    } catch (Throwable thrown) {
                        surprises.add(thrown);
                    }
                    end.await(30, TimeUnit.SECONDS);
                }
                return null;
            }));
        }
        for (int round = 0; round < rounds; round++) {
            loads.set(0);
            before.take(round);
            start.await(30, TimeUnit.SECONDS);
            end.await(30, TimeUnit.SECONDS);
            assertThat(surprises).isEmpty();
            after.take(round);
        }
        for (Caller player : players) {
            player.result();
        }
    }

    private Cache.Builder<String, String> cache() {
        return Cache.<String, String>builder().ttl(TTL).time(time.time());
    }

    private <T> Callable<T> counted(Callable<T> code) {
        return () -> {
            loads.incrementAndGet();
            return code.call();
        };
    }

    private List<CompletableFuture<String>> asyncAll() {
        Pipeline pipeline = Pipeline.of(cache.keyedBy(() -> "k"));
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            calls.add(pipeline.callAsync(() -> {
                loads.incrementAndGet();
                CompletableFuture<String> source = new CompletableFuture<>();
                sources.add(source);
                return source;
            }));
        }
        return calls;
    }

    private CompletableFuture<String> nextSource() throws InterruptedException {
        return Objects.requireNonNull(sources.poll(30, TimeUnit.SECONDS), "no load was started");
    }

    private List<Caller> startAll(Cache<String, String> of, Callable<String> code) {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Caller[] self = new Caller[1];
            CountDownLatch known = new CountDownLatch(1);
            self[0] = start(() -> {
                await(known);
                return of.get("k", counted(() -> {
                    self[0].leads = true;
                    return code.call();
                }));
            });
            known.countDown();
            callers.add(self[0]);
        }
        return callers;
    }

    private static Caller start(Callable<String> code) {
        Caller caller = new Caller(new FutureTask<>(code));
        caller.thread.start();
        return caller;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static final class Caller {
        final FutureTask<String> task;
        final Thread thread;
        volatile boolean leads;

        Caller(FutureTask<String> task) {
            this.task = task;
            thread = new Thread(task);
            thread.setDaemon(true);
        }

        String result() throws Exception {
            return task.get(30, TimeUnit.SECONDS);
        }
    }
}
