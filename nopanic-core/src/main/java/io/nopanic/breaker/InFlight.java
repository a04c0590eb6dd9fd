package io.nopanic.breaker;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many calls are in flight, by the time they began, so that those past the slow-call time can be counted before they return. Constant
 * size, whatever the traffic and however long calls take.
 *
 * <p>Time is cut into slices of 1/{@value #SLICES_PER_SLOW_TIME} of the slow-call time, or of 1/{@value #SLICES_PER_LONGEST_TIME} of the longest if that time is learned, but not below
 * 16 us. A ring of cells holds the calls begun in each of the last slices, twice as many as the slow-call time has; when a cell is used again, the calls still in it
 * move to {@code ancient}. A call is overdue once its whole slice is, so it is counted at most one slice late and never early.
 *
 * <p>A cell is one word: the slice's number above a mark and the count of calls. A call that comes back takes itself out of its cell, if that is still its
 * slice's, or else out of {@code ancient}; it may do so just before the move has added it there, so {@code ancient} can be below its true value for a
 * moment, never above.
 *
 * <p>Whoever counts a call once, when it becomes overdue, puts the mark on its cell ({@link #newlyOverdue}); by that a call that comes back knows whether it has been counted. Calls in {@code ancient}, and calls whose
 * threads were held up for the slow-call time before they entered, are taken as counted.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code cells}</td><td>every call, when it begins and ends, by compare-and-set</td></tr>
 * <tr><td>{@code ancient}</td><td>the call that first uses a cell again, and calls that end after that, by atomic add</td></tr>
 * <tr><td>{@code lookedAtSlice}</td><td>the one who deals out slack (see {@link TimeWindow}), or whoever has marked what is overdue; volatile</td></tr>
 * </table>
 */
final class InFlight implements Overdue {

    static final int SLICES_PER_SLOW_TIME = 32;
    static final int SLICES_PER_LONGEST_TIME = 128;
    private static final int CELLS_PER_SLICE = 2;

    /** For a slow-call time that is not learned. */
    static final int CELLS = CELLS_PER_SLICE * SLICES_PER_SLOW_TIME;

    /** So that the numbers of slices last for years. */
    private static final long MIN_SLICE_NANOS = 16_000;

    private static final int COUNT_BITS = 20;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final long MARK = 1L << COUNT_BITS;
    private static final int SLICE_SHIFT = COUNT_BITS + 1;

    private final long originNanos;
    private final SlowLimit limit;
    private final long sliceNanos;
    private final AtomicLongArray cells;
    private final int lastCell;
    private final AtomicLong ancient = new AtomicLong();

    private volatile long lookedAtSlice;

    InFlight(SlowLimit limit, long nowNanos) {
        this.limit = limit;
        int slices = limit.isLearned() ? SLICES_PER_LONGEST_TIME : SLICES_PER_SLOW_TIME;
        sliceNanos = Math.max(MIN_SLICE_NANOS, limit.longestNanos() / slices);
        cells = new AtomicLongArray(CELLS_PER_SLICE * slices);
        lastCell = cells.length() - 1;
        // So that slice 0, which empty cells seem to belong to, is long past.
        originNanos = nowNanos - cells.length() * sliceNanos;
    }

    /**
     * A call begins.
     *
     * @return whether it is the first of its slice, which is when it makes sense to look at {@link #overdue}
     */
    boolean enter(long nowNanos) {
        long slice = slice(nowNanos);
        int cell = (int) (slice & lastCell);
        for (; ; ) {
            long seen = cells.get(cell);
            long seenSlice = seen >>> SLICE_SHIFT;
            if (seenSlice > slice) {
                // A clock reading from so long ago that its cell is in use again.
                ancient.incrementAndGet();
                return false;
            }
            boolean first = seenSlice != slice;
            long next = first ? (slice << SLICE_SHIFT) | 1 : seen + 1;
            if (cells.compareAndSet(cell, seen, next)) {
                if (first && (seen & COUNT_MASK) > 0) {
                    ancient.addAndGet(seen & COUNT_MASK);
                }
                return first;
            }
        }
    }

    /** The call that began at {@code startNanos} has come back; {@code true} if {@link #newlyOverdue} has counted it. */
    boolean leave(long startNanos) {
        long slice = slice(startNanos);
        int cell = (int) (slice & lastCell);
        for (; ; ) {
            long seen = cells.get(cell);
            if (seen >>> SLICE_SHIFT != slice || (seen & COUNT_MASK) == 0) {
                ancient.decrementAndGet();
                return true;
            }
            if (cells.compareAndSet(cell, seen, seen - 1)) {
                return (seen & MARK) != 0;
            }
        }
    }

    /** How many calls have become overdue since this was last asked; every call is counted once. */
    long newlyOverdue(long nowNanos) {
        if (!moreMayBeOverdue(nowNanos)) {
            return 0;
        }
        long newest = newestOverdueSlice(nowNanos);
        long found = 0;
        for (int i = 0; i < cells.length(); i++) {
            found += mark(i, newest);
        }
        lookedAtSlice = newest;
        return found;
    }

    private long mark(int cell, long newestOverdue) {
        for (; ; ) {
            long seen = cells.get(cell);
            long count = seen & COUNT_MASK;
            if (seen >>> SLICE_SHIFT >= newestOverdue || count == 0 || (seen & MARK) != 0) {
                return 0;
            }
            if (cells.compareAndSet(cell, seen, seen | MARK)) {
                return count;
            }
        }
    }

    @Override
    public long overdue(long nowNanos) {
        return olderThan(newestOverdueSlice(nowNanos));
    }

    /** The conclusion holds until {@link #moreMayBeOverdue}. */
    @Override
    public long look(long nowNanos) {
        lookedAtSlice = newestOverdueSlice(nowNanos);
        return overdue(nowNanos);
    }

    /** Whether calls may have become overdue since the last look. */
    boolean moreMayBeOverdue(long nowNanos) {
        return newestOverdueSlice(nowNanos) != lookedAtSlice;
    }

    private long newestOverdueSlice(long nowNanos) {
        return slice(nowNanos - limit.nanos());
    }

    /** Calls in flight. */
    long total() {
        return olderThan(Long.MAX_VALUE);
    }

    private long olderThan(long slice) {
        long sum = Math.max(0, ancient.get());
        for (int i = 0; i < cells.length(); i++) {
            long seen = cells.get(i);
            if (seen >>> SLICE_SHIFT < slice) {
                sum += seen & COUNT_MASK;
            }
        }
        return sum;
    }

    private long slice(long nanos) {
        return Math.max(0, (nanos - originNanos) / sliceNanos);
    }
}
