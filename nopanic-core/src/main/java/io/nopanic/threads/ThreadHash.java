package io.nopanic.threads;

/**
 * Spreads threads over stripes of memory. The ids of threads that were started one after the other are neighbours; multiplied by 2<sup>64</sup>
 * divided by the golden ratio their highest bits lie far apart (Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4).
 */
public final class ThreadHash {

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private ThreadHash() {}

    /**
     * A number for the calling thread, the same each time.
     *
     * @param bits how many bits it has, from 1 to 63
     */
    public static long ofCurrent(int bits) {
        return of(Thread.currentThread().getId(), bits);
    }

    /** The same for the thread with that id. */
    public static long of(long thread, int bits) {
        return (thread * GOLDEN) >>> (Long.SIZE - bits);
    }
}
