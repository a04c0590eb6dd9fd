package io.nopanic.engine;

import io.nopanic.stress.interleavings.HandTime;
import io.nopanic.time.Time;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** Calls with a time limit that meet in one slot, and the watchdog, which gives those that it finds an alarm of their own. */
public final class SlotSubject {

    private static final long TIMEOUT_NANOS = 1_000_000_000L;

    /** An alarm that counts; it says of its call that it was interrupted. */
    private static final class Counted implements Alarm {

        private volatile boolean isPromoted;
        private volatile boolean isOff;

        @Override
        public void arm(Time time, long delayNanos) {}

        @Override
        public boolean off() {
            isOff = true;
            return true;
        }
    }

    private final Queue<Counted> alarms = new ConcurrentLinkedQueue<>();
    private volatile WatchSlot slot = WatchSlot.free();

    /** A call begins and ends, if the slot is free for it. */
    @Operation
    public void call() {
        Counted alarm = new Counted();
        WatchSlot own = slot;
        if (own.claim(Thread.currentThread(), alarm, HandTime.START_NANOS, TIMEOUT_NANOS)) {
            alarms.add(alarm);
            own.end();
        }
    }

    /** The watchdog comes by. */
    @Operation(nonParallelGroup = "watchdog")
    public void round() {
        WatchSlot visited = slot;
        long seen = visited.state();
        if (!WatchSlot.isWorking(seen)) {
            visited.clear(seen);
            return;
        }
        WatchSlot.Watched call = visited.watched(seen);
        if (call != null && visited.promote(seen, call.alarm())) {
            ((Counted) call.alarm()).isPromoted = true;
            slot = WatchSlot.free();
        }
    }

    /** Whether those that were promoted, and no others, turned their alarm off when they ended. */
    @Validate
    public void alarmsGoOffForNobody() {
        for (Counted alarm : alarms) {
            if (alarm.isPromoted != alarm.isOff) {
                throw new IllegalStateException(
                        "a call was promoted: " + alarm.isPromoted + ", and turned its alarm off: " + alarm.isOff);
            }
        }
    }
}
