package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The outcomes of the last so many calls: a ring of four-bit codes, and their totals. An outcome takes the next place in the ring,
 * and the totals change by the difference between the new code and the one it replaces, so nothing is ever summed up.
 *
 * <p>Calls, failures and slow calls are totals in one word, changed by one atomic add, so they belong together; timeouts and failed-or-slow calls
 * are in a second word. An outcome counts from the moment of that add. A thread that is held up between taking its place in the ring and the add
 * is late; if its place is taken again meanwhile, a total is below its true value until then.
 *
 * <p><b>Clean.</b> In a full window of nothing but good calls one more changes nothing, so it is not written at all: it may as well have been counted
 * and dropped out again at once. {@code stains} says how many places hold something else: it is raised before anything but a good
 * call is written and lowered after what it replaced is gone, so it is 0 only if no place holds or is about to hold anything else.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code recorded}, both totals</td><td>every judged call unless clean, by atomic add</td></tr>
 * <tr><td>{@code ring}</td><td>the same, by compare-and-set</td></tr>
 * <tr><td>{@code stains}</td><td>who writes or replaces anything but a good call, by atomic add</td></tr>
 * </table>
 */
final class CountWindow implements Window {

    /** Three totals of up to 2^21 - 1 share one word. */
    static final int MAX_CALLS = 1_000_000;

    private static final int FIELD_BITS = 21;
    private static final long FIELD_MASK = (1L << FIELD_BITS) - 1;

    /** What a field holds that stands for 0, so that it can be a little below for a moment without borrowing from its neighbour. */
    private static final long BIAS = 1L << (FIELD_BITS - 1);

    private static final long ZEROS = BIAS | (BIAS << FIELD_BITS) | (BIAS << (2 * FIELD_BITS));

    private static final int CODE_BITS = 4;
    private static final long CODE_MASK = (1L << CODE_BITS) - 1;
    private static final int CODES_PER_WORD = Long.SIZE / CODE_BITS;

    private static final int PRESENT = 1;
    private static final int FAILED = 2;
    private static final int SLOW = 4;
    private static final int TIMED_OUT = 8;

    private final Thresholds thresholds;
    private final int length;
    private final AtomicInteger stains;
    private final AtomicLong recorded = new AtomicLong();
    private final AtomicLongArray ring;

    /** Calls, failures and slow calls, from the lowest bits up. */
    private final AtomicLong totals = new AtomicLong(ZEROS);

    /** Timeouts and failed-or-slow calls, from the lowest bits up. */
    private final AtomicLong moreTotals = new AtomicLong(ZEROS);

    CountWindow(Thresholds thresholds, int calls) {
        this.thresholds = thresholds;
        length = calls;
        stains = new AtomicInteger(calls);
        ring = new AtomicLongArray((calls + CODES_PER_WORD - 1) / CODES_PER_WORD);
    }

    @Override
    public boolean record(Ending ending, long nowNanos) {
        if (ending == Ending.SUCCESS) {
            if (stains.get() > 0) {
                record(PRESENT);
            }
            return false;
        }
        stains.incrementAndGet();
        record(PRESENT
                | (ending.isFailed() ? FAILED : 0)
                | (ending.isSlow() ? SLOW : 0)
                | (ending.isTimeout() ? TIMED_OUT : 0));
        return true;
    }

    private void record(int code) {
        int replaced = replace((int) (recorded.getAndIncrement() % length), code);
        if (code != replaced) {
            totals.addAndGet(totals(code) - totals(replaced));
            moreTotals.addAndGet(moreTotals(code) - moreTotals(replaced));
        }
        if (replaced != PRESENT) {
            stains.decrementAndGet();
        }
    }

    private int replace(int place, int code) {
        int word = place / CODES_PER_WORD;
        int shift = place % CODES_PER_WORD * CODE_BITS;
        for (; ; ) {
            long seen = ring.get(word);
            if (ring.compareAndSet(word, seen, (seen & ~(CODE_MASK << shift)) | ((long) code << shift))) {
                return (int) ((seen >>> shift) & CODE_MASK);
            }
        }
    }

    private static long totals(int code) {
        return bit(code, PRESENT) | (bit(code, FAILED) << FIELD_BITS) | (bit(code, SLOW) << (2 * FIELD_BITS));
    }

    private static long moreTotals(int code) {
        return bit(code, TIMED_OUT) | (bit(code, FAILED | SLOW) << FIELD_BITS);
    }

    private static long bit(int code, int mask) {
        return (code & mask) == 0 ? 0 : 1;
    }

    private static long field(long word, int field) {
        return Math.max(0, ((word >>> (field * FIELD_BITS)) & FIELD_MASK) - BIAS);
    }

    @Override
    public boolean reaches(Overdue calls, long nowNanos) {
        return thresholds.areReached(counts(calls, nowNanos));
    }

    @Override
    public Counts counts(Overdue calls, long nowNanos) {
        long more = moreTotals.get();
        long word = totals.get();
        // Last, so that a call that comes back now is not counted twice.
        long overdue = calls.overdue(nowNanos);
        return new Counts(
                field(word, 0) + overdue,
                field(word, 1),
                field(more, 0),
                field(word, 2) + overdue,
                field(more, 1) + overdue);
    }
}
