package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many real threads on the real clock; nothing here depends on how long anything takes. */
@Timeout(60)
class WheelTimerRaceTest {

    private static final long IDLE_NANOS = 1_000_000_000L;

    @Test
    void eitherRunsOrIsCancelledNeverBothNorNeither() throws InterruptedException {
        WheelTimer real = new WheelTimer(System::nanoTime, LockSupport::parkNanos, WheelTimer::newThread, IDLE_NANOS);
        int total = 20_000;
        AtomicInteger ran = new AtomicInteger();
        int cancelled = 0;
        List<Timer.Scheduled> recent = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            recent.add(real.schedule(i % 3 * 60_000, ran::incrementAndGet));
            if (recent.size() == 4) {
                for (Timer.Scheduled each : recent) {
                    cancelled += each.cancel() ? 1 : 0;
                }
                recent.clear();
            }
        }
        CountDownLatch last = new CountDownLatch(1);
        real.schedule(1_000_000, last::countDown);
        await(last);
        assertThat(ran.get() + cancelled).isEqualTo(total);
        assertThat(real.size()).isZero();
    }

    @Test
    void losesNoActionWhileItsThreadEnds() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        ThreadFactory counting = body -> {
            started.incrementAndGet();
            return WheelTimer.newThread(body);
        };
        WheelTimer restless = new WheelTimer(System::nanoTime, LockSupport::parkNanos, counting, 1);
        for (int i = 0; i < 3_000; i++) {
            CountDownLatch ran = new CountDownLatch(2);
            restless.schedule(0, ran::countDown);
            restless.schedule(i % 100 * 1_000, ran::countDown);
            await(ran);
        }
        assertThat(started).hasValueGreaterThan(1);
        assertThat(restless.size()).isZero();
    }

    @Test
    void takesActionsFromManyThreadsAtOnce() throws InterruptedException {
        WheelTimer real = new WheelTimer(System::nanoTime, LockSupport::parkNanos, WheelTimer::newThread, IDLE_NANOS);
        int perThread = 5_000;
        int threadCount = 4;
        ConcurrentLinkedQueue<Long> early = new ConcurrentLinkedQueue<>();
        CountDownLatch ran = new CountDownLatch(threadCount * perThread);
        List<Thread> callers = new ArrayList<>();
        for (int t = 0; t < threadCount; t++) {
            Thread caller = new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    long delay = i % 50 * 100_000L;
                    long start = System.nanoTime();
                    real.schedule(delay, () -> {
                        long took = System.nanoTime() - start;
                        if (took < delay) {
                            early.add(took - delay);
                        }
                        ran.countDown();
                    });
                    real.schedule(delay + 1_000_000_000L, () -> early.add(0L)).cancel();
                }
            });
            callers.add(caller);
            caller.start();
        }
        await(ran);
        callers.forEach(WheelTimerRaceTest::join);
        assertThat(early).isEmpty();
        assertThat(real.size()).isZero();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void join(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}
