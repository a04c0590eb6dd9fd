package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the last so many nanoseconds, counted in buckets. An outcome costs one atomic add in memory that few other threads
 * write; the memory is the buckets', whatever the traffic.
 *
 * <p><b>Buckets.</b> A bucket covers an equal share of the window. The newest is {@code current}; each knows the next older. The first call after a
 * bucket's time replaces it by compare-and-set, and cuts off what has left the window. So the window reaches back between (buckets - 1) and
 * (buckets) shares. A thread that read {@code current} just before it was replaced still writes into its own bucket, where it is counted.
 *
 * <p><b>Stripes.</b> A bucket has {@value #STRIPES} stripes, {@value #STRIDE} words apart, so that two never share a cache line; a thread
 * picks one by its id. A stripe has one counter per kind of outcome.
 *
 * <p><b>Reading while others write.</b> An outcome is added before what makes it slow. The buckets are read once, the newest first; in each,
 * what speaks for opening is read first and all outcomes after that. Counters only grow, so what was read of a bucket is at least as healthy as
 * what it held between the two readings, and a bucket that is cut off meanwhile is missing as a whole. So a race can make the breaker open late, by at
 * most the calls that end meanwhile. It can make it open early only by failures whose thread was held up between choosing its bucket and
 * counting, across a change of buckets: they then count although successes of that moment are not yet seen.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code current}</td><td>the first to notice that its time is over, by compare-and-set</td></tr>
 * <tr><td>cells</td><td>every judged call, by atomic add</td></tr>
 * <tr><td>{@code older}</td><td>whoever makes the next bucket, to cut the chain; volatile</td></tr>
 * </table>
 */
final class TimeWindow implements Window {

    static final int STRIPES = 8;
    static final int STRIDE = 16;

    private static final int SUCCESSES = 0;
    private static final int FAILURES = 1;
    private static final int TIMEOUTS = 2;
    private static final int SLOW = 3;
    private static final int SLOW_FAILURES = 4;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CURRENT;

    static {
        try {
            CURRENT = MethodHandles.lookup().findVarHandle(TimeWindow.class, "current", Bucket.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long bucketNanos;
    private final int buckets;
    private volatile Bucket current;

    TimeWindow(long windowNanos, int buckets, long nowNanos) {
        this.buckets = buckets;
        bucketNanos = Math.max(1, windowNanos / buckets);
        current = new Bucket(nowNanos, null);
    }

    private static final class Bucket {

        final long startNanos;
        final long[] cells = new long[STRIPES * STRIDE];
        volatile @Nullable Bucket older;

        Bucket(long startNanos, @Nullable Bucket older) {
            this.startNanos = startNanos;
            this.older = older;
        }

        void add(int counter) {
            CELL.getAndAdd(cells, stripe() * STRIDE + counter, 1L);
        }

        long sum(int counter) {
            long sum = 0;
            for (int stripe = 0; stripe < STRIPES; stripe++) {
                sum += (long) CELL.getVolatile(cells, stripe * STRIDE + counter);
            }
            return sum;
        }

        /** Fibonacci hashing of the thread's id to one of 2^3 stripes (Knuth, The Art of Computer Programming 3, 6.4). */
        private static int stripe() {
            return (int) ((Thread.currentThread().getId() * 0x9E37_79B9_7F4A_7C15L) >>> 61);
        }
    }

    @Override
    public void record(Ending ending, long nowNanos) {
        Bucket bucket = bucketAt(nowNanos);
        if (!ending.isBad()) {
            bucket.add(SUCCESSES);
            return;
        }
        bucket.add(ending.isFailed() ? FAILURES : SUCCESSES);
        if (ending.isTimeout()) {
            bucket.add(TIMEOUTS);
        }
        if (ending.isSlow()) {
            if (ending.isFailed()) {
                bucket.add(SLOW_FAILURES);
            }
            bucket.add(SLOW);
        }
    }

    /** The bucket of this moment. A clock reading from just before the current bucket began counts as now. */
    private Bucket bucketAt(long nowNanos) {
        for (; ; ) {
            Bucket seen = current;
            long ageNanos = nowNanos - seen.startNanos;
            if (ageNanos < bucketNanos) {
                return seen;
            }
            long startNanos = nowNanos - ageNanos % bucketNanos;
            Bucket next = new Bucket(startNanos, isInWindow(seen, startNanos) ? seen : null);
            if (CURRENT.compareAndSet(this, seen, next)) {
                cutAfter(next);
                return next;
            }
        }
    }

    private boolean isInWindow(Bucket bucket, long newestStartNanos) {
        return newestStartNanos - bucket.startNanos < buckets * bucketNanos;
    }

    private void cutAfter(Bucket newest) {
        Bucket last = newest;
        for (Bucket each = last.older; each != null && isInWindow(each, newest.startNanos); each = each.older) {
            last = each;
        }
        last.older = null;
    }

    @Override
    public boolean reaches(Thresholds thresholds, long overdue, long nowNanos) {
        long failures = 0;
        long slow = overdue;
        long slowFailures = 0;
        long calls = overdue;
        for (Bucket each = bucketAt(nowNanos); each != null; each = each.older) {
            failures += each.sum(FAILURES);
            if (thresholds.watchesSlowCalls()) {
                slow += each.sum(SLOW);
                slowFailures += each.sum(SLOW_FAILURES);
            }
            calls += each.sum(SUCCESSES) + each.sum(FAILURES);
        }
        return thresholds.reached(calls, failures, slow, failures + slow - slowFailures);
    }

    @Override
    public Counts counts(long overdue, long nowNanos) {
        long timeouts = 0;
        long failures = 0;
        long slow = overdue;
        long slowFailures = 0;
        long calls = overdue;
        for (Bucket each = bucketAt(nowNanos); each != null; each = each.older) {
            timeouts += each.sum(TIMEOUTS);
            long failed = each.sum(FAILURES);
            failures += failed;
            slow += each.sum(SLOW);
            slowFailures += each.sum(SLOW_FAILURES);
            calls += failed + each.sum(SUCCESSES);
        }
        return new Counts(calls, failures, timeouts, slow, failures + slow - slowFailures);
    }
}
