package io.nopanic.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in which a call that has a time limit lets a {@link Watchdog} find it. Used for one call after another, until one stays for so long
 * that it is <em>promoted</em>: then it has an alarm of its own, and the slot belongs to that call and is thrown away with it.
 *
 * <p><b>Theory of operation.</b> The state is a number that only grows. Its lowest bits are the phase and whether the slot is owned, the others count the calls; so no
 * state ever comes back, and a compare-and-set from a state seen earlier succeeds only if it is still the same call. The other fields do not change while
 * a call is WORKING; so the watchdog reads the state, then them, then the state again, and believes them if that is the same. Who ends first is decided by the
 * compare-and-set from WORKING: the call to FREE, or the watchdog to PROMOTED.
 *
 * <p>A thread that uses a slot {@value #CALLS_TO_OWN} times in a row <em>owns</em> it from then on: nobody else claims it any more, so it claims it by a plain
 * write. A slot is never taken from its owner, who may be about to write to it, however long ago it began to; the watchdog can only put another one in its
 * place and <em>retire</em> it. The owner looks for that after it has written WORKING, and the watchdog looks for WORKING for some time after it has written that the
 * slot is retired. The processor may let the owner look while its write is still on the way to memory; so the watchdog looks a round later, when any write has long become visible.
 * What depends on this is that a timeout comes; that it interrupts nothing else does not.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code state}: FREE to CLAIMED</td><td>any thread, if not owned, by compare-and-set: a call, or the watchdog to clear the slot</td></tr>
 * <tr><td>CLAIMED to WORKING, or to FREE</td><td>the same thread</td></tr>
 * <tr><td>FREE to WORKING</td><td>the owner</td></tr>
 * <tr><td>WORKING to FREE</td><td>the call, by compare-and-set</td></tr>
 * <tr><td>WORKING to PROMOTED</td><td>the watchdog, by compare-and-set; the last change</td></tr>
 * <tr><td>{@code promoted}</td><td>the watchdog, before that change</td></tr>
 * <tr><td>{@code retired}</td><td>the watchdog</td></tr>
 * <tr><td>{@code owner}</td><td>the thread that becomes it, once; only whether it is the reading thread has a meaning</td></tr>
 * <tr><td>everything else</td><td>whoever has claimed the slot, or owns it</td></tr>
 * </table>
 */
class WatchSlot {

    private static final long PHASE = 3;
    private static final long FREE = 0;
    private static final long CLAIMED = 1;
    private static final long WORKING = 2;
    private static final long PROMOTED = 3;
    private static final long OWNED = 4;
    private static final long NEXT = 8;

    /** After so many calls of one thread, with none of another in between, the slot is its own. */
    static final int CALLS_TO_OWN = 64;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WatchSlot.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through STATE
    private volatile long state;

    private long startNanos;
    private long timeoutNanos;
    private @Nullable Thread worker;
    private @Nullable Alarm alarm;
    private @Nullable Alarm promoted;
    private @Nullable Thread owner;
    private int callsInARow;
    private volatile boolean retired;

    private WatchSlot() {}

    /** A slot that is free, for many calls one after the other. */
    static WatchSlot free() {
        return new Padded();
    }

    /** The slot of a call that has an alarm of its own from the beginning. */
    static WatchSlot promoted(Alarm own) {
        WatchSlot slot = new WatchSlot();
        slot.promoted = own;
        slot.state = PROMOTED;
        return slot;
    }

    /** A call as it was found in a slot, with what is to be its alarm. */
    record Watched(Alarm alarm, long startNanos, long timeoutNanos) {}

    static boolean isFree(long state) {
        return (state & PHASE) == FREE;
    }

    static boolean isOwned(long state) {
        return (state & OWNED) != 0;
    }

    static boolean isWorking(long state) {
        return (state & PHASE) == WORKING;
    }

    long state() {
        return (long) STATE.getVolatile(this);
    }

    // ---------------- the call

