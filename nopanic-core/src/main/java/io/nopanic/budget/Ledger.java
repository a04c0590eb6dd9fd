package io.nopanic.budget;

import io.nopanic.threads.StripedCount;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The books of a budget: a ring of slices, each a tenth of the window, with the calls and the extra calls of that time.
 *
 * <p>Calls go into one adder. The first question in a new slice <em>turns</em> the ledger: it takes what was added
 * since the last {@link Look}, spreads it evenly over the time since then, adds up the ring, and puts up a new
 * {@link Slice} that carries what the whole window allows before any further call. Until the next turn a question is a
 * comparison and one compare-and-set.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><th>field<th>written by<th>how
 * <tr><td>{@link #calls}<td>every call<td>{@link StripedCount}
 * <tr><td>{@link #slice}<td>whoever turns or gives back<td>volatile, holding {@link #turning}
 * <tr><td>{@link #ringCalls}, {@link #ringSpent}<td>the same<td>plain, holding {@link #turning}
 * <tr><td>{@link Slice#look}<td>a question that finds a grant's worth of new calls<td>volatile; either of two is true
 * <tr><td>{@link Slice#spent}<td>every granted question<td>compare-and-set
 * <tr><td>the same<td>whoever replaces the slice, once, to close it<td>get-and-set
 * </table>
 *
 * <p>A closed slice grants nothing, so no grant can be lost between counting a slice's grants and putting up the next
 * one.
 */
final class Ledger {

    private static final int SLICES_PER_WINDOW = 10;

    /** The current slice, which has only begun, and a whole window before it. */
    private static final int RING = SLICES_PER_WINDOW + 1;

    private static final long CLOSED = Long.MIN_VALUE;

    /** Much more than the error of adding up shares, much less than a call. */
    private static final double ROUNDING = 1e-6;

    private final double ratio;
    private final double reserve;
    private final long windowNanos;
    private final long sliceNanos;
    private final StripedCount calls = new StripedCount();
    private final ReentrantLock turning = new ReentrantLock();
    private final double[] ringCalls = new double[RING];
    private final long[] ringSpent = new long[RING];
    private volatile Slice slice;

    /**
     * @param ratio extra calls per call
     * @param reserve extra calls per window without any call
     * @param windowNanos how far back calls count; more than {@value #SLICES_PER_WINDOW}
     * @param nowNanos the time
     */
    Ledger(double ratio, double reserve, long windowNanos, long nowNanos) {
        this.ratio = ratio;
        this.reserve = reserve;
        this.windowNanos = windowNanos;
        sliceNanos = windowNanos / SLICES_PER_WINDOW;
        slice = new Slice(0, nowNanos, new Look(nowNanos, 0), reserve, 0);
    }

    void count() {
        calls.increment();
    }

    boolean trySpend(long nowNanos) {
        while (true) {
            Slice current = at(nowNanos);
            long spent = current.spent.get();
            if (spent + 1 > allowed(current, nowNanos)) {
                return false;
            }
            if (spent != CLOSED && current.spent.compareAndSet(spent, spent + 1)) {
                return true;
            }
        }
    }

    long available(long nowNanos) {
        while (true) {
            Slice current = at(nowNanos);
            long spent = current.spent.get();
            if (spent != CLOSED) {
                return Math.max(0, (long) (allowed(current, nowNanos) - spent));
            }
        }
    }

    void giveBack(long spentAtNanos) {
        turning.lock();
        try {
            Slice old = slice;
            long behindNanos = old.startNanos - spentAtNanos;
            long behind = behindNanos <= 0 ? 0 : (behindNanos - 1) / sliceNanos + 1;
            close(old);
            for (long back = behind; back < RING; back++) {
                int place = place(old.index - back);
                if (ringSpent[place] > 0) {
                    ringSpent[place]--;
                    break;
                }
            }
            Look look = old.look;
            ringCalls[place(old.index)] += look.counted - old.counted;
            slice = slice(old.index, old.startNanos, look);
        } finally {
            turning.unlock();
        }
    }

    private double allowed(Slice current, long nowNanos) {
        long counted = calls.sum();
        if (ratio * (counted - current.look.counted) >= 1) {
            current.look = new Look(later(nowNanos, current.startNanos), counted);
        }
        return current.allowance + ratio * (counted - current.counted) + ROUNDING;
    }

    /**
     * The slice of that moment, turning the ledger if it is a new one. A moment shortly before the current slice is
     * taken as in it.
     */
    private Slice at(long nowNanos) {
        Slice current = slice;
        while (true) {
            if (current.spent.get() == CLOSED) {
                current = replacement();
            } else if (current.covers(nowNanos, sliceNanos, windowNanos)) {
                return current;
            } else {
                turn(current, nowNanos);
                current = slice;
            }
        }
    }

    /** Waits for whoever closed a slice to put up the next. */
    private Slice replacement() {
        turning.lock();
        try {
            return slice;
        } finally {
            turning.unlock();
        }
    }

    private void turn(Slice seen, long nowNanos) {
        turning.lock();
        try {
            if (slice == seen) {
                close(seen);
                slice = nowNanos - seen.startNanos < 0 ? restart(seen, nowNanos) : next(seen, nowNanos);
            }
        } finally {
            turning.unlock();
        }
    }

    /** Ends the grants of a slice that is about to be replaced, and books them. */
    private void close(Slice old) {
        ringSpent[place(old.index)] = old.spent.getAndSet(CLOSED);
    }

    private Slice next(Slice old, long nowNanos) {
        Look look = old.look;
        ringCalls[place(old.index)] += look.counted - old.counted;
        long steps = (nowNanos - old.startNanos) / sliceNanos;
        for (long step = Math.max(1, steps - RING + 1); step <= steps; step++) {
            ringCalls[place(old.index + step)] = 0;
            ringSpent[place(old.index + step)] = 0;
        }
        long counted = calls.sum();
        double perNano = (counted - look.counted) / (double) (nowNanos - look.nanos);
        for (long step = Math.max(0, steps - RING + 1); step <= steps; step++) {
            long fromNanos = old.startNanos + step * sliceNanos;
            long begin = later(fromNanos, look.nanos);
            long end = step == steps ? nowNanos : fromNanos + sliceNanos;
            ringCalls[place(old.index + step)] += perNano * (end - begin);
        }
        return slice(old.index + steps, old.startNanos + steps * sliceNanos, new Look(nowNanos, counted));
    }

    /**
     * The clock is not the one of before: what was granted stays on the books, what was called since the last turn is
     * dropped.
     */
    private Slice restart(Slice old, long nowNanos) {
        return slice(old.index, nowNanos, new Look(nowNanos, calls.sum()));
    }

    /** The slice that continues the ring; the grants of its own time stay with it. */
    private Slice slice(long index, long startNanos, Look look) {
        double allowance = reserve;
        for (int place = 0; place < RING; place++) {
            allowance += ratio * ringCalls[place] - ringSpent[place];
        }
        long spent = ringSpent[place(index)];
        return new Slice(index, startNanos, look, allowance + spent, spent);
    }

    private static long later(long aNanos, long bNanos) {
        return aNanos - bNanos > 0 ? aNanos : bNanos;
    }

    private static int place(long index) {
        return Math.floorMod(index, RING);
    }

    /** How many calls there had been at a moment. */
    private record Look(long nanos, long counted) {}

    /** What one tenth of the window knows. */
    private static final class Slice {

        final long index;
        final long startNanos;

        /** How many of all calls are in {@link #allowance} already. */
        final long counted;

        /** Extra calls that this slice may grant in all, before those that calls after {@link #counted} add. */
        final double allowance;

        final AtomicLong spent;

        /** The last look; the calls up to it are of this slice or earlier ones. */
        volatile Look look;

        Slice(long index, long startNanos, Look look, double allowance, long spent) {
            this.index = index;
            this.startNanos = startNanos;
            this.look = look;
            this.allowance = allowance;
            this.spent = new AtomicLong(spent);
            counted = look.counted;
        }

        boolean covers(long nowNanos, long sliceNanos, long windowNanos) {
            long passedNanos = nowNanos - startNanos;
            return passedNanos < sliceNanos && passedNanos >= -windowNanos;
        }
    }
}
