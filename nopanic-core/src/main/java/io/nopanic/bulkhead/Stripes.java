package io.nopanic.bulkhead;

import io.nopanic.threads.StripeLayout;
import io.nopanic.threads.ThreadHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The permits that are free, spread over stripes of memory, so that threads which come at the same time seldom write the same cache line.
 *
 * <h2>Theory of operation</h2>
 *
 * Each thread has a home stripe. It takes a permit there, or, if there is none, from the next stripe that has one; it gives it back at the home
 * of whoever took it. So permits gather where they are used. Permits are only ever moved: one that is in a stripe is in use nowhere else, and
 * the sum of all is the limit.
 *
 * <p><b>A word</b> is a stripe's state:
 *
 * <pre>
 * bits 63-32 version: one more whenever permits come in; wraps around
 * bits 31-0  how many permits are free; -1 while closed
 * </pre>
 *
 * <p><b>Nobody is refused while a permit is free.</b> Permits move, so one look at each stripe is not enough: a permit may always be where one
 * does not look. {@link #tryTake} looks twice. If all stripes were empty both times, and none has changed its version in between, then no permit
 * came into any of them between the two looks at it, and so all were empty at the moment between the two rounds. Versions only grow, so they are
 * compared by their sum. (A stripe would have to be given back to 2<sup>32</sup> times during two rounds to look unchanged.) A look that has to
 * be repeated means that another call has ended.
 *
 * <p><b>Closing</b> takes the permits out of each stripe in one atomic step, after which nothing goes in or comes out until it is opened. The
 * one who closes then has all permits that are free. Opening makes a new version, so that a look before and a look after do not seem alike.
 *
 * <table>
 * <caption>Who writes what; all with volatile semantics</caption>
 * <tr><td>count, down</td><td>whoever enters, by compare-and-set on an open word that has one</td></tr>
 * <tr><td>count and version, up</td><td>whoever leaves, by compare-and-set on an open word</td></tr>
 * <tr><td>to closed</td><td>holder of the queue's lock, by compare-and-set</td></tr>
 * <tr><td>to open</td><td>holder of the queue's lock, by a write: nobody else writes a closed word</td></tr>
 * </table>
 *
 * <p>Thread-safe, without a lock and without allocation. Memory: {@value StripeLayout#STRIDE} words per stripe.
 */
final class Stripes {

    /** There was a moment at which no permit was free. */
    static final long NONE = -1;

    /** Found a stripe closed. */
    static final long CLOSED = -2;

    private static final long VERSION = 1L << 32;
    private static final long SHUT = VERSION - 1;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final int stripes;

    private final long[] words;

    /** Stripes that are closed. */
    Stripes(int stripes) {
        this.stripes = stripes;
        words = new long[StripeLayout.words(stripes)];
        for (int stripe = 0; stripe < stripes; stripe++) {
            words[StripeLayout.index(stripe)] = SHUT;
        }
    }

    /** How many stripes suit so many permits on this machine: no more than permits, so that none need be empty. */
    static int suitable(int permits) {
        return StripeLayout.suitable(permits);
    }

    /** A number from 0 to 2<sup>32</sup> - 1 that tells the stripe of the calling thread, however many stripes there are. */
    static long home() {
        return ThreadHash.ofCurrent(32);
    }

    int count() {
        return stripes;
    }

    /**
     * Takes a permit.
     *
     * @return the home to give it back to, {@link #NONE} or {@link #CLOSED}
     */
    long tryTake() {
        return tryTake(home());
    }

    /** The same for a thread with that home. */
    long tryTake(long home) {
        int index = index(home);
        long word = (long) WORD.getVolatile(words, index);
        if (free(word) > 0 && WORD.compareAndSet(words, index, word, word - 1)) {
            return home;
        }
        return tryTakeAnywhere(home);
    }

    private long tryTakeAnywhere(long home) {
        int first = index(home);
        // No sum of versions is like this.
        long versionsBefore = NONE;
        while (true) {
            long versions = 0;
            int index = first;
            do {
                long word = (long) WORD.getVolatile(words, index);
                while (free(word) > 0) {
                    if (WORD.compareAndSet(words, index, word, word - 1)) {
                        return home;
                    }
                    word = (long) WORD.getVolatile(words, index);
                }
                if (free(word) < 0) {
                    return CLOSED;
                }
                versions += word;
                index = StripeLayout.after(index, words.length);
            } while (index != first);
            if (versions == versionsBefore) {
                return NONE;
            }
            versionsBefore = versions;
        }
    }

    /**
     * Gives a permit back.
     *
     * @param home where to
     * @return whether it could be, because the stripe is not closed
     */
    boolean tryGiveBack(long home) {
        int index = index(home);
        while (true) {
            long word = (long) WORD.getVolatile(words, index);
            if (free(word) < 0) {
                return false;
            }
            if (WORD.compareAndSet(words, index, word, word + VERSION + 1)) {
                return true;
            }
        }
    }

    /** How many permits are free, read one stripe after the other: exact only while nothing moves. Under the queue's lock, while open. */
    long free() {
        long sum = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            sum += free((long) WORD.getVolatile(words, StripeLayout.index(stripe)));
        }
        return sum;
    }

    /**
     * Closes all stripes. Under the queue's lock, while open.
     *
     * @return how many permits were free
     */
    int close() {
        int sum = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            sum += free((long) WORD.getAndBitwiseOr(words, StripeLayout.index(stripe), SHUT));
        }
        return sum;
    }

    /**
     * Opens all stripes. Under the queue's lock, while closed.
     *
     * @param permits how many are free
     */
    void open(int permits) {
        for (int stripe = 0; stripe < stripes; stripe++) {
            int share = StripeLayout.share(permits, stripes, stripe);
            int index = StripeLayout.index(stripe);
            long closed = (long) WORD.getVolatile(words, index);
            WORD.setVolatile(words, index, closed - SHUT + VERSION + share);
        }
    }

    private int index(long home) {
        return StripeLayout.indexOf(home, stripes);
    }

    private static int free(long word) {
        return (int) word;
    }
}
