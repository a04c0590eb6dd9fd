package io.nopanic.breaker;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Says when a call in flight that is overdue counts as a failure that comes early. Each counts once ({@link EarlyFailures}): who asks is told that one more does, and a call that comes back is told whether it has
 * counted already. Which of several overdue calls has counted is not known, and does not matter: what is kept is how many.
 *
 * <p>A call counts when it was overdue already at an earlier look, a slice of time before, so that after a pause of the whole process the answers that have come meanwhile are seen first.
 *
 * <p>Those that may count do so one after the other, evenly over as long as it took them to become overdue: what ends well between them has to be able to outweigh them, as it would if each had counted at its own
 * moment. So after a pause it takes as long again to make up for it; and each that asks counts one at most.
 *
 * <p>A call that comes back is one of those that may have counted if it began before the newest slice that was looked at, whatever its own clock reading says: that may be older.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code look}</td><td>the first call of a slice of overdue time; by compare-and-set</td></tr>
 * <tr><td>{@code nextNanos} of a look</td><td>who counts a call; by compare-and-set</td></tr>
 * </table>
 */
final class OverdueCalls {

    /** Nothing is slow, because what is has yet to be learned. */
    private static final long NOTHING = 0;

    private final InFlight calls;
    private final EarlyFailures early = new EarlyFailures();
    private final AtomicReference<Look> look;

    /**
     * The newest look.
     *
     * @param newestSlice calls that began before this slice were overdue; never falls
     * @param isBlind whether nothing is slow for now, so that this look found out nothing
     * @param beforeSlice calls that began before this slice were overdue at the look before, so they may count
     * @param waiting how many of these had not
     * @param untilNanos by when they are to have
     * @param nextNanos when the next of them may count
     */
    private record Look(
            long newestSlice, boolean isBlind, long beforeSlice, long waiting, long untilNanos, AtomicLong nextNanos) {

        static Look blind(long newestSlice, boolean isBlind, long nowNanos) {
            return new Look(newestSlice, isBlind, NOTHING, 0, nowNanos, new AtomicLong(nowNanos));
        }

        /** Whether one of those that wait may count now; the first may at once. */
        boolean takesTurn(long nowNanos) {
            if (waiting == 0) {
                return false;
            }
            long dueNanos = nextNanos.get();
            long gapNanos = Math.max(0, untilNanos - nowNanos) / waiting;
            return nowNanos - dueNanos >= 0 && nextNanos.compareAndSet(dueNanos, nowNanos + gapNanos);
        }
    }

    OverdueCalls(InFlight calls, long nowNanos) {
        this.calls = calls;
        look = new AtomicReference<>(Look.blind(NOTHING, true, nowNanos));
    }

    /** Whether one more call counts now. */
    boolean oneMoreCounts(long nowNanos) {
        long newest = calls.newestOverdueSlice(nowNanos);
        Look seen = look(newest, nowNanos);
        return seen.takesTurn(nowNanos) && countOneBefore(Math.min(seen.beforeSlice, newest));
    }

    private Look look(long newest, long nowNanos) {
        for (; ; ) {
            Look seen = newestLook();
            boolean isBlind = newest == NOTHING;
            if (isBlind ? seen.isBlind : newest <= seen.newestSlice && !seen.isBlind) {
                return seen;
            }
            Look next = isBlind || seen.isBlind
                    ? Look.blind(Math.max(newest, seen.newestSlice), isBlind, nowNanos)
                    : new Look(
                            newest,
                            false,
                            seen.newestSlice,
                            uncounted(seen.newestSlice),
                            untilNanos(seen, nowNanos),
                            new AtomicLong(nowNanos));
            if (look.compareAndSet(seen, next)) {
                return next;
            }
        }
    }

    /** Those that may count became overdue between the two looks before, if not since the oldest began. */
    private long untilNanos(Look before, long nowNanos) {
        long from = Math.max(before.beforeSlice, calls.oldestBefore(before.newestSlice));
        long slices = Math.max(1, before.newestSlice - from - 1);
        return nowNanos + Math.max(before.untilNanos - nowNanos, slices * calls.sliceNanos());
    }

    private Look newestLook() {
        return Objects.requireNonNull(look.get());
    }

    private boolean countOneBefore(long slice) {
        return early.add(() -> calls.olderThan(slice));
    }

    private long uncounted(long beforeSlice) {
        return Math.max(0, calls.olderThan(beforeSlice) - early.number());
    }

    /** A call came back; {@code true} if it has counted. */
    boolean leave(long startNanos) {
        calls.leave(startNanos);
        return calls.isBefore(newestLook().newestSlice, startNanos) && early.takeBack();
    }

    /** How many of the calls in flight have counted. */
    long counted() {
        return early.number();
    }
}
