package io.nopanic.benchmarks.run;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A figure, and what it should be.
 *
 * @param what what the figure is of
 * @param unit what it is in: {@code x} for a ratio
 * @param atMost whether the limit is an upper one
 * @param limit the limit
 * @param figure finds the figure, if it was measured
 */
public record Target(
        String what, String unit, boolean atMost, double limit, Function<Figures, Optional<Interval>> figure) {

    /** How a figure stands to its target. */
    public enum Verdict {
        /** It is met. */
        MET,
        /** It is met by the figure, but not by all of its interval. */
        MET_UNSURE,
        /** It is missed by the figure, but not by all of its interval. */
        MISSED_UNSURE,
        /** It is missed. */
        MISSED,
        /** Nobody knows. */
        NOT_MEASURED;

        @Override
        public String toString() {
            return switch (this) {
                case MET -> "met";
                case MET_UNSURE -> "met?";
                case MISSED_UNSURE -> "missed?";
                case MISSED -> "missed";
                case NOT_MEASURED -> "not measured";
            };
        }
    }

    static Target atMost(double limit, String unit, String what, Function<Figures, Optional<Interval>> figure) {
        return new Target(what, unit, true, limit, figure);
    }

    static Target atLeast(double limit, String unit, String what, Function<Figures, Optional<Interval>> figure) {
        return new Target(what, unit, false, limit, figure);
    }

    /** The figure, if it was measured. */
    public Optional<Interval> in(Figures figures) {
        return figure.apply(figures);
    }

    /** How the figure stands to the limit. */
    public Verdict verdict(Figures figures) {
        Optional<Interval> found = in(figures);
        if (found.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        Interval interval = found.get();
        boolean unsure = interval.low() <= limit && limit <= interval.high() && interval.low() < interval.high();
        boolean met = atMost ? interval.value() <= limit : interval.value() >= limit;
        if (met) {
            return unsure ? Verdict.MET_UNSURE : Verdict.MET;
        }
        return unsure ? Verdict.MISSED_UNSURE : Verdict.MISSED;
    }

    /** The limit in words. */
    public String goal() {
        String number = limit == Math.rint(limit)
                ? String.format(Locale.ROOT, "%,d", (long) limit)
                : String.format(Locale.ROOT, "%s", limit);
        return (atMost ? "at most " : "at least ") + number + " " + unit;
    }
}
