package io.nopanic.breaker;

import io.nopanic.threads.StripeLayout;
import io.nopanic.threads.ThreadHash;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many calls are in flight, by the time they began, so that those past the slow-call time can be counted before they return. Constant
 * size, whatever the traffic and however long calls take.
 *
 * <p>Time is cut into slices of 1/{@value #SLICES_PER_SLOW_TIME} of the slow-call time, or of 1/{@value #SLICES_PER_LONGEST_TIME} of the longest if that time is learned, but not below
 * 16 us. A ring of cells holds the calls begun in each of the last slices, twice as many as the slow-call time has; when a cell is used again, the calls still in it
 * become <em>ancient</em>: only their number is kept. A call is overdue once its whole slice is, so it is counted at most one slice late and never early.
 *
 * <p><b>Stripes.</b> There are {@value #STRIPES} such rings, each with its own number of ancient calls. A call goes into that of the thread it begins on; its permit says which that was, so that it
 * comes out of the same, whatever thread it ends on. So threads seldom write the same word, and a call never moves from one stripe to another.
 *
 * <p>A cell is one word: above the count of calls, how often the ring has been gone round, which together with the cell's place makes the slice. A call that comes back takes itself out of its cell, if that is still its
 * slice's, or else out of the ancient ones; it may do so just before the move has added it there, so their number can be below its true value for a
 * moment, never above. Whoever reads a stripe reads the ancient calls first: one that becomes ancient meanwhile is missed, not counted twice.
 *
 * <p>Clock readings may be as old as the ring is long. If the clock itself goes back by more, then until it has come to where it was, calls may count as overdue as soon as they begin, because their
 * cell is one of a later round, and that a call begins is no reason to look: the breaker may open early when a call ends badly, and does not open for calls that hang before one does.
 *
 * <p>A cell that counts 67 million calls in flight is full. Those that find it so are not counted, and each takes another one out when it comes back: such calls are missed, none is counted early.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>cells</td><td>every call, when it begins and ends, by compare-and-set</td></tr>
 * <tr><td>numbers of ancient calls</td><td>the call that first uses a cell again, and calls that end after that, by atomic add</td></tr>
 * <tr><td>{@code newestSlice}</td><td>the first call of a slice in its stripe, by compare-and-set</td></tr>
 * <tr><td>{@code bound}</td><td>the first who asks for it when more calls have become overdue; volatile, and each value holds for its slice, but for calls that became ancient while it was read</td></tr>
 * <tr><td>{@code lookedAtSlice}</td><td>the one who deals out slack (see {@link TimeWindow}); volatile</td></tr>
 * </table>
 */
final class InFlight implements Overdue {

    static final int SLICES_PER_SLOW_TIME = 32;
    static final int SLICES_PER_LONGEST_TIME = 128;
    private static final int CELLS_PER_SLICE = 2;

    /** Of a stripe, for a slow-call time that is not learned. */
    static final int CELLS = CELLS_PER_SLICE * SLICES_PER_SLOW_TIME;

    private static final int STRIPE_BITS = 3;
    static final int STRIPES = 1 << STRIPE_BITS;

    /** So that the numbers of slices last for years. */
    private static final long MIN_SLICE_NANOS = 16_000;

    private static final int COUNT_BITS = 26;
    static final long MAX_COUNT = (1L << COUNT_BITS) - 1;

    private final SlowLimit limit;
    private final Slices slices;
    private final int cells;
    private final int roundShift;

    /**
     * Of each stripe, its number of ancient calls and then its cells. Calls of one moment are a ring's length apart from stripe to stripe, so that they need no gaps between
     * them; but for the one at the begin, where the array has its length, which everybody reads.
     */
    private final AtomicLongArray words;

    private final AtomicLong newestSlice = new AtomicLong();

    private volatile long lookedAtSlice;
    private volatile Bound bound = new Bound(0, 0);

    /** No more calls in flight than this began before a slice. */
    private record Bound(long slice, long calls) {}

    InFlight(SlowLimit limit, long nowNanos) {
        this.limit = limit;
        int slicesPerTime = limit.isLearned() ? SLICES_PER_LONGEST_TIME : SLICES_PER_SLOW_TIME;
        long sliceNanos = Math.max(MIN_SLICE_NANOS, limit.longestNanos() / slicesPerTime);
        cells = CELLS_PER_SLICE * slicesPerTime;
        roundShift = Integer.numberOfTrailingZeros(cells);
        words = new AtomicLongArray(ancient(STRIPES));
        // So that round 0, which empty cells seem to belong to, is long past.
        slices = new Slices(nowNanos - cells * sliceNanos, sliceNanos);
    }

    /** The stripe into which calls go that begin on this thread. */
    static int stripe() {
        return (int) ThreadHash.ofCurrent(STRIPE_BITS);
    }

    /** Where the number of a stripe's ancient calls is. */
    private int ancient(int stripe) {
        return StripeLayout.STRIDE + stripe * (cells + 1);
    }

    private int cell(int stripe, long slice) {
        return ancient(stripe) + 1 + (int) (slice & (cells - 1));
    }

    private static long count(long cell) {
        return cell & MAX_COUNT;
    }

    private static long round(long cell) {
        return cell >>> COUNT_BITS;
    }

    /** The slice of what the cell at this place of a ring held. */
    private long sliceOf(long cell, int place) {
        return (round(cell) << roundShift) | place;
    }

    /**
     * A call begins.
     *
     * @return whether it is the first of its slice, which is when it makes sense to look at {@link #overdue}
     */
    boolean enter(int stripe, long nowNanos) {
        long slice = slices.number(nowNanos);
        long round = slice >>> roundShift;
        int cell = cell(stripe, slice);
        for (; ; ) {
            long seen = words.get(cell);
            if (round(seen) > round) {
                // A clock reading from so long ago that its cell is in use again.
                words.incrementAndGet(ancient(stripe));
                return false;
            }
            boolean first = round(seen) < round;
            if (!first && count(seen) == MAX_COUNT) {
                return false;
            }
            long next = first ? (round << COUNT_BITS) | 1 : seen + 1;
            if (words.compareAndSet(cell, seen, next)) {
                return first && begin(slice, stripe, count(seen));
            }
        }
    }

    /** A cell is used for a slice for the first time, and so many calls were left in it; whether it is the first cell of that slice. */
    private boolean begin(long slice, int stripe, long left) {
        if (left > 0) {
            words.addAndGet(ancient(stripe), left);
        }
        return newestSlice.getAndAccumulate(slice, Math::max) < slice;
    }

    /** The call that began at {@code startNanos} in that stripe has come back. */
    void leave(int stripe, long startNanos) {
        long slice = slices.number(startNanos);
        long round = slice >>> roundShift;
        int cell = cell(stripe, slice);
        for (; ; ) {
            long seen = words.get(cell);
            if (round(seen) != round) {
                words.decrementAndGet(ancient(stripe));
                return;
            }
            boolean isMissed = count(seen) == 0;
            if (isMissed || words.compareAndSet(cell, seen, seen - 1)) {
                return;
            }
        }
    }

    @Override
    public long overdue(long nowNanos) {
        long newest = newestOverdueSlice(nowNanos);
        // While nothing is slow, as long as that has yet to be learned.
        return newest == 0 ? 0 : olderThan(newest);
    }

    /** What it was when these calls became overdue: until others do, they can only become fewer. */
    @Override
    public long atMost(long nowNanos) {
        long newest = newestOverdueSlice(nowNanos);
        Bound seen = bound;
        if (seen.slice != newest) {
            seen = new Bound(newest, olderThan(newest));
            bound = seen;
        }
        return seen.calls;
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
        return slices.number(nowNanos - limit.nanos());
    }

    /** Calls in flight. */
    long total() {
        return olderThan(Long.MAX_VALUE);
    }

    /** Whether a call that began then did so before this slice. */
    boolean isBefore(long slice, long startNanos) {
        return slices.number(startNanos) < slice;
    }

    long sliceNanos() {
        return slices.lengthNanos;
    }

    /** Calls in flight that began before this slice. */
    long olderThan(long slice) {
        long sum = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            int ancient = ancient(stripe);
            sum += Math.max(0, words.get(ancient));
            for (int place = 0; place < cells; place++) {
                long seen = words.get(ancient + 1 + place);
                if (sliceOf(seen, place) < slice) {
                    sum += count(seen);
                }
            }
        }
        return sum;
    }

    /** Over how many slices those calls in flight began that did so from one slice on and before another; at least 1, and no more than a ring has cells. */
    long spread(long fromSlice, long beforeSlice) {
        long oldest = Long.MAX_VALUE;
        long newest = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            int first = ancient(stripe) + 1;
            for (int place = 0; place < cells; place++) {
                long seen = words.get(first + place);
                long slice = sliceOf(seen, place);
                if (count(seen) > 0 && slice >= fromSlice && slice < beforeSlice) {
                    oldest = Math.min(oldest, slice);
                    newest = Math.max(newest, slice);
                }
            }
        }
        return Math.min(cells, Math.max(1, newest - oldest + 1));
    }
}
