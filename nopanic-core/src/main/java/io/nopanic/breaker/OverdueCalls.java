package io.nopanic.breaker;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Says when a call in flight that is overdue counts as a failure that comes early. Each counts once ({@link EarlyFailures}): who asks is told that one more does, and a call that comes back is told whether it has
 * counted already. Which of several overdue calls has counted is not known, and does not matter: what is kept is how many.
 *
 * <p>A call counts when it was overdue already at an earlier look, a slice of time before, so that after a pause of the whole process the answers that have come meanwhile are seen first. And calls that are found
 * overdue at one look, which are those of a slice, count spread over a slice: what ends well between them has to be able to outweigh them, as it would if each had counted at its own moment.
 *
 * <p>A call that comes back is one of those that may have counted if it began before the newest slice that was looked at, whatever its own clock reading says: that may be older.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code lookedAtSlice}</td><td>the first call of a slice of overdue time; by compare-and-set</td></tr>
 * <tr><td>{@code round}</td><td>the same call; volatile</td></tr>
 * </table>
 */
final class OverdueCalls {

    private final InFlight calls;
    private final EarlyFailures early = new EarlyFailures();
    private final AtomicLong lookedAtSlice = new AtomicLong();
    private volatile Round round;

    /**
     * What one look found: calls that began before a slice and have not counted.
     *
     * @param late so many whose turn has been
     * @param fresh the others, whose turns are spread over a slice, unless it is longer since the look before
     */
    private record Round(
            long beforeSlice, long late, long fresh, long lookedAtNanos, boolean spreads, AtomicLong taken) {

        /** Takes one of them, if it is its turn. */
        boolean take(long nowNanos, long sliceNanos) {
            for (; ; ) {
                long seen = taken.get();
                if (seen >= late + turns(nowNanos, sliceNanos)) {
                    return false;
                }
                if (taken.compareAndSet(seen, seen + 1)) {
                    return true;
                }
            }
        }

        private long turns(long nowNanos, long sliceNanos) {
            if (!spreads) {
                return fresh;
            }
            long elapsedNanos = Math.max(0, Math.min(sliceNanos, nowNanos - lookedAtNanos));
            return Math.min(fresh, 1 + fresh * elapsedNanos / sliceNanos);
        }
    }

    OverdueCalls(InFlight calls) {
        this.calls = calls;
        round = new Round(0, 0, 0, 0, false, new AtomicLong());
    }

    /** Whether one more call counts now. */
    boolean oneMoreCounts(long nowNanos) {
        long newest = calls.newestOverdueSlice(nowNanos);
        long seen = lookedAtSlice.get();
        if (newest > seen && lookedAtSlice.compareAndSet(seen, newest)) {
            Round before = round;
            long late = uncounted(before.beforeSlice);
            long fresh = Math.max(0, uncounted(seen) - late);
            boolean spreads = nowNanos - before.lookedAtNanos < 2 * calls.sliceNanos();
            round = new Round(seen, late, fresh, nowNanos, spreads, new AtomicLong());
        }
        Round now = round;
        return now.take(nowNanos, calls.sliceNanos()) && countOneBefore(Math.min(now.beforeSlice, newest));
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
        return calls.isBefore(lookedAtSlice.get(), startNanos) && early.takeBack();
    }

    /** How many of the calls in flight have counted. */
    long counted() {
        return early.number();
    }
}
