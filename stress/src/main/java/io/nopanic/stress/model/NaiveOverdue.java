package io.nopanic.stress.model;

import java.util.List;

/**
 * When overdue calls count. They count one at a time, spread over a slice of time, those that an earlier look had found; which of them have counted is not
 * known, only how many.
 */
final class NaiveOverdue {

    private long lookedAtSlice = Long.MIN_VALUE;
    private long counted;

    /** What the last look found, and how many of those have had their turn. */
    private long beforeSlice = Long.MIN_VALUE;

    private long found;
    private long sinceNanos;
    private long turns;

    /**
     * Whether one more counts now.
     *
     * @param slices in which the calls in flight began
     * @param newest calls that began before this slice are overdue
     */
    boolean oneMoreCounts(List<Long> slices, long newest, long nowNanos, long sliceNanos) {
        if (newest > lookedAtSlice) {
            beforeSlice = lookedAtSlice;
            found = Math.max(0, before(slices, beforeSlice) - counted);
            sinceNanos = nowNanos;
            turns = 0;
            lookedAtSlice = newest;
        }
        long elapsedNanos = Math.min(nowNanos - sinceNanos, sliceNanos);
        if (turns >= found || turns > found * elapsedNanos / sliceNanos) {
            return false;
        }
        turns++;
        if (before(slices, Math.min(beforeSlice, newest)) <= counted) {
            return false;
        }
        counted++;
        return true;
    }

    private static long before(List<Long> slices, long slice) {
        return slices.stream().filter(each -> each < slice).count();
    }

    /** An overdue call comes back; {@code true} if it has counted. */
    boolean leave() {
        if (counted == 0) {
            return false;
        }
        counted--;
        return true;
    }

    long counted() {
        return counted;
    }

    void clear() {
        lookedAtSlice = Long.MIN_VALUE;
        counted = 0;
        beforeSlice = Long.MIN_VALUE;
        found = 0;
        turns = 0;
    }
}
