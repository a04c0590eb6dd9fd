package io.nopanic.lab.report.html;

import java.util.List;
import java.util.Optional;

/** What is shown of count windows of several lengths with several thresholds. */
interface WindowGrid {

    /** The lengths, in calls. */
    List<Integer> WINDOWS = List.of(10, 20, 50, 100, 200, 500, 1000);

    /** The thresholds. */
    List<Double> RATES = List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9);

    /**
     * One combination.
     *
     * @param column the place of its length among the lengths
     * @param rate its threshold
     * @param value what is shown, the less the better; NaN where it did not open or hardly would
     * @param safe whether it has as few false trips as the limit says
     */
    record Cell(int column, double rate, double value, boolean safe) {}

    /** All combinations, window after window, the lowest threshold first. */
    List<Cell> cells();

    /** From which threshold on all windows of a length are safe. */
    double limit(int column);

    /** What safe means. */
    Limit limit();

    /** How many false trips are few enough. */
    enum Limit {
        /** One a day. */
        ONE_A_DAY("with at most one false trip a day", "1 false", "trip a day"),

        /** One a day for the breaker of each key, on average. */
        ONE_A_DAY_EACH("with at most one false trip a day per key", "1 false trip", "a day per key"),

        /** None, in a log that is too short for one. */
        NONE("without a false trip", "no false", "trip");

        /** As in "the cheapest with ...". */
        final String words;

        /** The same beside a line, in two lines. */
        final String upper;

        final String lower;

        static Limit oneADay(int keys) {
            return keys == 1 ? ONE_A_DAY : ONE_A_DAY_EACH;
        }

        Limit(String words, String upper, String lower) {
            this.words = words;
            this.upper = upper;
            this.lower = lower;
        }
    }

    /** A value as people read it. */
    String text(double value);

    /** The name of the value for programs. */
    String key();

    /** What the picture shows, as its heading. */
    String heading();

    /** What a cell is, in a sentence. */
    String sentence();

    /** What is hatched, as in "Hatched: ...". */
    String hatched();

    /** What it takes to be the best, as in "The ... with at most ...". */
    String best();

    /** The best of those that are safe; of equal ones the last. */
    default Optional<Cell> recommended() {
        Cell best = null;
        for (Cell cell : cells()) {
            if (cell.safe && !Double.isNaN(cell.value) && (best == null || cell.value <= best.value)) {
                best = cell;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The recommended window and threshold in words. */
    default String recommendation() {
        return recommended()
                .map(cell -> "The " + best() + " " + limit().words + ": " + Numbers.percent(cell.rate) + " of the last "
                        + WINDOWS.get(cell.column) + " calls (ring).")
                .orElse("None of these opens " + limit().words + ".");
    }
}
