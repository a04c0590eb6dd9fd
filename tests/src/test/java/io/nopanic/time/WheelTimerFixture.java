package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A timer whose thread is real, and whose clock and parking are virtual: a test meets the thread whenever it parks. */
abstract class WheelTimerFixture {

    static final long IDLE_NANOS = 1_000_000_000L;
    static final Duration TWO_TICKS = Duration.ofNanos(2 * TimerWheel.TICK_NANOS);

    final VirtualTime time = VirtualTime.manual();
    final List<Thread> threads = new ArrayList<>();
    final CountDownLatch letRun = new CountDownLatch(1);
    final WheelTimer timer = new WheelTimer(time::nanos, time.time()::park, this::newThread, IDLE_NANOS);

    /** The thread waits until the test has scheduled all that it shall find. */
    Thread newThread(Runnable body) {
        Thread thread = WheelTimer.newThread(() -> {
            try {
                letRun.await();
                body.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        threads.add(thread);
        return thread;
    }

    void letThreadPark() {
        letRun.countDown();
        time.awaitParked(1);
    }

    /** Moves the clock and waits until the timer's thread has done what there was to do and parks again. */
    void advance(Duration duration) {
        time.advance(duration);
        time.awaitParked(1);
    }

    /** Waits until the thread, woken by something other than the clock, has parked again. */
    void awaitParks(int count) {
        time.awaitParks(count);
        time.awaitParked(1);
    }

    static void join(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }
}
