package io.nopanic.lab.predict;

import io.nopanic.lab.setup.Plain;

/**
 * A formula beside the production breaker.
 *
 * @param policy in one line
 * @param what was compared
 * @param formula what the formula says
 * @param bound how far off it may be
 * @param simulated what the runs gave
 */
public record Comparison(String policy, String what, double formula, Bound bound, double simulated, Interval interval) {

    /** How sure to be that a bound is broken. */
    private static final double PROBABILITY = 0.9999;

    /**
     * Between which multiples of the formula the truth has to be.
     *
     * @param text the same in words
     */
    public record Bound(double low, double high, String text) {

        static final Bound EXACT = new Bound(1, 1, "exact");

        static Bound percent(double percent) {
            return new Bound(1 - percent / 100, 1 + percent / 100, "+-" + Plain.rounded(percent) + " %");
        }
    }

    static Comparison of(String policy, String what, double formula, Bound bound, Sample sample) {
        return new Comparison(
                policy, what, formula, bound, sample.mean(), sample.spread().interval(PROBABILITY));
    }

    /** Whether the runs leave it possible that the truth is within the bound; they err once in ten thousand times. */
    public boolean holds() {
        return interval.low() <= formula * bound.high() && interval.high() >= formula * bound.low();
    }

    /** By which part of the formula the simulation is off. */
    public double off() {
        return simulated / formula - 1;
    }
}
