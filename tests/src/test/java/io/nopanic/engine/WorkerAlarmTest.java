package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An alarm on a timer that is quicker than the thread which arms it. */
class WorkerAlarmTest {

    private final List<Armed> timers = new ArrayList<>();
    private int quick;

    private final Time time =
            Time.of(() -> 0, this::schedule, (blocker, nanos) -> Thread.onSpinWait(), () -> Instant.EPOCH);

    private static final class Armed implements Timer.Scheduled {

        private boolean pending = true;

        @Override
        public boolean cancel() {
            boolean was = pending;
            pending = false;
            return was;
        }
    }

    /** The first few actions run before the handles that cancel them are returned. */
    private Timer.Scheduled schedule(long delayNanos, Runnable action) {
        Armed armed = new Armed();
        timers.add(armed);
        if (timers.size() <= quick) {
            armed.pending = false;
            action.run();
        }
        return armed;
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void noTimerIsLeftHoweverSoonTheFirstGoOff(int many) {
        quick = many;
        WorkerAlarm alarm = new WorkerAlarm(Thread.currentThread());
        alarm.arm(time, 1);

        assertThat(alarm.off()).isEqualTo(many > 0);
        assertThat(timers).hasSize(many + 1).noneMatch(armed -> armed.pending);
    }

    /** The first timer goes off before its handle is there, and arms the next only after whoever armed the first has gone on. */
    @Test
    void noTimerIsLeftThoughTheNextIsArmedAsTheFirstIsPutDown() throws Exception {
        CountDownLatch goneOff = new CountDownLatch(1);
        CountDownLatch putDown = new CountDownLatch(1);
        List<Armed> armed = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        Time slow = Time.of(
                () -> 0,
                (delayNanos, action) -> {
                    Armed timer = new Armed();
                    armed.add(timer);
                    if (armed.size() == 1) {
                        timer.pending = false;
                        Thread thread = new Thread(action);
                        threads.add(thread);
                        thread.start();
                        await(goneOff);
                    } else {
                        goneOff.countDown();
                        await(putDown);
                    }
                    return timer;
                },
                (blocker, nanos) -> Thread.onSpinWait(),
                () -> Instant.EPOCH);
        WorkerAlarm alarm = new WorkerAlarm(new Thread());
        alarm.arm(slow, 1);
        putDown.countDown();
        threads.get(0).join();
        alarm.off();
        assertThat(armed).hasSize(2).noneMatch(timer -> timer.pending);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
