package io.nopanic.lab.report.html;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people read them: with units and their thousands apart, to about three digits. */
final class Numbers {

    /** What stands where there is nothing to say. */
    static final String NOTHING = "\u2013";

    private static final double SECOND = 1e9;
    private static final double DAY = 86_400 * SECOND;
    private static final double BEYOND_WORDS = 1e7;
    private static final String[] UNITS = {"ns", "\u00b5s", "ms", "s", "min", "h", "days"};
    private static final double[] LENGTHS = {1, 1e3, 1e6, SECOND, 60 * SECOND, 3600 * SECOND, DAY};

    /** From how many of the unit before on each unit is used. */
    private static final double[] FROM = {0, 1e3, 1e6, SECOND, 120 * SECOND, 7200 * SECOND, 2 * DAY};

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Numbers() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** About three digits; without zeros that say nothing. */
    static String digits(double number) {
        if (Double.isNaN(number)) {
            return NOTHING;
        }
        double size = Math.abs(number);
        if (size >= BEYOND_WORDS || (size > 0 && size < 1e-4)) {
            return String.format(Locale.ROOT, "%.1e", number)
                    .replaceAll("\\.0e", "e")
                    .replaceAll("e\\+?(-?)0?", "e$1");
        }
        String text = String.format(
                Locale.ROOT,
                size < 1e-2 ? "%.5f" : size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f",
                number);
        String shorter = text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
        return shorter.replace('-', '\u2212');
    }

    /** About two digits. */
    static String rough(double number) {
        return digits(new BigDecimal(number).round(new MathContext(2)).doubleValue());
    }

    /** A length of time in the unit that fits. */
    static String time(long nanos) {
        return time((double) nanos);
    }

    /** A length of time in the unit that fits. */
    static String time(double nanos) {
        if (Double.isNaN(nanos)) {
            return NOTHING;
        }
        int unit = 0;
        while (unit + 1 < FROM.length && Math.abs(nanos) >= FROM[unit + 1]) {
            unit++;
        }
        return nanos == 0 ? "0 s" : digits(nanos / LENGTHS[unit]) + " " + UNITS[unit];
    }

    /** A share as a percentage. */
    static String percent(double share) {
        return Double.isNaN(share) ? NOTHING : digits(100 * share) + " %";
    }

    /** A part of a whole as a percentage; nothing of nothing is nothing to tell. */
    static String percent(long part, long whole) {
        return percent(whole == 0 ? Double.NaN : (double) part / whole);
    }

    /** A moment in UTC, to the second. */
    static String moment(long nanos) {
        return MOMENT.format(Instant.ofEpochSecond(Math.floorDiv(nanos, (long) SECOND)));
    }
}
