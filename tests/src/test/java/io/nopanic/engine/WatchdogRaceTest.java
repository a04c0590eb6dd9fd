package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many real threads on the real clock; nothing here depends on how long anything takes. */
@org.junit.jupiter.api.Timeout(60)
class WatchdogRaceTest {

    private static final long SHORT_NANOS = Watchdog.SHORTEST_NANOS;
    private static final long LONG_NANOS = 50_000_000_000L;

    private final Time time = Time.system();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger interrupted = new AtomicInteger();

    @Test
    void interruptsLongCallsNeverEarlyAndShortOnesNever() throws Exception {
        Watchdog watchdog = new Watchdog(time, 8);
        List<Thread> callers = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            callers.add(new Thread(() -> {
                for (int i = 1; i <= 8; i++) {
                    for (int quick = 0; quick < 40 * i * i; quick++) {
                        quickCall(watchdog);
                    }
                    hangingCall(watchdog);
                }
            }));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(interrupted).hasValue(6 * 8);
    }

    private void quickCall(Watchdog watchdog) {
        WatchSlot outer = watchdog.watch(time.nanos(), LONG_NANOS);
        WatchSlot inner = watchdog.watch(time.nanos(), LONG_NANOS);
        if (inner.end() || outer.end() || Thread.currentThread().isInterrupted()) {
            wrong.add("a quick call was interrupted");
        }
    }

    private void hangingCall(Watchdog watchdog) {
        long startNanos = time.nanos();
        WatchSlot slot = watchdog.watch(startNanos, SHORT_NANOS);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException expected) {
            if (time.nanos() - startNanos < SHORT_NANOS) {
                wrong.add("early");
            }
        }
        if (slot.end()) {
            interrupted.incrementAndGet();
        }
        if (Thread.interrupted()) {
            wrong.add("a flag was left");
        }
    }
}
