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
 * <p>A cell is one word: the slice's number above the count of calls. A call that comes back takes itself out of its cell, if that is still its
 * slice's, or else out of {@code ancient}; it may do so just before the move has added it there, so {@code ancient} can be below its true value for a
 * moment, never above.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code cells}</td><td>every call, when it begins and ends, by compare-and-set</td></tr>
 * <tr><td>{@code ancient}</td><td>the call that first uses a cell again, and calls that end after that, by atomic add</td></tr>
 * <tr><td>{@code lookedAtSlice}</td><td>the one who deals out slack (see {@link TimeWindow}); volatile</td></tr>
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
            long seenSlice = seen >>> COUNT_BITS;
            boolean isFull = seenSlice == slice && (seen & COUNT_MASK) == COUNT_MASK;
            if (seenSlice > slice || isFull) {
                // A clock reading from so long ago that its cell is in use again, or the millionth call in one.
                ancient.incrementAndGet();
                return false;
            }
            boolean first = seenSlice != slice;
            long next = first ? (slice << COUNT_BITS) | 1 : seen + 1;
            if (cells.compareAndSet(cell, seen, next)) {
                if (first && (seen & COUNT_MASK) > 0) {
                    ancient.addAndGet(seen & COUNT_MASK);
                }
                return first;
            }
        }
    }

    /** The call that began at {@code startNanos} has come back. */
    void leave(long startNanos) {
        long slice = slice(startNanos);
        int cell = (int) (slice & lastCell);
        for (; ; ) {
            long seen = cells.get(cell);
            if (seen >>> COUNT_BITS != slice || (seen & COUNT_MASK) == 0) {
                ancient.decrementAndGet();
                return;
            }
            if (cells.compareAndSet(cell, seen, seen - 1)) {
                return;
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

    /** All calls that began before this slice are overdue. */
    long newestOverdueSlice(long nowNanos) {
        return slice(nowNanos - limit.nanos());
    }

    /** Calls in flight. */
    long total() {
        return olderThan(Long.MAX_VALUE);
    }

    /** Whether a call that began then did so before this slice. */
    boolean isBefore(long slice, long startNanos) {
        return slice(startNanos) < slice;
    }

    long sliceNanos() {
        return sliceNanos;
    }

    /** Calls in flight that began before this slice. */
    long olderThan(long slice) {
        long sum = Math.max(0, ancient.get());
        for (int i = 0; i < cells.length(); i++) {
            long seen = cells.get(i);
            if (seen >>> COUNT_BITS < slice) {
                sum += seen & COUNT_MASK;
            }
        }
        return sum;
    }

    /** Over how many slices those calls in flight began that did so from one slice on and before another; at least 1, and no more than there are cells. */
    long spread(long fromSlice, long beforeSlice) {
        long oldest = Long.MAX_VALUE;
        long newest = 0;
        for (int i = 0; i < cells.length(); i++) {
            long seen = cells.get(i);
            long slice = seen >>> COUNT_BITS;
            if ((seen & COUNT_MASK) > 0 && slice >= fromSlice && slice < beforeSlice) {
                oldest = Math.min(oldest, slice);
                newest = Math.max(newest, slice);
            }
        }
        return Math.min(cells.length(), Math.max(1, newest - oldest + 1));
    }

    private long slice(long nanos) {
        return Math.max(0, (nanos - originNanos) / sliceNanos);
    }
}
