package io.nopanic.ratelimit;

import io.nopanic.time.Nanos;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes at most {@code n} permits in any half-open span of time as long as the period, by remembering when each of the last {@code n}
 * was taken: the next one is there when the oldest of them is a period ago. Costs 8 bytes per permit, and a short lock per call.
 *
 * <p>Every {@code n}-th permit, counted from any one, forms a chain in which neighbours are at least a period apart. A span as long as a
 * period holds at most one of each of the {@code n} chains.
 *
 * <p>While open, everything is guarded by {@link #lock}; while closed, by the lock of the line.
 */
final class RollingWindow extends Meter {

    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;
    private long periodNanos;

    /** A ring: from {@link #oldest} on, when the last permits were taken. Those in the past by a period or more need not be in order. */
    private long[] takenNanos;

    private int oldest;
    private volatile int burst;

    /** Permits taken so far, given back or not. May overflow; used by difference only. */
    private long taken;

    private long version;

    /** A window in which nothing has been taken. */
    RollingWindow(int permits, long periodNanos, long nowNanos) {
        this.periodNanos = periodNanos;
        burst = permits;
        takenNanos = new long[permits];
        Arrays.fill(takenNanos, notTakenNanos(nowNanos));
    }

    /** What stands in the ring for a permit that was not taken: so long ago that it counts for no period, should that become longer. */
    private static long notTakenNanos(long nowNanos) {
        return nowNanos - Pace.MAX_NANOS;
    }

    @Override
    int burst() {
        return burst;
    }

    @Override
    boolean tryTake(int permits, long nowNanos) {
        lock.lock();
        try {
            return !closed && take(permits, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    @Override
    long takeOrWaitNanos(int permits, long nowNanos) {
        lock.lock();
        try {
            if (closed || permits > burst) {
                return UNKNOWN;
            }
            return take(permits, nowNanos) ? 0 : waitNanos(permits, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    @Override
    void close() {
        setClosed(true);
    }

    @Override
    void open() {
        setClosed(false);
    }

    private void setClosed(boolean value) {
        lock.lock();
        try {
            closed = value;
        } finally {
            lock.unlock();
        }
    }

    @Override
    boolean take(int permits, long nowNanos) {
        if (permits > takenNanos.length || waitNanos(permits, nowNanos) > 0) {
            return false;
        }
        long latestNanos = takenNanos[slot(-1)];
        long timeNanos = latestNanos - nowNanos > 0 ? latestNanos : nowNanos;
        for (int i = 0; i < permits; i++) {
            takenNanos[slot(i)] = timeNanos;
        }
        oldest = slot(permits);
        taken += permits;
        return true;
    }

    @Override
    long waitNanos(long permits, long nowNanos) {
        long wholeRings = (permits - 1) / takenNanos.length;
        int inRing = (int) ((permits - 1) % takenNanos.length);
        long ageNanos = nowNanos - takenNanos[slot(inRing)];
        long firstNanos = Math.max(0, periodNanos - ageNanos);
        if (wholeRings > Nanos.FOREVER / periodNanos) {
            return Nanos.FOREVER;
        }
        return Nanos.plus(firstNanos, wholeRings * periodNanos);
    }

    @Override
    int available(long nowNanos) {
        int there = 0;
        int notThere = takenNanos.length + 1;
        while (notThere - there > 1) {
            int middle = (there + notThere) >>> 1;
            if (waitNanos(middle, nowNanos) == 0) {
                there = middle;
            } else {
                notThere = middle;
            }
        }
        return there;
    }

    @Override
    long mark() {
        return taken;
    }

    @Override
    long version() {
        return version;
    }

    /**
     * Takes those permits out of the ring; the later ones close up. Where later ones were given back before, older ones leave the ring in
     * their stead, which is on the safe side.
     */
    @Override
    void giveBack(int permits, long mark, long nowNanos) {
        long later = taken - mark;
        if (later + permits > takenNanos.length) {
            return;
        }
        for (int i = (int) later; i > 0; i--) {
            takenNanos[slot(-i - permits)] = takenNanos[slot(-i)];
        }
        for (int i = 1; i <= permits; i++) {
            takenNanos[slot(-i)] = notTakenNanos(nowNanos);
        }
        oldest = slot(-permits);
    }

    @Override
    void change(Rate next, long nowNanos) {
        change(next.permits(), next.periodNanos(), nowNanos);
    }

    /** Changes the limit. The latest permits stay remembered, as many as the old and the new ring hold. */
    void change(int permits, long newPeriodNanos, long nowNanos) {
        long[] next = new long[permits];
        Arrays.fill(next, notTakenNanos(nowNanos));
        for (int i = 1; i <= Math.min(permits, takenNanos.length); i++) {
            next[permits - i] = takenNanos[slot(-i)];
        }
        takenNanos = next;
        oldest = 0;
        periodNanos = newPeriodNanos;
        burst = permits;
        version++;
    }

    /** The place in the ring, counted from the oldest; negative from the end. */
    private int slot(int offset) {
        return Math.floorMod(oldest + (long) offset, takenNanos.length);
    }
}
