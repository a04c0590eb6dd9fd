package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/** What all closed forms do with probabilities. */
final class Chance {

    private Chance() {}

    /** A probability, checked. */
    static double checked(String name, double value) {
        return Require.between(name, value, 0, 1);
    }

    /** A number above zero, checked. */
    static double positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw Require.refused(name, value, "a finite number more than 0");
        }
        return value;
    }

    /** The fewest failures among so many calls, that are at least this share of them, as a breaker compares: by the quotient. */
    static int leastFailures(int calls, double share) {
        int failures = (int) Math.max(0, Math.floor(share * calls) - 1);
        while ((double) failures / calls < share) {
            failures++;
        }
        return failures;
    }
}
