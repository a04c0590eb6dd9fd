package io.nopanic.threads;

/**
 * Where the words of stripes lie in an array: one to a stripe, a stride apart, so that no two share a cache line. The first stands a stride from the
 * array's begin, which has its length, and everybody reads that.
 */
public final class StripeLayout {

    /** A stripe's words: 128 bytes, for processors that fetch cache lines in pairs. */
    public static final int STRIDE = 16;

    private static final int MAX_STRIPES = 32;
    private static final int STRIPES_PER_PROCESSOR = 4;

    private StripeLayout() {}

    /** How many stripes suit this machine, but no more than {@code most}. */
    public static int suitable(int most) {
        int forMachine = STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
        return Math.min(most, Math.min(forMachine, MAX_STRIPES));
    }

    /** How long the array has to be. */
    public static int words(int stripes) {
        return (stripes + 1) * STRIDE;
    }

    /** Where the word of a stripe is. */
    public static int index(int stripe) {
        return (stripe + 1) * STRIDE;
    }

    /**
     * Where the word of a thread's stripe is.
     *
     * @param hash of 32 bits, from {@link ThreadHash}
     */
    public static int indexOf(long hash, int stripes) {
        return index((int) ((hash * stripes) >>> 32));
    }

    /** Where the next stripe's word is, so that whoever begins anywhere comes by all and back to the first. */
    public static int after(int index, int words) {
        return index == STRIDE ? words - STRIDE : index - STRIDE;
    }

    /** What a stripe gets when a number is dealt out evenly. */
    public static int share(int dealt, int stripes, int stripe) {
        return dealt / stripes + (stripe < dealt % stripes ? 1 : 0);
    }
}
