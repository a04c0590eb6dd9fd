package io.nopanic.outcome;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the HTTP header {@code Retry-After}: seconds, or a date in any of the three forms of HTTP (RFC 9110, sections
 * 5.6.7 and 10.2.3). Stateless and thread-safe.
 *
 * <p>Use it where you make an exception or look at a response:
 *
 * <pre>{@code
 * RetryAfter.parse(response.headers().firstValue("Retry-After").orElse(null), InstantSource.system())
 * }</pre>
 */
public final class RetryAfter {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    /** As many digits as always fit in a {@code long}. */
    private static final int SAFE_DIGITS = 18;

    /** RFC 9110: a date of two digits that seems more than 50 years ahead is meant in the past. */
    private static final int FUTURE_YEARS = 50;

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private static final String DAY = "(?:mon|tue|wed|thu|fri|sat|sun)";
    private static final String LONG_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
    private static final String MONTH = "(?<month>[a-z]{3})";
    private static final String CLOCK = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";

    /** Case is ignored, as is whether the day of the week is the right one. */
    private static final List<Pattern> DATES = List.of(
            // Sun, 06 Nov 1994 08:49:37 GMT
            Pattern.compile(DAY + ", (?<day>[0-9]{2}) " + MONTH + " (?<year>[0-9]{4}) " + CLOCK + " gmt"),
            // Sunday, 06-Nov-94 08:49:37 GMT
            Pattern.compile(LONG_DAY + ", (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) " + CLOCK + " gmt"),
            // Sun Nov  6 08:49:37 1994
            Pattern.compile(DAY + " " + MONTH + " (?<day>[0-9]{2}| [0-9]) " + CLOCK + " (?<year>[0-9]{4})"));

    private RetryAfter() {}

    /**
     * How long to stay away.
     *
     * @param header the header's value; {@code null} if there was none. Of several headers hand in one: several values
     *     in one line are no valid value
     * @param now the clock that a date is compared with; not read for seconds
     * @return zero or more: zero for a date that is past, the longest {@link Duration} for a number of seconds that is
     *     larger; empty without a header or if it is not valid, as with a sign or a fraction. There is no other upper
     *     bound; what waits sets its own
     */
    public static Optional<Duration> parse(@Nullable String header, InstantSource now) {
        if (header == null) {
            return Optional.empty();
        }
        String value = header.strip();
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(seconds(value));
        }
        String lower = value.toLowerCase(Locale.ROOT);
        for (Pattern form : DATES) {
            Matcher match = form.matcher(lower);
            if (match.matches()) {
                return until(match, now.instant());
            }
        }
        return Optional.empty();
    }

    private static Duration seconds(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > SAFE_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(significant));
    }

    private static Optional<Duration> until(Matcher date, Instant now) {
        try {
            Duration left = Duration.between(now, instant(date, now));
            return Optional.of(left.isNegative() ? Duration.ZERO : left);
        } catch (DateTimeException notADate) {
            return Optional.empty();
        }
    }

    private static Instant instant(Matcher date, Instant now) {
        int second = number(date, "second");
        // A leap second is written as the 60th; it is the moment at which the next minute begins.
        boolean leap = second == 60;
        LocalDateTime first = LocalDateTime.of(
                number(date, "year"),
                MONTHS.indexOf(date.group("month")) + 1,
                1,
                number(date, "hour"),
                number(date, "minute"),
                leap ? 59 : second);
        int day = number(date, "day");
        if (date.group("year").length() == 2) {
            first = first.plusYears(yearsToAdd(first.plusDays(day - 1), now));
        }
        return first.withDayOfMonth(day).plusSeconds(leap ? 1 : 0).toInstant(ZoneOffset.UTC);
    }

    /**
     * The multiple of 100 that makes of a year from 0 to 99 the latest one that is at most {@link #FUTURE_YEARS} ahead.
     */
    private static int yearsToAdd(LocalDateTime date, Instant now) {
        LocalDateTime latest = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(FUTURE_YEARS);
        int years = Math.floorDiv(latest.getYear(), 100) * 100;
        return date.plusYears(years).isAfter(latest) ? years - 100 : years;
    }

    private static int number(Matcher date, String group) {
        return Integer.parseInt(date.group(group).strip());
    }
}
