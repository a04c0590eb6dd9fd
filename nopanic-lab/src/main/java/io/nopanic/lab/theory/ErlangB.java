package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/**
 * How often a bulkhead is full. Calls come as a Poisson process and hold a slot for a time of any distribution; who finds no slot goes away (M/G/c/c). The
 * load {@code a} is calls per second times mean latency in seconds, the mean number of calls in flight if there were no limit (Little).
 */
public final class ErlangB {

    private static final int MAX_SLOTS = 10_000_000;

    private ErlangB() {}

    /**
     * The share of calls that find all slots taken, {@code B(0) = 1}, {@code B(k) = a B(k-1) / (k + a B(k-1))}. Exact.
     *
     * @param slots 0 or more
     * @param load {@code a}, 0 or more
     */
    public static double blocked(int slots, double load) {
        Require.between("slots", slots, 0, MAX_SLOTS);
        Require.between("load", load, 0, 1e9);
        double blocked = 1;
        for (int k = 1; k <= slots; k++) {
            blocked = next(blocked, k, load);
        }
        return blocked;
    }

    /**
     * The fewest slots with which at most this share of calls finds all taken.
     *
     * @param load {@code a}, 0 or more
     * @param share more than 0, at most 1
     */
    public static int slots(double load, double share) {
        Require.between("load", load, 0, 5e6);
        Require.share("share", share);
        double blocked = 1;
        int slots = 0;
        while (blocked > share) {
            slots++;
            blocked = next(blocked, slots, load);
        }
        return slots;
    }

    private static double next(double blocked, int slots, double load) {
        return load * blocked / (slots + load * blocked);
    }
}
