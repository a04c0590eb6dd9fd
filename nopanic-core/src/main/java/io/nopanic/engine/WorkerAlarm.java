package io.nopanic.engine;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of a blocking call when its time is up, and then again after ever longer pauses until the call has ended: an interrupt
 * may be swallowed, by the code or by a shorter timeout further in that fell due at the same moment.
 */
final class WorkerAlarm implements Alarm {

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

    private static final VarHandle TIMER;

    static {
        try {
            TIMER = MethodHandles.lookup().findVarHandle(WorkerAlarm.class, "timer", Timer.Scheduled.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Interruption interruption;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /** The timer armed last; whoever arms one writes it, by compare-and-set. */
    private volatile Timer.@Nullable Scheduled timer;

    WorkerAlarm(Thread worker) {
        interruption = new Interruption(worker);
    }

    @Override
    public void arm(Time time, long delayNanos) {
        Timer.Scheduled before = timer;
        Timer.Scheduled armed = time.schedule(delayNanos, () -> goOff(time));
        // It may have gone off already. Then what that has armed stays, so that it can be cancelled.
        TIMER.compareAndSet(this, before, armed);
    }

    private void goOff(Time time) {
        if (interruption.interrupt()) {
            long delayNanos = pauseNanos;
            pauseNanos *= 2;
            arm(time, delayNanos);
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
