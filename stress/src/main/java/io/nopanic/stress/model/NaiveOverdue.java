package io.nopanic.stress.model;

import java.util.List;

/**
 * When overdue calls count. They count one at a time, those that an earlier look had found, evenly over as long as it took them to become overdue; which of them have
 * counted is not known, only how many.
 */
final class NaiveOverdue {

    private static final long NEVER = Long.MIN_VALUE;

    /** Slices are counted from when the breaker closed; calls that began longer before are taken to have begun in this one. */
    private static final long OLDEST = -64;

    private long lookedAtSlice = NEVER;
    private long counted;

    /** What the look before the last had found, and how many of that had not counted. */
    private long beforeSlice = NEVER;

    private long waiting;
    private long untilNanos;
    private long nextNanos;

    /**
     * Whether one more counts now.
     *
     * @param slices in which the calls in flight began
     * @param newest calls that began before this slice are overdue
     * @param nowNanos since the breaker closed
     */
    boolean oneMoreCounts(List<Long> slices, long newest, long nowNanos, long sliceNanos) {
        if (newest > lookedAtSlice) {
            long from = Math.max(beforeSlice, oldest(slices, lookedAtSlice));
            beforeSlice = lookedAtSlice;
            waiting = Math.max(0, before(slices, beforeSlice) - counted);
            if (beforeSlice != NEVER) {
                untilNanos = Math.max(untilNanos, nowNanos + Math.max(1, beforeSlice - from - 1) * sliceNanos);
            }
            lookedAtSlice = newest;
            nextNanos = nowNanos;
        }
        if (waiting == 0 || nowNanos < nextNanos) {
            return false;
        }
        nextNanos = nowNanos + Math.max(0, untilNanos - nowNanos) / waiting;
        if (before(slices, Math.min(beforeSlice, newest)) <= counted) {
            return false;
        }
        counted++;
        return true;
    }

    private static long oldest(List<Long> slices, long slice) {
        return Math.max(OLDEST, slices.stream().mapToLong(Long::longValue).reduce(slice, Math::min));
    }

    private static long before(List<Long> slices, long slice) {
        return slice == NEVER ? 0 : slices.stream().filter(each -> each < slice).count();
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
}
