package io.nopanic.threads;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count that costs the thread that owns it no atomic operation. It is {@value #WORDS} words next to each other in an array: what the owner has
 * counted, what all others have counted, and who the owner is.
 *
 * <p>The first thread that counts becomes the owner for ever. It alone writes its word, so it can add with a plain reading and a release store, in
 * a quarter of the time of an atomic add; others add atomically to theirs. Nothing is lost, and the sum never goes down. What the
 * owner counts can become visible to others a moment later than an atomic add would, but not after anything that the owner writes next. An owner that ends
 * leaves its word as it is; ids of threads are not used again. (A class of threads that overrides {@code getId} to tell the id of another one would lose counts here.)
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>the owner's count</td><td>the owner, with release</td></tr>
 * <tr><td>the count of others</td><td>everybody else, and the owner before it is one, by atomic add</td></tr>
 * <tr><td>the owner's id</td><td>whoever finds none, by compare-and-set from 0</td></tr>
 * </table>
 */
public final class BiasedCount {

    /** How many words a count takes. */
    public static final int WORDS = 3;

    private static final int OTHERS = 1;
    private static final int OWNER = 2;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private BiasedCount() {}

    /**
     * Adds one.
     *
     * @param index where the count begins
     * @param thread the id of the calling thread
     */
    public static void increment(long[] words, int index, long thread) {
        // A thread that sees its own id wrote it itself, so it sees its own count too.
        if (words[index + OWNER] == thread) {
            WORD.setRelease(words, index, words[index] + 1);
        } else {
            incrementOthers(words, index, thread);
        }
    }

    private static void incrementOthers(long[] words, int index, long thread) {
        WORD.getAndAdd(words, index + OTHERS, 1L);
        if (words[index + OWNER] == 0) {
            WORD.compareAndSet(words, index + OWNER, 0L, thread);
        }
    }

    /** What has been counted. */
    public static long sum(long[] words, int index) {
        return (long) WORD.getVolatile(words, index) + (long) WORD.getVolatile(words, index + OTHERS);
    }
}
