package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nopanic.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds in both modes. */
@Timeout(60)
class VirtualTimeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> log = new ArrayList<>();

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
                .schedule(delayNanos, () -> log.add(name + "@" + time.elapsed().toNanos()));
    }
}
