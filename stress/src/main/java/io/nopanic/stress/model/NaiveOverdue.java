package io.nopanic.stress.model;

import java.util.List;
import java.util.LongSummaryStatistics;

/**
 * When overdue calls count: one at a time, those that an earlier look had found, as far apart as they became overdue; which of them have counted is not known, only how many.
 */
final class NaiveOverdue {

    private static final long NEVER = Long.MIN_VALUE;

    /** Of calls that began longer apart than so many slices it is not known how long. */
    private static final long MOST_SLICES = 64;

    private long lookedAtSlice = NEVER;
    private long counted;

    /** What the look before the last had found, how many of that had not counted, and by when they are to have. */
    private long beforeSlice = NEVER;

    private long waiting;
    private long untilNanos;
    private long gapNanos;
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
            look(slices, nowNanos, sliceNanos);
            lookedAtSlice = newest;
        }
        if (waiting == 0 || nowNanos < nextNanos) {
            return false;
        }
        nextNanos = nowNanos + gapNanos;
        if (before(slices, Math.min(beforeSlice, newest)) <= counted) {
            return false;
        }
        counted++;
        return true;
    }

    private void look(List<Long> slices, long nowNanos, long sliceNanos) {
        long since = beforeSlice;
        beforeSlice = lookedAtSlice;
        waiting = Math.max(0, before(slices, beforeSlice) - counted);
        untilNanos = Math.max(untilNanos, nowNanos);
        gapNanos = 0;
        if (waiting > 0) {
            LongSummaryStatistics began = slices.stream()
                    .filter(slice -> slice >= since && slice < beforeSlice && slice != NEVER)
                    .mapToLong(Long::longValue)
                    .summaryStatistics();
            long spread = began.getCount() == 0 ? 1 : began.getMax() - began.getMin() + 1;
            untilNanos = Math.max(untilNanos, nowNanos + Math.min(MOST_SLICES, spread) * sliceNanos);
            gapNanos = (untilNanos - nowNanos) / waiting;
        } else {
            untilNanos = nowNanos;
        }
        nextNanos = Math.min(nextNanos, nowNanos + gapNanos);
    }

    private static long before(List<Long> slices, long slice) {
        return slice == NEVER ? 0 : slices.stream().filter(each -> each < slice).count();
    }

    /** A call that began in that slice comes back; {@code true} if it has counted. */
    boolean leave(long slice) {
        if (slice >= beforeSlice || counted == 0) {
            return false;
        }
        counted--;
        return true;
    }

    long counted() {
        return counted;
    }
}
