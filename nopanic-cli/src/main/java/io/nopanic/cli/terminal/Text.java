package io.nopanic.cli.terminal;

import java.util.Locale;

/** Numbers as people read them. */
public final class Text {

    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;

    private Text() {}

    /** A whole number with its thousands apart. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number of bytes. */
    public static String bytes(long bytes) {
        return count(bytes) + " bytes";
    }

    /** A time in the unit that fits, with about three digits. */
    public static String time(long nanos) {
        return time((double) nanos);
    }

    /** A time in the unit that fits, with about three digits. */
    public static String time(double nanos) {
        if (nanos < MICRO) {
            return digits(nanos) + " ns";
        }
        if (nanos < MILLI) {
            return digits(nanos / MICRO) + " us";
        }
        if (nanos < SECOND) {
            return digits(nanos / MILLI) + " ms";
        }
        if (nanos < 2 * MINUTE) {
            return digits(nanos / SECOND) + " s";
        }
        return nanos < 2 * HOUR ? digits(nanos / MINUTE) + " min" : digits(nanos / HOUR) + " h";
    }

    /** About three digits. */
    public static String digits(double number) {
        String format = number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, number);
    }
}
