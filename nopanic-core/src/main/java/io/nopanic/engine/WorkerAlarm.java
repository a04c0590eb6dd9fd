package io.nopanic.engine;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Interrupts the thread of a blocking call when its time is up, and then again after ever longer pauses until the call has ended: an interrupt
 * may be swallowed, by the code or by a shorter timeout further in that fell due at the same moment.
 */
final class WorkerAlarm implements Alarm {

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

    /** So many times the first pause is the longest. */
    private static final int MOST_DOUBLINGS = 30;

    private static final Armed NOT_YET = new Armed(0, () -> false);

    private final Interruption interruption;
    private final AtomicReference<Armed> latest = new AtomicReference<>(NOT_YET);

    /**
     * A timer.
     *
     * @param number the how manieth
     */
    private record Armed(int number, Timer.Scheduled timer) {

        Armed orLater(Armed other) {
            return other.number > number ? other : this;
        }
    }

    WorkerAlarm(Thread worker) {
        interruption = new Interruption(worker);
    }

    @Override
    public void arm(Time time, long delayNanos) {
        arm(time, delayNanos, 1);
    }

    /** A timer may have gone off and armed the next one before whoever armed it can say so here: the later stays, so that it can be cancelled. */
    private void arm(Time time, long delayNanos, int number) {
        Armed armed = new Armed(number, time.schedule(delayNanos, () -> goOff(time, number)));
        latest.accumulateAndGet(armed, Armed::orLater);
    }

    private void goOff(Time time, int number) {
        if (interruption.interrupt()) {
            arm(time, FIRST_PAUSE_NANOS << Math.min(number - 1, MOST_DOUBLINGS), number + 1);
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
        Objects.requireNonNull(latest.get()).timer.cancel();
    }
}
