package io.nopanic.threads;

/**
 * A count that many threads add to and few read: a {@link BiasedCount} in each of a few stripes, and a thread adds to that of its hash. Like a
 * {@code LongAdder}, but for a thread that has a stripe to itself adding costs no atomic operation.
 */
public final class StripedCount {

    private static final int MOST_STRIPES = 8;

    private final int stripes = StripeLayout.suitable(MOST_STRIPES);
    private final long[] words = new long[StripeLayout.words(stripes)];

    /** A count of zero. */
    public StripedCount() {}

    /** Adds one. */
    public void increment() {
        long thread = Thread.currentThread().getId();
        BiasedCount.increment(words, StripeLayout.indexOf(ThreadHash.of(thread, Integer.SIZE), stripes), thread);
    }

    /** What has been counted; what others add meanwhile may be missing. */
    public long sum() {
        long sum = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            sum += BiasedCount.sum(words, StripeLayout.index(stripe));
        }
        return sum;
    }
}
