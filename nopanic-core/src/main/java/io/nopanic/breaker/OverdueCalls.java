package io.nopanic.breaker;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Says when a call in flight that is overdue counts as a failure that comes early. Each counts once ({@link EarlyFailures}): who asks is told that one more does, and a call that comes back is told whether it has
 * counted already. Which of several overdue calls has counted is not known, and does not matter: what is kept is how many.
 *
 * <p>A call may count when it was overdue already at an earlier look, a slice of time before, so that after a pause of the whole process the answers that have come meanwhile are seen first.
 *
 * <p>Those that may count do so one after the other, as far apart as they became overdue, and each that asks counts one at most: what ends well between them has to be able to outweigh them, as it would if
 * each had counted at its own moment. So after a pause it takes about as long again to make up for it.
 *
 * <p>A call that comes back is one of those that may have counted if it began before the slice that the newest look says, whatever its own clock reading says: that may be older.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code look}</td><td>the first call of a slice of overdue time; by compare-and-set</td></tr>
 * <tr><td>{@code nextNanos}</td><td>who counts a call; by compare-and-set</td></tr>
 * </table>
 */
final class OverdueCalls {

    /** Nothing is slow, because what is has yet to be learned. */
    private static final long NOTHING = 0;

    private final InFlight calls;
    private final EarlyFailures early = new EarlyFailures();
    private final AtomicReference<Look> look;

    /** When the next may count. */
    private final AtomicLong nextNanos;

    /**
     * The newest look.
     *
     * @param newestSlice calls that began before this slice were overdue; never falls
     * @param isBlind whether nothing is slow for now
     * @param beforeSlice calls that began before this slice were overdue at an earlier look too, so they may count; never falls
     * @param waiting how many of these had not
     * @param untilNanos by when they are to have
     * @param gapNanos how far apart they count
     */
    private record Look(
            long newestSlice, boolean isBlind, long beforeSlice, long waiting, long untilNanos, long gapNanos) {

        /** One that finds out nothing: the first, or while nothing is slow. */
        static Look idle(long newestSlice, boolean isBlind, long beforeSlice, long nowNanos) {
            return new Look(newestSlice, isBlind, beforeSlice, 0, nowNanos, 0);
        }
    }

    OverdueCalls(InFlight calls, long nowNanos) {
        this.calls = calls;
        nextNanos = new AtomicLong(nowNanos);
        look = new AtomicReference<>(Look.idle(NOTHING, true, NOTHING, nowNanos));
    }

    /** Whether one more call counts now. */
    boolean oneMoreCounts(long nowNanos) {
        long newest = calls.newestOverdueSlice(nowNanos);
        Look seen = look(newest, nowNanos);
        return seen.waiting > 0
                && takesTurn(seen, nowNanos)
                && early.add(() -> calls.olderThan(Math.min(seen.beforeSlice, newest)));
    }

    private Look look(long newest, long nowNanos) {
        for (; ; ) {
            Look seen = newestLook();
            boolean isBlind = newest == NOTHING;
            if (isBlind ? seen.isBlind : newest <= seen.newestSlice && !seen.isBlind) {
                return seen;
            }
            Look next = isBlind || seen.isBlind
                    ? Look.idle(Math.max(newest, seen.newestSlice), isBlind, seen.beforeSlice, nowNanos)
                    : after(seen, newest, nowNanos);
            if (look.compareAndSet(seen, next)) {
                bringForward(nowNanos + next.gapNanos);
                return next;
            }
        }
    }

    /** What was overdue at the look before may count now. */
    private Look after(Look before, long newest, long nowNanos) {
        long waiting = Math.max(0, calls.olderThan(before.newestSlice) - early.number());
        if (waiting == 0) {
            return Look.idle(newest, false, before.newestSlice, nowNanos);
        }
        long spreadNanos = calls.spread(before.beforeSlice, before.newestSlice) * calls.sliceNanos();
        long lastsNanos = Math.max(before.untilNanos - nowNanos, spreadNanos);
        return new Look(newest, false, before.newestSlice, waiting, nowNanos + lastsNanos, lastsNanos / waiting);
    }

    /** Who counted last went by a look at which calls may have become overdue more slowly. */
    private void bringForward(long atLatestNanos) {
        nextNanos.getAndUpdate(dueNanos -> dueNanos - atLatestNanos > 0 ? atLatestNanos : dueNanos);
    }

    private boolean takesTurn(Look seen, long nowNanos) {
        long dueNanos = nextNanos.get();
        return nowNanos - dueNanos >= 0 && nextNanos.compareAndSet(dueNanos, nowNanos + seen.gapNanos);
    }

    private Look newestLook() {
        return Objects.requireNonNull(look.get());
    }

    /** A call came back; {@code true} if it has counted. */
    boolean leave(int stripe, long startNanos) {
        calls.leave(stripe, startNanos);
        return calls.isBefore(newestLook().beforeSlice, startNanos) && early.takeBack();
    }

    /** How many of the calls in flight have counted. */
    long counted() {
        return early.number();
    }
}
