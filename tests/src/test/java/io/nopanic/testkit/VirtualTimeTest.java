package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nopanic.time.Nanos;
import io.nopanic.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualTimeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> log = new ArrayList<>();

    @Nested
    class Always {

        private final VirtualTime time = VirtualTime.create();

        @Test
        void startsShortlyBeforeTheClockOverflows() {
            assertThat(time.nanos()).isPositive();
            time.advance(Duration.ofSeconds(10));
            assertThat(time.nanos()).isNegative();
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(10));
        }

        @Test
        void runsTimersInTheOrderOfTheirMomentsThenOfScheduling() {
            schedule(20, "third");
            schedule(10, "first");
            schedule(10, "second");
            time.advance(Duration.ofSeconds(10));
            assertThat(log).containsExactly("first@10", "second@10", "third@20");
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(10));
        }

        @Test
        void runsTimersInOrderAcrossTheOverflow() {
            schedule(6_000_000_000L, "after");
            schedule(4_000_000_000L, "before");
            time.advance(Duration.ofSeconds(10));
            assertThat(log).containsExactly("before@4000000000", "after@6000000000");
        }

        @Test
        void runsTimersThatAreScheduledOnTheWay() {
            time.time().schedule(10, () -> {
                schedule(5, "at once after");
                schedule(-1, "now");
                schedule(1_000, "too late");
            });
            schedule(12, "between");
            time.advance(Duration.ofNanos(100));
            assertThat(log).containsExactly("now@10", "between@12", "at once after@15");
            assertThat(time.pendingTimers()).isEqualTo(1);
        }

        @Test
        void doesNotRunATimerEarly() {
            schedule(10, "timer");
            time.advance(Duration.ofNanos(9));
            assertThat(log).isEmpty();
            time.advance(Duration.ofNanos(1));
            assertThat(log).hasSize(1);
        }

        @Test
        void forgetsACancelledTimer() {
            Timer.Scheduled scheduled = schedule(10, "timer");
            assertThat(scheduled.cancel()).isTrue();
            assertThat(scheduled.cancel()).isFalse();
            assertThat(time.pendingTimers()).isZero();
            time.advance(SECOND);
            assertThat(log).isEmpty();
        }

        @Test
        void aTimerThatRanCannotBeCancelled() {
            Timer.Scheduled scheduled = schedule(10, "timer");
            time.advance(SECOND);
            assertThat(scheduled.cancel()).isFalse();
        }

        @Test
        void keepsWhatTimersThrow() {
            IllegalStateException thrown = new IllegalStateException("of a test");
            time.time().schedule(1, () -> {
                throw thrown;
            });
            schedule(2, "next");
            time.advance(SECOND);
            assertThat(log).containsExactly("next@2");
            assertThat(time.timerFailures()).containsExactly(thrown);
        }

        @Test
        void movesFromMomentToMoment() {
            schedule(10, "one");
            schedule(3_600_000_000_000L, "two");
            assertThat(time.advanceToNext()).isTrue();
            assertThat(log).containsExactly("one@10");
            assertThat(time.advanceToNext()).isTrue();
            assertThat(time.elapsed()).isEqualTo(Duration.ofHours(1));
            assertThat(time.advanceToNext()).isFalse();
            assertThat(time.elapsed()).isEqualTo(Duration.ofHours(1));
        }

        @Test
        void movesUntilAConditionHolds() {
            CompletableFuture<String> future = new CompletableFuture<>();
            time.time().schedule(5, () -> {});
            time.time().schedule(10, () -> future.complete("done"));
            time.time().schedule(20, () -> {});
            time.advanceUntil(future::isDone);
            assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(10));
            assertThatIllegalStateException().isThrownBy(() -> time.advanceUntil(() -> false));
        }

        @Test
        void doesNotGoBack() {
            assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofNanos(-1)));
        }

        @Test
        void theWallClockFollowsAndMayJump() {
            time.advance(SECOND);
            Instant before = time.time().wallTime();
            assertThat(before).isEqualTo(VirtualTime.WALL_START.plusSeconds(1));
            time.jumpWallClock(Duration.ofHours(-1));
            assertThat(time.time().wallTime()).isEqualTo(before.minusSeconds(3_600));
            assertThat(time.elapsed()).isEqualTo(SECOND);
        }

        @Test
        void takesTimersFromManyThreads() throws Exception {
            AtomicInteger ran = new AtomicInteger();
            CyclicBarrier barrier = new CyclicBarrier(4);
            List<Thread> threads = new ArrayList<>();
            ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    try {
                        barrier.await();
                        for (int i = 0; i < 1_000; i++) {
                            time.time().schedule(i, ran::incrementAndGet);
                            time.time().schedule(i, ran::incrementAndGet).cancel();
                        }
                    } catch (Exception e) {
                        failures.add(e);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            time.advance(SECOND);
            assertThat(failures).isEmpty();
            assertThat(ran).hasValue(4_000);
        }

        private Timer.Scheduled schedule(long delayNanos, String name) {
            return time.time()
                    .schedule(
                            delayNanos,
                            () -> log.add(name + "@" + time.elapsed().toNanos()));
        }
    }

    @Nested
    class Automatic {

        private final VirtualTime time = VirtualTime.create();

        @Test
        void aParkMovesTheClockToItsEnd() {
            time.time().park(this, 30_000_000_000L);
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(30));
            assertThat(time.parks()).containsExactly(Duration.ofSeconds(30));
        }

        @Test
        void aParkEndsAtAnEarlierTimerAndGoesOnAfterIt() {
            time.time().schedule(3_000_000_000L, () -> log.add("timer"));
            long end = time.nanos() + 10_000_000_000L;
            time.time().park(this, end - time.nanos());
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(3));
            assertThat(log).containsExactly("timer");
            time.time().park(this, end - time.nanos());
            assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(10));
            assertThat(time.parks()).containsExactly(Duration.ofSeconds(10));
        }

        @Test
        void aTimerAtTheEndOfAParkRunsBeforeItReturns() {
            time.time().schedule(10, () -> log.add("timer"));
            time.time().park(this, 10);
            assertThat(log).containsExactly("timer");
        }

        @Test
        void aParkWithoutAnEndMovesToTheNextTimer() {
            time.time().schedule(10, () -> log.add("timer"));
            time.time().park(this, Nanos.FOREVER);
            assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(10));
        }

        @Test
        void aParkWithoutAnEndAndWithoutTimersWaitsForAnotherThread() throws InterruptedException {
            AtomicBoolean done = new AtomicBoolean();
            Thread thread = new Thread(() -> {
                while (!done.get()) {
                    time.time().park(this, Nanos.FOREVER);
                }
            });
            thread.start();
            time.awaitParked(1);
            time.time().schedule(10, () -> done.set(true));
            thread.join();
            assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(10));
        }

        @Test
        void aParkOfAnInterruptedThreadReturnsAtOnceAndLeavesTheFlag() {
            Thread.currentThread().interrupt();
            time.time().park(this, 1_000);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(time.elapsed()).isZero();
            assertThat(time.parks()).isEmpty();
        }

        @Test
        void aTimerMayInterruptTheParkedThread() {
            Thread me = Thread.currentThread();
            time.time().schedule(1_000, me::interrupt);
            time.time().park(this, 1_000_000);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(1_000));
        }

        @Test
        void aParkOfNoLengthIsNone() {
            time.time().park(this, 0);
            time.time().park(this, -1);
            time.time().park(this, Long.MIN_VALUE);
            assertThat(time.parks()).isEmpty();
            assertThat(time.elapsed()).isZero();
        }

        @Test
        void hasNoThreadsToFollow() {
            assertThatIllegalStateException().isThrownBy(time::threads);
        }
    }

    @Nested
    class Manual {

        private final VirtualTime time = VirtualTime.manual();

        @Test
        void aParkLastsUntilSomebodyMovesTheClockToItsEnd() throws InterruptedException {
            BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
            parkFor(1_000, woke);
            time.advance(Duration.ofNanos(999));
            assertThat(time.parked()).isEqualTo(1);
            time.advance(Duration.ofNanos(1));
            assertThat(time.parked()).isZero();
            assertThat(woke.take()).isEqualTo(Duration.ofNanos(1_000));
        }

        @Test
        void aParkEndsWhenTheThreadIsUnparked() throws InterruptedException {
            BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
            Thread thread = parkFor(1_000, woke);
            LockSupport.unpark(thread);
            assertThat(woke.take()).isZero();
        }

        @Test
        void aParkEndsWhenTheThreadIsInterrupted() throws InterruptedException {
            BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
            Thread thread = parkFor(1_000, woke);
            thread.interrupt();
            assertThat(woke.take()).isZero();
        }

        @Test
        void aParkOfAThreadThatWasUnparkedBeforeReturns() {
            LockSupport.unpark(Thread.currentThread());
            time.time().park(this, 1_000);
            assertThat(time.elapsed()).isZero();
        }

        @Test
        void movesToTheEndOfAParkAsToATimer() throws InterruptedException {
            BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
            parkFor(1_000, woke);
            time.time().schedule(2_000, () -> {});
            assertThat(time.advanceToNext()).isTrue();
            assertThat(woke.take()).isEqualTo(Duration.ofNanos(1_000));
        }

        @Test
        void stopsAtEveryMomentForTheThreadsItFollows() {
            for (int number = 1; number <= 3; number++) {
                String name = "thread " + number;
                long step = 300 + number;
                time.threads().execute(() -> {
                    for (int i = 0; i < 3; i++) {
                        sleep(step);
                        add(name + "@" + time.elapsed().toNanos());
                    }
                });
            }
            time.time().schedule(302, () -> add("timer@" + time.elapsed().toNanos()));
            time.advance(Duration.ofNanos(700));
            assertThat(log)
                    .containsExactly(
                            "thread 1@301",
                            "timer@302",
                            "thread 2@302",
                            "thread 3@303",
                            "thread 1@602",
                            "thread 2@604",
                            "thread 3@606");
            time.advance(Duration.ofNanos(300));
            assertThat(log).hasSize(10);
            assertThat(time.parked()).isZero();
        }

        @RepeatedTest(20)
        void waitsForThreadsThatOthersHaveUnparked() {
            int chain = 8;
            Thread[] threads = new Thread[chain];
            boolean[] go = new boolean[chain + 1];
            for (int i = 0; i < chain; i++) {
                int me = i;
                time.threads().execute(() -> {
                    threads[me] = Thread.currentThread();
                    while (!isSet(go, me)) {
                        time.time().park(go, Nanos.FOREVER);
                    }
                    set(go, me + 1);
                    if (me + 1 < chain) {
                        LockSupport.unpark(threads[me + 1]);
                    }
                    sleep(10);
                    add(me + "@" + time.elapsed().toNanos());
                });
                time.settle();
            }
            time.time().schedule(100, () -> {
                set(go, 0);
                LockSupport.unpark(threads[0]);
            });
            time.advance(Duration.ofNanos(200));
            assertThat(log).hasSize(chain).allMatch(entry -> entry.endsWith("@110"));
        }

        @Test
        void aLookAtWhatOthersDidIsNoNewPark() {
            time.threads().execute(() -> sleep(1_000));
            for (int i = 1; i < 10; i++) {
                time.advance(Duration.ofNanos(100));
            }
            time.settle();
            assertThat(time.parks()).containsExactly(Duration.ofNanos(1_000));
            time.advance(Duration.ofNanos(100));
            assertThat(time.parked()).isZero();
        }

        @Test
        void threadsThatItFollowsMayStartOthers() {
            time.threads().execute(() -> {
                sleep(10);
                time.threads().execute(() -> {
                    sleep(10);
                    add("inner@" + time.elapsed().toNanos());
                });
                sleep(15);
                add("outer@" + time.elapsed().toNanos());
            });
            time.advance(Duration.ofNanos(100));
            assertThat(log).containsExactly("inner@20", "outer@25");
        }

        private Thread parkFor(long nanos, BlockingQueue<Duration> woke) {
            Thread thread = new Thread(() -> {
                time.time().park(this, nanos);
                woke.add(time.elapsed());
            });
            thread.start();
            time.awaitParked(1);
            return thread;
        }

        private void sleep(long nanos) {
            long start = time.nanos();
            for (long left = nanos; left > 0; left = nanos - (time.nanos() - start)) {
                time.time().park(Thread.currentThread(), left);
            }
        }

        private void add(String entry) {
            synchronized (log) {
                log.add(entry);
            }
        }

        private boolean isSet(boolean[] flags, int i) {
            synchronized (flags) {
                return flags[i];
            }
        }

        private void set(boolean[] flags, int i) {
            synchronized (flags) {
                flags[i] = true;
            }
        }
    }
}
