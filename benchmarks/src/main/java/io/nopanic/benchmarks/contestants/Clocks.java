package io.nopanic.benchmarks.contestants;

import io.nopanic.time.Time;

/** The times that nopanic is measured on. */
final class Clocks {

    private Clocks() {}

    /** {@link System#nanoTime} at every reading. */
    static Time exact() {
        return Time.system();
    }

    /** A reading that is up to about ten milliseconds old. */
    static Time coarse() {
        return Time.coarse();
    }
}
