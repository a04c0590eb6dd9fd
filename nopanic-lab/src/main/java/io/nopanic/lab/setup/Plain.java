package io.nopanic.lab.setup;

import java.util.Locale;

/** Numbers as people write them: {@code 3}, and not {@code 3.0}; {@code 0.1}. */
public final class Plain {

    private static final double LARGEST_WHOLE = 1e9;

    private Plain() {}

    /** All digits that it has, and a point only if it needs one. */
    public static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < LARGEST_WHOLE
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }
}
