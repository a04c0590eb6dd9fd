package io.nopanic.bulkhead;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many permits there are, how many are in use, and whether those that come free are reserved for callers who wait: all in one
 * atomic word, so that no combination of acquiring, releasing and resizing can pass the limit.
 *
 * <pre>
 * bit 63     reserved: newcomers get nothing
 * bits 62-32 the limit
 * bits 31-0  permits in use; more than the limit only after the limit was lowered
 * </pre>
 *
 * <p>Read as a signed number, the upper half is the limit for newcomers: while permits are reserved it is negative, and no count is
 * below it.
 *
 * <p>Thread-safe, without a lock. Acquiring is one compare-and-set, repeated only if another thread changed the word in between;
 * releasing is one atomic addition. Neither allocates.
 */
final class Permits {

    private static final long RESERVED = Long.MIN_VALUE;
    private static final long LIMIT = 0x7fff_ffff_0000_0000L;
    private static final int LIMIT_SHIFT = 32;

    /** The word stands 128 bytes away from either end of the array, so that nothing shares its cache line or that line's pair. */
    private static final int WORD = 16;

    private final AtomicLongArray words = new AtomicLongArray(2 * WORD + 1);

    Permits(int limit) {
        words.set(WORD, (long) limit << LIMIT_SHIFT);
    }

    /** Takes a permit if one is free for newcomers. */
    boolean tryAcquire() {
        return acquire(0);
    }

    /** Takes a permit, if one is free, for somebody who waits. Under the queue's lock. */
    boolean acquireReserved() {
        return acquire(RESERVED);
    }

    private boolean acquire(long overlooked) {
        while (true) {
            long word = words.get(WORD);
            if (inUse(word) >= limitForNewcomers(word & ~overlooked)) {
                return false;
            }
            if (words.compareAndSet(WORD, word, word + 1)) {
                return true;
            }
        }
    }

    /**
     * Gives a permit back.
     *
     * @return whether somebody waits for it: the caller must then hand it over
     */
    boolean release() {
        long before = words.getAndDecrement(WORD);
        assert inUse(before) > 0 : "a permit was released that nobody held";
        return before < 0;
    }

    /**
     * Takes a permit if one is free for newcomers, or else, in the same step, reserves those that come free. Under the queue's lock.
     *
     * @return whether a permit was taken
     */
    boolean acquireOrReserve() {
        while (true) {
            long word = words.get(WORD);
            boolean free = inUse(word) < limitForNewcomers(word);
            long next = free ? word + 1 : word | RESERVED;
            if (next == word || words.compareAndSet(WORD, word, next)) {
                return free;
            }
        }
    }

    /** Lets newcomers have what comes free: nobody waits any more. Under the queue's lock. */
    void endReservation() {
        words.getAndUpdate(WORD, word -> word & ~RESERVED);
    }

    /** Changes the limit. Permits in use stay in use. Under the queue's lock. */
    void limit(int limit) {
        words.getAndUpdate(WORD, word -> (word & ~LIMIT) | (long) limit << LIMIT_SHIFT);
    }

    int limit() {
        return limit(words.get(WORD));
    }

    int inUse() {
        return inUse(words.get(WORD));
    }

    /** Permits that a newcomer could have now. */
    int available() {
        long word = words.get(WORD);
        return word < 0 ? 0 : Math.max(0, limitForNewcomers(word) - inUse(word));
    }

    private static int inUse(long word) {
        return (int) word;
    }

    private static int limit(long word) {
        return limitForNewcomers(word & ~RESERVED);
    }

    private static int limitForNewcomers(long word) {
        return (int) (word >> LIMIT_SHIFT);
    }
}
