package io.nopanic.breaker;

import io.nopanic.events.Counts;
import io.nopanic.threads.StripeLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The outcomes of the last so many calls: a ring of four-bit codes, and totals of the bad ones. An outcome takes the next place in the ring,
 * and the totals change by the difference between the new code and the one it replaces, so nothing is ever summed up. Where the codes are the same, nothing is written but the place taken; the
 * code of a good outcome is that of an empty place.
 *
 * <p>Failures that are not slow, slow calls that did not fail and calls that did both are totals in one word, changed by one atomic add, so they belong together; timeouts, which decide nothing,
 * are in a second word. A bad outcome counts from the moment of that add. A good one counts as a call when it takes its place, and what it replaces counts until the add. So while the window fills, whoever reads the totals before the number
 * of places taken finds no rate that is too high; in a full one it finds at most one bad outcome too many for each call that is just being recorded, which can open the breaker early by these. A thread that is held up on its way is late; if its place is taken again meanwhile, what it replaced counts until then, or it counts for the one that comes after it.
 *
 * <p><b>Clean.</b> In a full window of nothing but good calls one more changes nothing, so it is not written at all: it may as well have been counted
 * and dropped out again at once. The window is clean if the totals are zero, and full: until it is, a bit beside them says so. For they are never without what is in the ring: a bad outcome that replaces a good one is added before it is
 * written there, and one that a good one replaces is taken off after that; where a bad one replaces another, they change by one more of one kind and one less of another, so that what is still to be
 * added or taken off cannot make them zero as long as a bad outcome is in the ring.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>places taken</td><td>every judged call unless clean, by atomic add</td></tr>
 * <tr><td>ring</td><td>who finds another code in its place, by compare-and-set</td></tr>
 * <tr><td>totals, timeouts</td><td>the same, by atomic add</td></tr>
 * </table>
 */
final class CountWindow implements Window {

    /** Three totals of up to 2^20 - 1, and as far below zero, share one word. */
    static final int MAX_CALLS = 1_000_000;

    private static final int FIELD_BITS = 21;
    private static final long FIELD_MASK = (1L << FIELD_BITS) - 1;

    /** What a field holds that stands for 0, so that it can be a little below for a moment without borrowing from its neighbour. */
    private static final long BIAS = 1L << (FIELD_BITS - 1);

    private static final long ZEROS = BIAS | (BIAS << FIELD_BITS) | (BIAS << (2 * FIELD_BITS));

    /** Stands above the totals until each place has been taken once. */
    private static final long FILLING = 1L << (3 * FIELD_BITS);

    private static final int CODE_BITS = 4;
    private static final long CODE_MASK = (1L << CODE_BITS) - 1;
    private static final int CODES_PER_WORD = Long.SIZE / CODE_BITS;

    /** A code is an outcome's {@link Ending#kind()}, and this if it is a timeout. */
    private static final int TIMED_OUT = 4;

    private static final int KIND_MASK = Ending.KINDS - 1;

    /** What is written together lies together, apart from what everybody reads: the array's length before it, other objects behind it. */
    private static final int TAKEN = StripeLayout.STRIDE;

    private static final int TOTALS = TAKEN + 1;
    private static final int TIMEOUTS = TOTALS + 1;
    private static final int RING = TIMEOUTS + 1;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final Thresholds thresholds;
    private final int length;
    private final long[] words;

    CountWindow(Thresholds thresholds, int calls) {
        this.thresholds = thresholds;
        length = calls;
        words = new long[RING + (calls + CODES_PER_WORD - 1) / CODES_PER_WORD + StripeLayout.STRIDE];
        words[TOTALS] = ZEROS | FILLING;
    }

    @Override
    public boolean record(Ending ending, long nowNanos) {
        if (!ending.isBad()) {
            if ((long) WORDS.getVolatile(words, TOTALS) != ZEROS) {
                record(Ending.GOOD);
            }
            return false;
        }
        record(ending.kind() | (ending.isTimeout() ? TIMED_OUT : 0));
        return true;
    }

    private void record(int code) {
        long taken = (long) WORDS.getAndAdd(words, TAKEN, 1L);
        if (taken == length - 1) {
            WORDS.getAndAdd(words, TOTALS, -FILLING);
        }
        int place = (int) (taken % length);
        int word = RING + place / CODES_PER_WORD;
        int shift = place % CODES_PER_WORD * CODE_BITS;
        boolean isAdded = false;
        for (; ; ) {
            long seen = (long) WORDS.getVolatile(words, word);
            int replaced = (int) ((seen >>> shift) & CODE_MASK);
            if (replaced == code && !isAdded) {
                return;
            }
            if (replaced == Ending.GOOD && !isAdded) {
                add(code, Ending.GOOD);
                isAdded = true;
            }
            if (WORDS.compareAndSet(words, word, seen, (seen & ~(CODE_MASK << shift)) | ((long) code << shift))) {
                add(isAdded ? Ending.GOOD : code, replaced);
                return;
            }
        }
    }

    /** Adds one outcome to the totals and takes another off. */
    private void add(int code, int replaced) {
        long difference = one(code) - one(replaced);
        if (difference != 0) {
            WORDS.getAndAdd(words, TOTALS, difference);
        }
        int timeouts = (code & TIMED_OUT) - (replaced & TIMED_OUT);
        if (timeouts != 0) {
            WORDS.getAndAdd(words, TIMEOUTS, (long) timeouts / TIMED_OUT);
        }
    }

    /** One outcome in the totals: nothing if it is good. */
    private static long one(int code) {
        int kind = code & KIND_MASK;
        return kind == Ending.GOOD ? 0 : 1L << (FIELD_BITS * (kind - 1));
    }

    private static long field(long totals, Ending ending) {
        return Math.max(0, ((totals >>> (FIELD_BITS * (ending.kind() - 1))) & FIELD_MASK) - BIAS);
    }

    /** Looks how many calls are overdue only if as many as there can be would be reason to open. */
    @Override
    public boolean reaches(Overdue calls, long nowNanos) {
        long most = calls.atMost(nowNanos);
        return thresholds.mayBeReached(counts(Overdue.NONE, nowNanos), most)
                && (most == 0 || thresholds.areReached(counts(calls, nowNanos)));
    }

    @Override
    public Counts counts(Overdue calls, long nowNanos) {
        long timeouts = Math.max(0, (long) WORDS.getVolatile(words, TIMEOUTS));
        long totals = (long) WORDS.getVolatile(words, TOTALS);
        long ended = Math.min(length, (long) WORDS.getVolatile(words, TAKEN));
        // Last, so that a call that comes back now is not counted twice.
        long overdue = calls.overdue(nowNanos);
        long failed = field(totals, Ending.FAILURE);
        long slow = field(totals, Ending.SLOW_SUCCESS);
        long slowFailed = field(totals, Ending.SLOW_FAILURE);
        return new Counts(
                ended + overdue,
                failed + slowFailed,
                timeouts,
                slow + slowFailed + overdue,
                failed + slow + slowFailed + overdue);
    }
}
