package io.nopanic.stress.soak;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The machine's time, whose timers are counted from when they are set until they have run or were cancelled. */
final class CountedTime {

    private final AtomicLong pending = new AtomicLong();
    final AtomicLong scheduled = new AtomicLong();
    final Time time = Time.of(System::nanoTime, this::schedule, LockSupport::parkNanos, InstantSource.system());

    long pending() {
        return pending.get();
    }

    private Timer.Scheduled schedule(long delayNanos, Runnable action) {
        AtomicBoolean gone = new AtomicBoolean();
        pending.incrementAndGet();
        scheduled.incrementAndGet();
        Timer.Scheduled inner = Time.system().schedule(delayNanos, () -> {
            leave(gone);
            action.run();
        });
        return () -> {
            boolean cancelled = inner.cancel();
            if (cancelled) {
                leave(gone);
            }
            return cancelled;
        };
    }

    private void leave(AtomicBoolean gone) {
        if (gone.compareAndSet(false, true)) {
            pending.decrementAndGet();
        }
    }
}