    /**
     * Takes the slot for a call that begins on this thread, if it is free. The call is known by the thread or, if it has one, by its alarm.
     *
     * @param startNanos when it began, on an exact clock, or {@link Context#UNREAD_NANOS}
     */
    boolean claim(Thread caller, @Nullable Alarm alarm, long startNanos, long timeoutNanos) {
        long seen = (long) STATE.getAcquire(this);
        boolean own = owner == caller;
        if (!isFree(seen) || isOwned(seen) != own) {
            return false;
        }
        if (!own && !STATE.compareAndSet(this, seen, seen + CLAIMED)) {
            return false;
        }
        VarHandle.releaseFence();
        this.startNanos = startNanos;
        this.timeoutNanos = timeoutNanos;
        if (this.alarm != alarm) {
            this.alarm = alarm;
        }
        if (!own) {
            beginWork((isInARow(caller) ? seen + OWNED : seen) + WORKING);
            return true;
        }
        beginWork(seen + WORKING);
        if (retired) {
            end();
            return false;
        }
        return true;
    }

    /**
     * The caller looks afterwards whether anybody watches. The fence keeps HotSpot's compilers from letting it look before, for then it could be held up between the two for
     * longer than the watchdog waits. The specification promises less: that the write is not held back behind later writes.
     */
    private void beginWork(long working) {
        STATE.setRelease(this, working);
        VarHandle.releaseFence();
    }

    /** Called while the slot is claimed. A reference is stored only if it changes: that can cost more than all the rest. */
    private boolean isInARow(Thread caller) {
        if (worker != caller) {
            worker = caller;
            callsInARow = 0;
        }
        if (++callsInARow < CALLS_TO_OWN) {
            return false;
        }
        owner = caller;
        return true;
    }

    /**
     * The call has ended. Called once.
     *
     * @return whether it was interrupted before it ended
     */
    boolean end() {
        long seen = (long) STATE.getAcquire(this);
        if (isWorking(seen) && STATE.compareAndSet(this, seen, seen - WORKING + NEXT)) {
            return false;
        }
        return Objects.requireNonNull(promoted).off();
    }

    // ---------------- the watchdog

    /** The call that is in the slot, unless that has changed. */
    @Nullable Watched watched(long seen) {
        Thread thread = worker;
        Alarm own = alarm;
        long beganNanos = startNanos;
        long limitNanos = timeoutNanos;
        VarHandle.acquireFence();
        if (state() != seen) {
            return null;
        }
        return new Watched(own != null ? own : new WorkerAlarm(Objects.requireNonNull(thread)), beganNanos, limitNanos);
    }

    /** Gives the call an alarm of its own; {@code false} if the call has ended, and the alarm is not used. */
    boolean promote(long seen, Alarm own) {
        promoted = own;
        if (STATE.compareAndSet(this, seen, seen - WORKING + PROMOTED)) {
            return true;
        }
        promoted = null;
        return false;
    }

    /** Tells the owner to use the slot no more. It may still do so until it sees this. */
    void retire() {
        retired = true;
    }

    /** Lets go of what the last call left behind, if the slot was free and still is; the state from then on. */
    long clear(long seen) {
        boolean empty = worker == null && alarm == null;
        if (empty || !isFree(seen) || isOwned(seen) || !STATE.compareAndSet(this, seen, seen + CLAIMED)) {
            return seen;
        }
        worker = null;
        alarm = null;
        STATE.setRelease(this, seen + NEXT);
        return seen + NEXT;
    }

    /** Keeps the fields of slots that were made one after the other from sharing a cache line, or that line's pair. */
    @SuppressWarnings("UnusedVariable")
    private static final class Padded extends WatchSlot {
        private long p0;
        private long p1;
        private long p2;
        private long p3;
        private long p4;
        private long p5;
        private long p6;
        private long p7;
        private long p8;
        private long p9;
        private long p10;
        private long p11;
        private long p12;
        private long p13;
        private long p14;
        private long p15;
    }
}
