package io.nopanic.engine;

import io.nopanic.threads.ThreadHash;
import io.nopanic.time.Time;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that calls with a time limit have an alarm by the time they need one. Nearly all calls end long before that, so a call only claims a
 * {@link WatchSlot} and gives it back: two compare-and-sets on memory that mostly this thread uses. Thread-safe.
 *
 * <p><b>Theory of operation.</b> While calls come, a timer goes round the slots every {@value #ROUND_NANOS} ns. A call that it meets a
 * second time, in the same slot and the same state, has run for at least a round; it is promoted: it gets an {@link Alarm} on the timer, for its own
 * exact moment, and takes its slot along, while a new one is put in its place. So the slots need only hold the calls that began in the last two rounds, however many
 * are waiting for an answer. The number of slots is fixed, and with it what a round costs.
 *
 * <p>A call has its alarm at once, as a timer of its own, if its limit is shorter than {@value #SHORTEST_NANOS} ns, so that two late rounds could miss it; if
 * it finds no free slot among {@value #PROBES}; and if it runs on a time that is not the machine's, in which every timer is seen by those who move the clock.
 *
 * <p>An alarm is as exact as the timer, and never early. With a coarse clock nobody knows when a call began; then the limit runs from when it was first met, at
 * most a round later.
 *
 * <p>The rounds stop when for {@value #QUIET_ROUNDS} of them all slots were free and untouched. Whoever claims a slot then looks whether there are rounds, and
 * starts them if not; whoever stops them says so, and a round later looks at all slots a last time. So at least one sees the other.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code rounds}</td><td>to true: a call, or the watchdog after its last look, by compare-and-set; to false: the watchdog</td></tr>
 * <tr><td>everything else</td><td>the watchdog: whoever runs a round; the timer runs one after the other</td></tr>
 * </table>
 */
final class Watchdog implements Runnable {

    static final long ROUND_NANOS = 5_000_000;

    static final long SHORTEST_NANOS = 4 * ROUND_NANOS;

    static final int QUIET_ROUNDS = 100;

    /** How many slots a call looks at. */
    static final int PROBES = 4;

    private static final int LEAST_SLOTS = 64;

    private static final long NEVER_NANOS = Long.MAX_VALUE;

    private static final long NOT_SEEN = -1;

    private static final Watchdog OF_MACHINE = new Watchdog(
            Time.system(), Math.max(LEAST_SLOTS, 4 * Runtime.getRuntime().availableProcessors()));

    private final Time time;
    private final long shortestNanos;
    private final AtomicBoolean rounds = new AtomicBoolean();

    /** First those for calls, then as many places for those that each of them replaced last, if they may still be in use. */
    private final AtomicReferenceArray<@Nullable WatchSlot> slots;

    private final int mask;
    private final int slotBits;
    private final long[] seen;
    private final long[] seenAtNanos;
    private int quietRounds;

    private Watchdog(Time time) {
        this.time = time;
        slots = new AtomicReferenceArray<>(0);
        mask = 0;
        slotBits = 1;
        shortestNanos = NEVER_NANOS;
        seen = new long[0];
        seenAtNanos = seen;
    }

    /**
     * @param time an exact time, whose timer runs one action after the other
     * @param leastSlots how many slots there are, rounded up to a power of two above 1
     */
    Watchdog(Time time, int leastSlots) {
        this.time = time;
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(2, leastSlots) - 1);
        shortestNanos = SHORTEST_NANOS;
        mask = (1 << bits) - 1;
        slotBits = bits;
        seen = new long[2 << bits];
        seenAtNanos = new long[2 << bits];
        slots = new AtomicReferenceArray<>(2 << bits);
        for (int i = 0; i <= mask; i++) {
            slots.set(i, WatchSlot.free());
        }
    }

    /** The watchdog for calls that run on this time: one for the whole process, unless it is not the machine's. */
    static Watchdog of(Time time) {
        return time.exact() == Time.system() ? OF_MACHINE : new Watchdog(time);
    }

    /**
     * A blocking call begins on this thread, which is to be interrupted if it takes too long. The caller ends the slot.
     *
     * @param startNanos when it began, on an exact clock, or {@link Context#UNREAD_NANOS}
     */
    WatchSlot watch(long startNanos, long timeoutNanos) {
        WatchSlot slot = slot(null, startNanos, timeoutNanos);
        return slot != null ? slot : alone(new WorkerAlarm(Thread.currentThread()), startNanos, timeoutNanos);
    }

    /** The same for a call that any thread may end, with an alarm of its own. */
    WatchSlot watch(Alarm alarm, long startNanos, long timeoutNanos) {
        WatchSlot slot = slot(alarm, startNanos, timeoutNanos);
        return slot != null ? slot : alone(alarm, startNanos, timeoutNanos);
    }

    private WatchSlot alone(Alarm alarm, long startNanos, long timeoutNanos) {
        long usedNanos = startNanos == Context.UNREAD_NANOS ? 0 : time.nanos() - startNanos;
        alarm.arm(time, timeoutNanos - usedNanos);
        return WatchSlot.promoted(alarm);
    }

    private @Nullable WatchSlot slot(@Nullable Alarm alarm, long startNanos, long timeoutNanos) {
        if (timeoutNanos < shortestNanos) {
            return null;
        }
        Thread caller = Thread.currentThread();
        int home = (int) ThreadHash.of(caller.getId(), slotBits);
        for (int i = 0; i < PROBES; i++) {
            WatchSlot slot = slots.getAcquire((home + i) & mask);
            if (slot != null && slot.claim(caller, alarm, startNanos, timeoutNanos)) {
                if (!rounds.get()) {
                    begin(slot);
                }
                return slot;
            }
        }
        return null;
    }

    /** Starts the rounds; if that cannot be done, the call does not begin. */
    private void begin(WatchSlot slot) {
        if (rounds.compareAndSet(false, true)) {
            try {
                scheduleRound();
            } catch (Throwable thrown) {
                slot.end();
                throw thrown;
            }
        }
    }

    private void scheduleRound() {
        try {
            time.schedule(ROUND_NANOS, this);
        } catch (Throwable thrown) {
            rounds.set(false);
            throw thrown;
        }
    }

    // ---------------- the rounds

    @Override
    public void run() {
        try {
            quietRounds = goRound() ? 0 : quietRounds + 1;
        } finally {
            if (quietRounds < QUIET_ROUNDS) {
                scheduleRound();
            } else {
                quietRounds = 0;
                rounds.set(false);
                time.schedule(ROUND_NANOS, this::lastLook);
            }
        }
    }

    private void lastLook() {
        if (goRound() && rounds.compareAndSet(false, true)) {
            scheduleRound();
        }
    }

    /** Whether any slot was in use or has been since the last time. */
    private boolean goRound() {
        boolean busy = false;
        for (int i = 0; i < seen.length; i++) {
            WatchSlot slot = slots.getPlain(i);
            if (slot != null) {
                busy |= visit(i, slot);
            }
        }
        return busy;
    }

    private boolean visit(int i, WatchSlot slot) {
        long state = slot.state();
        if (state != seen[i]) {
            seen[i] = state;
            // The reading comes after the state, so the call began before it.
            seenAtNanos[i] = WatchSlot.isWorking(state) ? time.nanos() : 0;
            return true;
        }
        if (WatchSlot.isWorking(state)) {
            promote(i, slot);
        } else if (WatchSlot.isOwned(state)) {
            retire(i, slot);
        } else {
            seen[i] = slot.clear(state);
        }
        return !WatchSlot.isFree(state);
    }

    private void promote(int i, WatchSlot slot) {
        WatchSlot.Watched call = slot.watched(seen[i]);
        if (call == null) {
            return;
        }
        WatchSlot fresh = freshFor(i);
        long startNanos = call.startNanos() == Context.UNREAD_NANOS ? seenAtNanos[i] : call.startNanos();
        // Armed first, so that whatever fails here leaves the call to the next round. The alarm cannot go off
        // meanwhile: this is the timer's thread.
        call.alarm().arm(time, startNanos + call.timeoutNanos() - time.nanos());
        if (slot.promote(seen[i], call.alarm())) {
            replace(i, fresh);
        } else {
            call.alarm().off();
        }
    }

    /** Gives the place of a slot that its owner has not used for a round to others. */
    private void retire(int i, WatchSlot slot) {
        int retired = i + mask + 1;
        if (i > mask) {
            replace(i, null);
        } else if (slots.getPlain(retired) == null) {
            WatchSlot fresh = freshFor(i);
            slots.setPlain(retired, slot);
            seen[retired] = NOT_SEEN;
            slot.retire();
            replace(i, fresh);
        }
    }

    private @Nullable WatchSlot freshFor(int i) {
        return i <= mask ? WatchSlot.free() : null;
    }

    private void replace(int i, @Nullable WatchSlot fresh) {
        slots.setRelease(i, fresh);
        seen[i] = fresh == null ? 0 : fresh.state();
    }
}
