package io.nopanic.ratelimit;

import io.nopanic.time.Time;

/**
 * A {@link Bucket} from which threads take permits in {@link Leases}, so that most calls neither read the clock nor touch memory that others
 * use.
 *
 * <h2>Theory of operation</h2>
 *
 * <p><b>No more passes than without leases.</b> Leased permits have left the bucket, which is refilled meanwhile. So the bucket holds only what
 * the burst is larger than all leases together can be: bucket, stripes and leases on their way are at most {@code burst} permits at any moment,
 * and all that is added to them is what the rate refills. So in any span of time of length {@code w} at most {@code burst + rate * w} permits
 * are used. At most half of the burst can be leased. In return there may be that much less than the burst after a quiet time, for stripes are
 * refilled only when they are used.
 *
 * <p><b>A call</b> takes a permit of its own stripe. If that is empty, it reads the clock, takes a new lease from the bucket, as large as there
 * are permits, and uses the first. If the bucket is empty too, it takes a permit from any other stripe, so what a quiet thread has leased is not
 * lost to busy ones. Only if there is none either, it is refused or has to wait.
 *
 * <p><b>Nobody is refused while a permit is there.</b> Permits move, so bucket and stripes have to be empty at one moment. {@link Leases#versions}
 * before a look at the bucket and after it tell whether the stripes were empty all the while. If permits came into one, the call looks again; it does
 * so only because another one got a lease. If one is closed, what was in it is in {@code spare}, and only the line can tell. A lease that is on its
 * way is seen by nobody but the one who takes it.
 *
 * <p><b>While closed</b>, all permits that were leased are in {@code spare}, from where they go back into the bucket as there is room. So
 * whoever waits, and whoever needs several permits, gets them from one bucket, and everything that is said of waiting and of giving back holds
 * unchanged. The bucket is closed before the stripes and opened after them, so whoever finds it open finds in the stripes what belongs there.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@link Bucket}, {@link Leases}</td><td>see there</td></tr>
 * <tr><td>{@code leases}, {@code mostAtOnce}</td><td>holder of the line's lock while closed; volatile for everybody else</td></tr>
 * <tr><td>{@code open}, {@code spare}</td><td>holder of the line's lock, who alone reads them</td></tr>
 * </table>
 */
final class LeasedBucket extends Meter {

    private final Time time;
    private final int lease;
    private final Bucket bucket;
    private volatile Leases leases;
    private volatile int mostAtOnce;
    private boolean open;
    private int spare;

    /** A bucket that is full. */
    LeasedBucket(Rate rate, int lease, Time time) {
        this.time = time;
        this.lease = lease;
        leases = leases(rate);
        mostAtOnce = rate.burst() - mostLeased(rate);
        spare = leases.capacity();
        bucket = new Bucket(rate.pace(rate.burst() - spare), time.nanos());
        open();
    }

    private Leases leases(Rate rate) {
        return Leases.suitable(lease, mostLeased(rate));
    }

    private static int mostLeased(Rate rate) {
        return rate.burst() / 2;
    }

    /** The same on every machine, though the bucket can be larger: what it holds if as much as possible is leased. */
    @Override
    int burst() {
        return mostAtOnce;
    }

    @Override
    boolean readsTime() {
        return false;
    }

    /** Reads the clock itself, if need be. */
    @Override
    boolean tryTake(int permits, long unusedNanos) {
        return leases.tryTake(permits) || tryTakeElsewhere(permits, time.nanos());
    }

    private boolean tryTakeElsewhere(int permits, long nowNanos) {
        if (permits > 1) {
            return permits <= mostAtOnce && bucket.tryTake(permits, nowNanos);
        }
        return tryLease(nowNanos) || leases.trySteal();
    }

    private boolean tryLease(long nowNanos) {
        if (!bucket.has(1, nowNanos)) {
            return false;
        }
        Leases current = leases;
        long mark = current.mark();
        if (mark == Leases.NO_MARK) {
            return bucket.tryTake(1, nowNanos);
        }
        int taken = bucket.takeUpTo(1 + current.perStripe(), nowNanos);
        current.fill(mark, Math.max(0, taken - 1));
        return taken > 0;
    }

    @Override
    long takeOrWaitNanos(int permits, long nowNanos) {
        while (true) {
            if (leases.tryTake(permits) || tryTakeElsewhere(permits, nowNanos)) {
                return 0;
            }
            if (permits > mostAtOnce) {
                return UNKNOWN;
            }
            Leases current = leases;
            long before = current.versions();
            long waitNanos = bucket.takeOrWaitNanos(permits, nowNanos);
            if (waitNanos <= 0) {
                return waitNanos;
            }
            long after = current.versions();
            if (before == Leases.NOT_OPEN || after == Leases.NOT_OPEN) {
                return UNKNOWN;
            }
            if (before == after && before != Leases.NOT_EMPTY) {
                return waitNanos;
            }
            if (permits > 1) {
                return UNKNOWN;
            }
        }
    }

    // ---------------- under the line's lock

    @Override
    void close() {
        bucket.close();
        if (open) {
            open = false;
            spare = leases.close();
        }
    }

    @Override
    void open() {
        leases.open(spare);
        bucket.open();
        spare = 0;
        open = true;
    }

    @Override
    boolean take(int permits, long nowNanos) {
        pourBack(nowNanos);
        return permits <= mostAtOnce && bucket.take(permits, nowNanos);
    }

    @Override
    long waitNanos(long permits, long nowNanos) {
        pourBack(nowNanos);
        // Something is spare only if the bucket is full but for a part of a permit. So whoever waits, waits for all of
        // the bucket, and those behind get what is spare as well.
        return bucket.waitNanos(Math.max(permits - spare, Math.min(permits, bucket.burst())), nowNanos);
    }

    private void pourBack(long nowNanos) {
        if (spare > 0) {
            spare -= bucket.add(spare, nowNanos);
        }
    }

    @Override
    int available(long nowNanos) {
        return spare + bucket.available(nowNanos);
    }

    @Override
    long mark() {
        return bucket.mark();
    }

    @Override
    long version() {
        return bucket.version();
    }

    @Override
    void giveBack(int permits, long mark, long nowNanos) {
        bucket.giveBack(permits, mark, nowNanos);
    }

    /** For a moment the bucket holds all permits there are, up to the new burst; then as many as possible are leased again. */
    @Override
    void change(Rate next, long nowNanos) {
        Leases nextLeases = leases(next);
        bucket.change(next, nowNanos);
        pourBack(nowNanos);
        spare = Math.min(nextLeases.capacity(), bucket.available(nowNanos));
        if (spare > 0) {
            bucket.take(spare, nowNanos);
        }
        bucket.change(next.pace(next.burst() - nextLeases.capacity()), nowNanos);
        leases = nextLeases;
        mostAtOnce = next.burst() - mostLeased(next);
    }
}
