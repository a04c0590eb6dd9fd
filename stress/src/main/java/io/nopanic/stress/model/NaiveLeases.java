package io.nopanic.stress.model;

import io.nopanic.threads.StripeLayout;
import io.nopanic.threads.ThreadHash;
import java.util.List;

/**
 * A bucket, and the permits that were leased from it, as the only thread sees them: those of its own stripe, and those of all others, of which it makes
 * no difference where they lie. How many stripes there are, and which is its own, the machine and the thread decide.
 *
 * <p>For one thread it is exact who is let in, when, and what one who is not is told. When somebody has to wait, or needs several permits that are together nowhere, all are poured
 * back into the bucket, as far as there is room.
 */
final class NaiveLeases extends NaiveMeter {

    private final int lease;
    private final Bucket bucket;
    private int stripes;
    private int perStripe;

    /** In the thread's own stripe; while gathered, what is in no stripe and not in the bucket either. */
    private long own;

    private long others;
    private boolean gathered;

    /** Permits that were taken from other stripes than the thread's own. */
    long stolen;

    /** Permits that were poured back into the bucket. */
    long pouredBack;

    NaiveLeases(LimiterRules.Pace pace, int lease, long nowNanos) {
        super(pace, nowNanos);
        this.lease = lease;
        layOut(pace);
        bucket = new Bucket(withoutLeases(pace), nowNanos);
        own = capacity();
        gathered = true;
        spread();
    }

    /** Half of the burst can be leased; a call can have the rest. */
    private void layOut(LimiterRules.Pace pace) {
        set(pace);
        int most = pace.burst() / 2;
        burst = (long) pace.burst() - most;
        stripes = Math.max(1, StripeLayout.suitable(most));
        perStripe = Math.min(lease - 1, most / stripes);
    }

    private int capacity() {
        return stripes * perStripe;
    }

    private LimiterRules.Pace withoutLeases(LimiterRules.Pace pace) {
        return new LimiterRules.Pace(pace.permits(), pace.periodNanos(), pace.burst() - capacity());
    }

    @Override
    void passTo(long nanos) {
        bucket.passTo(nanos);
        nowNanos = nanos;
    }

    @Override
    void gather() {
        close();
        long poured = bucket.add(own);
        own -= poured;
        pouredBack += poured;
    }

    private void close() {
        own += others;
        others = 0;
        gathered = true;
    }

    @Override
    void spread() {
        if (gathered) {
            gathered = false;
            long all = own;
            int home = StripeLayout.indexOf(ThreadHash.ofCurrent(32), stripes) / StripeLayout.STRIDE - 1;
            own = StripeLayout.share((int) all, stripes, home);
            others = all - own;
        }
    }

    /** Where one call finds them without gathering what lies elsewhere. */
    private boolean isThere(int count) {
        return own >= count || bucket.available() >= count || (count == 1 && others > 0);
    }

    @Override
    long waitNanos(List<Integer> oneAfterTheOther) {
        if (!gathered && oneAfterTheOther.size() == 1 && isThere(oneAfterTheOther.get(0))) {
            return 0;
        }
        gather();
        // The first finds its permits in the bucket. What there was no room for is poured into it as they leave.
        int all = oneAfterTheOther.stream().mapToInt(Integer::intValue).sum() - (int) own;
        return Math.max(bucket.waitNanos(List.of(oneAfterTheOther.get(0))), bucket.waitNanos(List.of(all)));
    }

    @Override
    void take(int count) {
        if (gathered) {
            bucket.take(count);
        } else if (own >= count) {
            own -= count;
        } else if (count > 1) {
            bucket.take(count);
        } else if (bucket.available() > 0) {
            long taken = Math.min(1 + perStripe, bucket.available());
            bucket.take((int) taken);
            own = taken - 1;
        } else {
            others--;
            stolen++;
        }
    }

    /** Who counts them deals them out anew. */
    @Override
    long available() {
        close();
        long all = own + bucket.available();
        spread();
        return all;
    }

    @Override
    void change(LimiterRules.Pace next) {
        close();
        layOut(next);
        bucket.change(next);
        bucket.add(own);
        own = Math.min(capacity(), bucket.available());
        bucket.take((int) own);
        bucket.change(withoutLeases(next));
    }
}
