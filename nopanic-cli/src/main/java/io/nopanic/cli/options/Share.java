package io.nopanic.cli.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An exact share of calls.
 *
 * @param numerator at least 0
 * @param denominator more than 0
 */
public record Share(long numerator, long denominator) {

    private static final Pattern FRACTION = Pattern.compile("(\\d{1,6})/(\\d{1,6})");
    private static final Pattern DECIMAL = Pattern.compile("(\\d{0,3})(?:\\.(\\d{1,6}))?");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})(?:\\.(\\d{1,6}))?\\s?%");
    private static final int PERCENT_DENOMINATOR = 100;
    private static final long DECIMAL_DENOMINATOR = 1_000_000;

    /**
     * Reads a fraction (1/3), a decimal number (0.25) or a percentage (25%).
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Share parse(String text) {
        Matcher fraction = FRACTION.matcher(text);
        if (fraction.matches() && Long.parseLong(fraction.group(2)) > 0) {
            return new Share(Long.parseLong(fraction.group(1)), Long.parseLong(fraction.group(2)));
        }
        Matcher percent = PERCENT.matcher(text);
        if (percent.matches()) {
            String decimals = percent.group(2) == null ? "" : percent.group(2);
            long scale = Math.round(Math.pow(10, decimals.length()));
            return new Share(Long.parseLong(percent.group(1) + decimals), PERCENT_DENOMINATOR * scale);
        }
        Matcher decimal = DECIMAL.matcher(text);
        if (!text.isEmpty() && decimal.matches()) {
            return new Share(Math.round(Double.parseDouble(text) * DECIMAL_DENOMINATOR), DECIMAL_DENOMINATOR);
        }
        throw new IllegalArgumentException("'" + text + "' is not a share; write it as 1/3, 0.25 or 25%");
    }

    /** As a number. */
    public double value() {
        return (double) numerator / denominator;
    }

    /** How many of the first so many calls it is. */
    public long of(long calls) {
        return calls * numerator / denominator;
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
