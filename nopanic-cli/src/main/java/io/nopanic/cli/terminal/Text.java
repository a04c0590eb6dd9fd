package io.nopanic.cli.terminal;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people read them. */
public final class Text {

    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;
    private static final double DAY = 24 * HOUR;
    private static final double YEAR = 365 * DAY;
    private static final double BEYOND_WORDS = 1e9;

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Text() {}

    /** A whole number with its thousands apart. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A whole number and what it counts, which is more with an s. */
    public static String of(long number, String one) {
        return count(number) + " " + one + (number == 1 ? "" : "s");
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
        if (nanos < 2 * HOUR) {
            return digits(nanos / MINUTE) + " min";
        }
        if (nanos < 2 * DAY) {
            return digits(nanos / HOUR) + " h";
        }
        return nanos < 2 * YEAR ? digits(nanos / DAY) + " days" : digits(nanos / YEAR) + " years";
    }

    /** A moment in nanoseconds since 1970, in UTC, to the second. */
    public static String moment(long nanos) {
        return MOMENT.format(Instant.ofEpochSecond(Math.floorDiv(nanos, (long) SECOND)));
    }

    /** A part of a whole as a percentage; never rounded to all or nothing. */
    public static String share(double share) {
        if (share > 0 && share < 1e-4) {
            return String.format(Locale.ROOT, "%.1e", share);
        }
        if (share < 1 && share > 0.9995) {
            return "> 99.9 %";
        }
        return (share == 0 || share == 1 ? count(Math.round(100 * share)) : digits(100 * share)) + " %";
    }

    /** About three digits; very large numbers by their power of ten. */
    public static String digits(double number) {
        if (number >= BEYOND_WORDS) {
            return String.format(Locale.ROOT, "%.1e", number);
        }
        String format = number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, number);
    }
}
