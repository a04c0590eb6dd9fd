package io.nopanic.lab.theory;

import io.nopanic.spi.Require;

/** Windows in which the mean comes true. */
final class Fluid {

    private Fluid() {}

    /** Which part of the window has to come after the change of the failure rate until the window's rate is reached: {@code (r - p0) / (p1 - p0)}. */
    static double shareOfWindow(double rate, double before, double after) {
        Chance.checked("before", before);
        Chance.checked("after", after);
        if (before >= rate) {
            throw Require.refused("before", before, "less than the rate that opens, " + rate);
        }
        if (after < rate) {
            throw Require.refused("after", after, "at least the rate that opens, " + rate);
        }
        return (rate - before) / (after - before);
    }
}
