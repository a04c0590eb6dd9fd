package io.nopanic.breaker;

import io.nopanic.events.Counts;
import io.nopanic.threads.BiasedCount;
import io.nopanic.threads.StripeLayout;
import io.nopanic.threads.ThreadHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the last so many nanoseconds, counted in buckets. An outcome costs one addition in memory that few other threads
 * write, an atomic one if it is bad; the memory is the buckets', whatever the traffic.
 *
 * <p><b>Buckets.</b> A bucket covers an equal share of the window. The newest is {@code current}; each knows the next older. The first call after a
 * bucket's time replaces it by compare-and-set, and cuts off what has left the window. So the window reaches back between (buckets - 1) and
 * (buckets) shares. A thread that read {@code current} just before it was replaced still writes into its own bucket, where it is counted.
 *
 * <p><b>Stripes.</b> A bucket has {@value #STRIPES} stripes, {@value #STRIDE} words apart, so that two never share a cache line; a thread
 * picks one by its id. A stripe has one counter per kind of outcome, and a call is in just one of them; timeouts are counted once more. Successes, which need
 * no look, are a {@link BiasedCount}.
 *
 * <p><b>Slack.</b> Nobody adds up the window for every failure. Whoever does computes how many bad outcomes have to come before a threshold
 * can be reached at all ({@link Thresholds#slack}), and deals all but one of them out over the counters as <em>limits</em>. Until its limit a counter needs no
 * look, and together they stay below the number; the outcome that reaches a limit looks again. So the trip comes with exactly the
 * outcome that it would come with if every one looked. A limit holds while its bucket is current, because until then nothing leaves the window; a new
 * bucket begins without any, so that its first bad outcome looks.
 *
 * <p><b>Dealing while others count.</b> Whoever deals takes back all limits first, so that nobody is at an older one, then reads the counters, then sets limits. An outcome is added before its
 * limit is read, so it is in what was read, or is counted against the new limit, though it may have found none and looked. Two kinds are neither: one that went into an older bucket, and one that
 * reaches its new limit before the dealing is over, and so cannot deal anew. They spoil the deal: its limits are taken back, and the dealer looks once more, for what came below them.
 *
 * <p><b>Reading while others write.</b> The buckets are read once, the newest first; in each, bad outcomes are read before good ones.
 * Counters only grow, so what was read of a bucket is at least as healthy as
 * what it held between the two readings, and a bucket that is cut off meanwhile is missing as a whole. So a race can make the breaker open late, by at
 * most the calls that end meanwhile. It can make it open early only by failures whose thread was held up between choosing its bucket and
 * counting, across a change of buckets: they then count although successes of that moment are not yet seen. That is one failure at most for each such thread: what is added to an older bucket after the
 * newest was read chose it before there was a newer one, and whatever that thread records next goes into the newest, or one that is not read at all.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code current}</td><td>the first to notice that its time is over, by compare-and-set</td></tr>
 * <tr><td>counters</td><td>every judged call, by atomic add or as a {@link BiasedCount}</td></tr>
 * <tr><td>limits</td><td>the one who deals; volatile</td></tr>
 * <tr><td>{@code dealing}</td><td>NOBODY to SOMEBODY: who becomes the dealer; SOMEBODY to IN_VAIN: who spoils the deal; to NOBODY: the dealer</td></tr>
 * <tr><td>{@code older}</td><td>whoever makes the next bucket, to cut the chain; volatile</td></tr>
 * </table>
 */
final class TimeWindow implements Window {

    private static final int STRIPE_BITS = 3;

    static final int STRIPES = 1 << STRIPE_BITS;
    static final int STRIDE = StripeLayout.STRIDE;

    private static final int CELLS = StripeLayout.words(STRIPES);

    /** The counters are one per {@link Ending#kind()}, and then this one; the words of the first, that of good calls, are behind them. */
    private static final int TIMEOUTS = Ending.KINDS;

    private static final int GOOD_WORDS = TIMEOUTS + 1;

    /** How far behind a counter its limit stands. */
    private static final int LIMIT = STRIDE / 2;

    private static final long NO_LIMIT = 0;

    /** Who deals out slack in a bucket: nobody, somebody, or somebody who has to take it back. */
    private static final int NOBODY = 0;

    private static final int SOMEBODY = 1;
    private static final int IN_VAIN = 2;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CURRENT;

    static {
        try {
            CURRENT = MethodHandles.lookup().findVarHandle(TimeWindow.class, "current", Bucket.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thresholds thresholds;
    private final long bucketNanos;
    private final int buckets;
    private volatile Bucket current;

    TimeWindow(Thresholds thresholds, long windowNanos, int buckets, long nowNanos) {
        this.thresholds = thresholds;
        this.buckets = buckets;
        bucketNanos = Math.max(1, windowNanos / buckets);
        current = new Bucket(nowNanos, null);
    }

    private static final class Bucket {

        final long startNanos;
        final long[] cells = new long[CELLS];
        final AtomicInteger dealing = new AtomicInteger(NOBODY);
        volatile @Nullable Bucket older;

        Bucket(long startNanos, @Nullable Bucket older) {
            this.startNanos = startNanos;
            this.older = older;
        }

        /** Counts an outcome; whether it is a bad one whose counter is at its limit, or has none. */
        boolean count(Ending ending) {
            long thread = Thread.currentThread().getId();
            int stripe = StripeLayout.index((int) ThreadHash.of(thread, STRIPE_BITS));
            if (!ending.isBad()) {
                BiasedCount.increment(cells, stripe + GOOD_WORDS, thread);
                return false;
            }
            int cell = stripe + ending.kind();
            long count = (long) CELL.getAndAdd(cells, cell, 1L) + 1;
            if (ending.isTimeout()) {
                CELL.getAndAdd(cells, stripe + TIMEOUTS, 1L);
            }
            long limit = (long) CELL.getVolatile(cells, cell + LIMIT);
            if (count < limit) {
                return false;
            }
            if (limit != NO_LIMIT) {
                spoilDeal();
            }
            return true;
        }

        /** The limits that are being dealt out do not allow for some outcome. */
        void spoilDeal() {
            dealing.compareAndSet(SOMEBODY, IN_VAIN);
        }

        /** Whether the limits that were dealt out hold. If they do not, takes them back. */
        boolean endDeal() {
            if (dealing.compareAndSet(SOMEBODY, NOBODY)) {
                return true;
            }
            takeLimitsBack();
            dealing.set(NOBODY);
            return false;
        }

        /** Adds the counters to totals, those of bad outcomes first; {@code seen} gets what each cell held. */
        void addTo(long[] totals, long[] seen) {
            for (int counter = TIMEOUTS; counter > Ending.GOOD; counter--) {
                for (int cell = STRIDE + counter; cell < cells.length; cell += STRIDE) {
                    seen[cell] = (long) CELL.getVolatile(cells, cell);
                    totals[counter] += seen[cell];
                }
            }
            for (int stripe = STRIDE; stripe < cells.length; stripe += STRIDE) {
                totals[Ending.GOOD] += BiasedCount.sum(cells, stripe + GOOD_WORDS);
            }
        }

        void takeLimitsBack() {
            forEachBadCell(cell -> CELL.setVolatile(cells, cell + LIMIT, NO_LIMIT));
        }

        /** Deals out all but one of so many bad outcomes, on top of those seen. */
        void deal(long slack, long[] seen) {
            long share = 1 + (slack - 1) / ((long) STRIPES * (Ending.KINDS - 1));
            forEachBadCell(cell -> {
                long limit = seen[cell] + share;
                CELL.setVolatile(cells, cell + LIMIT, limit);
                boolean isReached = (long) CELL.getVolatile(cells, cell) >= limit;
                if (isReached) {
                    spoilDeal();
                }
            });
        }

        private static void forEachBadCell(IntConsumer action) {
            for (int stripe = STRIDE; stripe < CELLS; stripe += STRIDE) {
                for (int kind = Ending.GOOD + 1; kind < Ending.KINDS; kind++) {
                    action.accept(stripe + kind);
                }
            }
        }
    }

    @Override
    public boolean record(Ending ending, long nowNanos) {
        Bucket bucket = bucketAt(nowNanos);
        boolean looks = bucket.count(ending);
        if (ending.isBad() && bucket != current) {
            current.spoilDeal();
            return true;
        }
        return looks;
    }

    /** The bucket of this moment. A clock reading from before the current bucket began counts as now. */
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
    public void advance(long nowNanos) {
        bucketAt(nowNanos);
    }

    @Override
    public boolean reaches(Overdue calls, long nowNanos) {
        Bucket newest = bucketAt(nowNanos);
        return newest.dealing.compareAndSet(NOBODY, SOMEBODY)
                ? lookAndDeal(newest, calls, nowNanos)
                : look(calls, nowNanos);
    }

    private boolean lookAndDeal(Bucket newest, Overdue calls, long nowNanos) {
        boolean limitsHold;
        try {
            newest.takeLimitsBack();
            long[] seen = new long[CELLS];
            long[] totals = totals(newest, seen);
            long overdue = calls.look(nowNanos);
            Counts counts = counts(totals, overdue);
            if (thresholds.areReached(counts)) {
                return true;
            }
            newest.deal(thresholds.slack(counts, overdue), seen);
        } finally {
            limitsHold = newest.endDeal();
        }
        return !limitsHold && look(calls, nowNanos);
    }

    private boolean look(Overdue calls, long nowNanos) {
        return thresholds.areReached(counts(calls, nowNanos));
    }

    @Override
    public Counts counts(Overdue calls, long nowNanos) {
        long[] totals = totals(bucketAt(nowNanos), new long[CELLS]);
        return counts(totals, calls.overdue(nowNanos));
    }

    /** Adds up; {@code seen} gets what each cell of the newest bucket held. */
    private long[] totals(Bucket newest, long[] seen) {
        long[] totals = new long[TIMEOUTS + 1];
        newest.addTo(totals, seen);
        long[] seenOlder = new long[seen.length];
        // What has left the window may not have been cut off yet.
        for (Bucket each = newest.older; each != null && isInWindow(each, newest.startNanos); each = each.older) {
            each.addTo(totals, seenOlder);
        }
        return totals;
    }

    /** Overdue calls are counted after the others, so that a call that comes back meanwhile is not counted twice. */
    private static Counts counts(long[] totals, long overdue) {
        long failed = totals[Ending.FAILURE.kind()];
        long slow = totals[Ending.SLOW_SUCCESS.kind()] + overdue;
        long slowFailed = totals[Ending.SLOW_FAILURE.kind()];
        return new Counts(
                totals[Ending.GOOD] + failed + slow + slowFailed,
                failed + slowFailed,
                totals[TIMEOUTS],
                slow + slowFailed,
                failed + slow + slowFailed);
    }
}
