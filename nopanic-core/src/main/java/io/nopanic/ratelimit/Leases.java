package io.nopanic.ratelimit;

import io.nopanic.threads.StripeLayout;
import io.nopanic.threads.ThreadHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Permits that were taken from a bucket in advance, spread over stripes of memory, so that threads which come at the same time seldom write the
 * same cache line.
 *
 * <h2>Theory of operation</h2>
 *
 * Each thread has a home stripe. A stripe holds at most {@link #perStripe} permits. When it is empty, one thread <em>marks</em> it, takes a new
 * lease from the bucket, and puts it in the stripe in the mark's place. Meanwhile others find the mark and take single permits from the bucket.
 * So each stripe has either what is in it or one lease on its way, never both, and all leases together are never more than {@link #capacity}.
 *
 * <p><b>A word</b> is a stripe's state:
 *
 * <pre>
 * bits 63-32 version: one more whenever permits come in, from a lease or by opening; wraps around
 * bits 31-0  how many permits there are; -1 while a lease is on its way; -2 while closed
 * </pre>
 *
 * <p><b>Closing</b> takes what is in the stripes. A lease that was on its way then finds its mark gone (a mark has the version, so that a later
 * one is not taken for it) and is dropped: to put it back later could let more pass than the rate allows, for the bucket may have been refilled
 * since it was taken.
 *
 * <p><b>Whether nothing is there</b> one look at each stripe cannot tell: a permit may always be where one does not look. But if all stripes were
 * open and empty in two looks, with the same {@link #versions}, nothing came into any of them between the two looks at it, and so all were empty at
 * each moment between the two rounds. (A stripe would have to be filled 2<sup>32</sup> times meanwhile to look unchanged.)
 *
 * <table>
 * <caption>Who writes what; all with volatile semantics</caption>
 * <tr><td>count, down</td><td>whoever takes permits, by compare-and-set on a word that has as many</td></tr>
 * <tr><td>empty to marked</td><td>whoever finds its home empty, by compare-and-set</td></tr>
 * <tr><td>marked to count</td><td>the one who marked it, by compare-and-set</td></tr>
 * <tr><td>to closed</td><td>holder of the line's lock, by compare-and-set</td></tr>
 * <tr><td>to open</td><td>holder of the line's lock, by a write: nobody else writes a closed word</td></tr>
 * </table>
 *
 * <p>Thread-safe, without a lock and without allocation. Memory: {@value StripeLayout#STRIDE} words per stripe.
 */
final class Leases {

    /** The answer of {@link #mark} when there is another lease. Closed words are not marks. */
    static final long NO_MARK = -2;

    /** The answer of {@link #versions} when a stripe has permits. */
    static final long NOT_EMPTY = -1;

    /** The answer of {@link #versions} when a stripe is closed. */
    static final long NOT_OPEN = -2;

    private static final int MARKED = -1;
    private static final int CLOSED = -2;

    private static final long LOW = 0xffff_ffffL;
    private static final long VERSION = 1L << 32;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final int stripes;
    private final int perStripe;

    private final long[] words;

    /**
     * Stripes that are closed.
     *
     * @param stripes how many, at least 1
     * @param perStripe how many permits each holds
     */
    Leases(int stripes, int perStripe) {
        this.stripes = stripes;
        this.perStripe = perStripe;
        words = new long[StripeLayout.words(stripes)];
        for (int stripe = 0; stripe < stripes; stripe++) {
            words[StripeLayout.index(stripe)] = withCount(0, CLOSED);
        }
    }

    /**
     * Leases that suit this machine. They are smaller than asked for where otherwise more would be out than may be.
     *
     * @param lease how many permits to take at one time
     * @param most how many permits may be leased altogether
     */
    static Leases suitable(int lease, int most) {
        int stripes = Math.max(1, StripeLayout.suitable(most));
        return new Leases(stripes, Math.min(lease - 1, most / stripes));
    }

    /** How many permits a stripe can hold: those of a lease without the one that is used at once. */
    int perStripe() {
        return perStripe;
    }

    /** How many permits can be leased altogether. */
    int capacity() {
        return stripes * perStripe;
    }

    /** Takes permits of the calling thread's own stripe. */
    boolean tryTake(int permits) {
        return tryTake(home(), permits);
    }

    /** Takes a permit of whichever stripe has one. */
    boolean trySteal() {
        int home = home();
        int index = home;
        do {
            if (tryTake(index, 1)) {
                return true;
            }
            index = StripeLayout.after(index, words.length);
        } while (index != home);
        return false;
    }

    private boolean tryTake(int index, int permits) {
        while (true) {
            long word = (long) WORD.getVolatile(words, index);
            if (count(word) < permits) {
                return false;
            }
            if (WORD.compareAndSet(words, index, word, word - permits)) {
                return true;
            }
        }
    }

    /**
     * Begins a lease.
     *
     * @return the mark, or {@link #NO_MARK} unless the calling thread's own stripe is empty
     */
    long mark() {
        int index = home();
        long word = (long) WORD.getVolatile(words, index);
        long marked = withCount(word, MARKED);
        return count(word) == 0 && WORD.compareAndSet(words, index, word, marked) ? marked : NO_MARK;
    }

    /** Ends the lease that the calling thread has begun. */
    void fill(long mark, int permits) {
        WORD.compareAndSet(words, home(), mark, withCount(mark + VERSION, permits));
    }

    /**
     * Looks whether all stripes are open and empty, at one after the other. A lease on its way is not there yet.
     *
     * @return the sum of their versions, of which the lower half is zero; or {@link #NOT_EMPTY} or {@link #NOT_OPEN}
     */
    long versions() {
        long sum = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            long word = (long) WORD.getVolatile(words, StripeLayout.index(stripe));
            int count = count(word);
            if (count > 0) {
                return NOT_EMPTY;
            }
            if (count == CLOSED) {
                return NOT_OPEN;
            }
            sum += word & ~LOW;
        }
        return sum;
    }

    /**
     * Closes all stripes. Under the line's lock, while open.
     *
     * @return how many permits lay in them
     */
    int close() {
        int sum = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            int index = StripeLayout.index(stripe);
            long word;
            do {
                word = (long) WORD.getVolatile(words, index);
            } while (!WORD.compareAndSet(words, index, word, withCount(word, CLOSED)));
            sum += Math.max(0, count(word));
        }
        return sum;
    }

    /**
     * Opens all stripes. Under the line's lock, while closed.
     *
     * @param permits what is in them, at most {@link #capacity}
     */
    void open(int permits) {
        for (int stripe = 0; stripe < stripes; stripe++) {
            int share = StripeLayout.share(permits, stripes, stripe);
            int index = StripeLayout.index(stripe);
            long closed = (long) WORD.getVolatile(words, index);
            WORD.setVolatile(words, index, withCount(closed + VERSION, share));
        }
    }

    /** The stripe of the calling thread. */
    private int home() {
        return StripeLayout.indexOf(ThreadHash.ofCurrent(32), stripes);
    }

    private static int count(long word) {
        return (int) word;
    }

    private static long withCount(long word, int count) {
        return (word & ~LOW) | (count & LOW);
    }
}
