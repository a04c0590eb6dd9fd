package io.nopanic.stress.model;

import java.util.List;

/**
 * When overdue calls count. They count one at a time, spread over a slice of time, those that an earlier look had found; which of them have counted is not
 * known, only how many.
 */
final class NaiveOverdue {

    private long lookedAtSlice = Long.MIN_VALUE;
    private long counted;

    /** What the last look found, those whose turn has been and the others, and how many of them have counted since. */
    private long beforeSlice = Long.MIN_VALUE;

    private long late;
    private long fresh;
    private long lookedAtNanos;
    private boolean spreads;
    private long taken;

    /**
     * Whether one more counts now.
     *
     * @param slices in which the calls in flight began
     * @param newest calls that began before this slice are overdue
     */
    boolean oneMoreCounts(List<Long> slices, long newest, long nowNanos, long sliceNanos) {
        if (newest > lookedAtSlice) {
            late = Math.max(0, before(slices, beforeSlice) - counted);
            beforeSlice = lookedAtSlice;
            fresh = Math.max(0, before(slices, beforeSlice) - counted - late);
            spreads = nowNanos - lookedAtNanos < 2 * sliceNanos;
            lookedAtNanos = nowNanos;
            taken = 0;
            lookedAtSlice = newest;
        }
        long elapsedNanos = Math.min(nowNanos - lookedAtNanos, sliceNanos);
        long turns = spreads ? Math.min(fresh, 1 + fresh * elapsedNanos / sliceNanos) : fresh;
        if (taken >= late + turns) {
            return false;
        }
        taken++;
        if (before(slices, Math.min(beforeSlice, newest)) <= counted) {
            return false;
        }
        counted++;
        return true;
    }

    private static long before(List<Long> slices, long slice) {
        return slices.stream().filter(each -> each < slice).count();
    }

    /** A call that began in that slice comes back; {@code true} if it has counted. */
    boolean leave(long slice) {
        if (slice >= lookedAtSlice || counted == 0) {
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
        late = 0;
        fresh = 0;
        taken = 0;
        lookedAtNanos = 0;
    }
}
