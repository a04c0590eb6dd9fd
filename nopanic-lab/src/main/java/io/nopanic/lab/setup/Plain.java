package io.nopanic.lab.setup;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people write them in a sentence: {@code 3}, and not {@code 3.0}; {@code 0.1}. */
public final class Plain {

    private static final double LARGEST_WHOLE = 1e9;
    private static final MathContext DIGITS = new MathContext(3);

    private Plain() {}

    /** All digits that it has, and a point only if it needs one. */
    public static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }

    /** A whole number and what it counts, which is more with an s. */
    public static String count(long number, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
    }

    /** Three digits, of a whole number all, and no more than needed; very large and very small ones by their power of ten. */
    public static String rounded(double value) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        double size = Math.abs(value);
        if (size != 0 && (size < 1e-3 || size >= 1e6)) {
            return String.format(Locale.ROOT, "%.1e", value);
        }
        return size >= 1000
                ? String.format(Locale.ROOT, "%,.0f", value)
                : new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** A share as a percentage. */
    public static String percent(double share) {
        return rounded(100 * share) + " %";
    }

    /** A length of time. */
    public static String seconds(double seconds) {
        return seconds < 1 ? rounded(1000 * seconds) + " ms" : rounded(seconds) + " s";
    }
}
