package io.nopanic.lab.predict;

import java.util.Optional;

/**
 * A number and what it is worth.
 *
 * @param value may be infinite: never
 * @param worth how it was found
 * @param bound how far off it may be, or under which condition it holds, in words
 * @param interval of a simulated value
 */
public record Estimate(double value, Worth worth, String bound, Optional<Interval> interval) {

    static Estimate exact(double value, String condition) {
        return new Estimate(value, Worth.EXACT, condition, Optional.empty());
    }

    static Estimate approximate(double value, String bound) {
        return new Estimate(value, Worth.APPROXIMATE, bound, Optional.empty());
    }

    static Estimate simulated(Sample sample, String how) {
        return new Estimate(sample.mean(), Worth.SIMULATED, how, Optional.of(sample.interval()));
    }

    /** The same in another unit. */
    Estimate times(double factor) {
        return new Estimate(
                value * factor,
                worth,
                bound,
                interval.map(ends -> new Interval(ends.low() * factor, ends.high() * factor)));
    }
}
