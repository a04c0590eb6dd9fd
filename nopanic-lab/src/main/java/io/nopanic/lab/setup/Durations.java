package io.nopanic.lab.setup;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 100ms}, {@code 1.5s}, {@code 2m}, {@code 1h}, {@code 20d}; and as ISO-8601 has them, {@code PT1M}. */
public final class Durations {

    /** What can be written, for complaints. */
    public static final String ALLOWED = "a duration such as 100ms, 1.5s, 2m, 1h or 20d";

    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?) ?(ns|us|ms|s|m|min|h|d)");
    private static final BigDecimal LONGEST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    /** From the largest down. */
    private enum Unit {
        D(86_400_000_000_000L),
        H(3_600_000_000_000L),
        MIN(60_000_000_000L),
        S(1_000_000_000L),
        MS(1_000_000L),
        US(1_000L),
        NS(1L);

        private final long nanos;

        Unit(long nanos) {
            this.nanos = nanos;
        }

        static Unit of(String text) {
            return text.equals("m") ? MIN : valueOf(text.toUpperCase(Locale.ROOT));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param what names it in complaints
     * @throws IllegalArgumentException if it is none, or longer than 73 years
     */
    public static Duration parse(String what, String text) {
        Matcher form = FORM.matcher(text.strip());
        if (form.matches()) {
            BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(Unit.of(form.group(2)).nanos));
            if (nanos.compareTo(LONGEST_NANOS) <= 0) {
                return Duration.ofNanos(nanos.longValue());
            }
        } else if (text.strip().startsWith("P")) {
            try {
                Duration duration = Duration.parse(text.strip());
                if (!duration.isNegative() && duration.toDays() < LONGEST_NANOS.longValue() / Unit.D.nanos) {
                    return duration;
                }
            } catch (DateTimeParseException e) {
                throw refused(what, text, e);
            }
        }
        throw refused(what, text, null);
    }

    private static IllegalArgumentException refused(String what, String text, @Nullable Exception cause) {
        return new IllegalArgumentException(what + " is '" + text + "', allowed is " + ALLOWED, cause);
    }

    /** The duration in the largest unit that leaves no fraction. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        for (Unit unit : Unit.values()) {
            if (nanos > 0 && nanos % unit.nanos == 0) {
                return nanos / unit.nanos + " " + unit;
            }
        }
        return nanos + " ns";
    }
}
