package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
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
}
