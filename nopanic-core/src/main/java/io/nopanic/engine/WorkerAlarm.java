package io.nopanic.engine;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of a blocking call when its time is up, and then again after ever longer pauses until the call has ended: an interrupt
 * may be swallowed, by the code or by a shorter timeout further in that fell due at the same moment.
 */
final class WorkerAlarm implements Alarm {

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

    private final Interruption interruption;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private volatile Timer.@Nullable Scheduled timer;

    WorkerAlarm(Thread worker) {
        interruption = new Interruption(worker);
    }

    @Override
    public void arm(Time time, long delayNanos) {
        timer = time.schedule(delayNanos, () -> goOff(time));
    }

    private void goOff(Time time) {
        if (interruption.interrupt()) {
            arm(time, pauseNanos);
            pauseNanos *= 2;
            if (interruption.isDone()) {
                cancel();
            }
        }
    }

    @Override
    public boolean off() {
        boolean interrupted = interruption.done();
        cancel();
        return interrupted;
    }

    private void cancel() {
        Objects.requireNonNull(timer, "not armed").cancel();
    }
}
