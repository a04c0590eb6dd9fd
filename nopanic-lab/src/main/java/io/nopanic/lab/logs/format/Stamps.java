package io.nopanic.lab.logs.format;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Points in time as logs write them, in nanoseconds since 1970-01-01T00:00:00Z. Remembers the last day, so that only the first line of a day asks the
 * calendar. Not thread-safe.
 */
final class Stamps {

    /** Stands for what is no point in time, or one before 1970 or after 2261. */
    static final long NO_TIME = Long.MIN_VALUE;

    private static final long SECOND = 1_000_000_000L;

    /** Whole seconds beyond this do not fit. */
    private static final long LAST_SECOND = Long.MAX_VALUE / SECOND - 1;

    /** A number smaller than this is of seconds, one that is a thousand times larger of milliseconds, and so on. */
    private static final long SECONDS_BELOW = 100_000_000_000L;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private int lastDate = -1;
    private long lastEpochDay;
    private boolean isWholeSecond;

    /**
     * In whatever form it is: a number of seconds, milliseconds, microseconds or nanoseconds, told apart by how large it is; a date in ISO form;
     * or a date as the common log format has it.
     */
    long any(byte[] bytes, int from, int to) {
        if (to - from > 10) {
            if (bytes[from + 4] == '-') {
                return iso(bytes, from, to);
            }
            if (bytes[from + 2] == '/') {
                return commonLog(bytes, from, to);
            }
        }
        return epoch(bytes, from, to);
    }

    /** Whether the last one was given without any part of a second. */
    boolean isWholeSecond() {
        return isWholeSecond;
    }

    /** A number of seconds, milliseconds, microseconds or nanoseconds, told apart by how large it is. */
    long epoch(byte[] bytes, int from, int to) {
        long whole = Ascii.scaled(bytes, from, to, 0);
        int digits = 9;
        for (long below = SECONDS_BELOW; digits > 0 && whole >= below; below *= 1000) {
            digits -= 3;
        }
        isWholeSecond = digits == 9 && Ascii.indexOf(bytes, from, to, '.') == to;
        return checked(whole < 0 ? Ascii.NOT_A_NUMBER : Ascii.scaled(bytes, from, to, digits));
    }

    private static long checked(long nanos) {
        return nanos < 0 || nanos / SECOND > LAST_SECOND ? NO_TIME : nanos;
    }

    /** {@code 2026-01-31T12:00:00.123Z}; with another offset, without one (which is UTC), with a space for the T. */
    long iso(byte[] bytes, int from, int to) {
        if (to - from < 19 || bytes[from + 13] != ':' || bytes[from + 16] != ':') {
            return NO_TIME;
        }
        char between = (char) bytes[from + 10];
        if (between != 'T' && between != ' ' && between != 't') {
            return NO_TIME;
        }
        long day = day(number(bytes, from, 4), number(bytes, from + 5, 2), number(bytes, from + 8, 2));
        long second = secondOfDay(bytes, from + 11);
        int at = from + 19;
        long fractionNanos = 0;
        isWholeSecond = true;
        if (at < to && (bytes[at] == '.' || bytes[at] == ',')) {
            int digits = at + 1;
            int end = digits;
            for (; end < to && bytes[end] >= '0' && bytes[end] <= '9'; end++) {
                if (end - digits < 9) {
                    fractionNanos = fractionNanos * 10 + (bytes[end] - '0');
                }
            }
            if (end == digits) {
                return NO_TIME;
            }
            for (int i = end - digits; i < 9; i++) {
                fractionNanos *= 10;
            }
            at = end;
            isWholeSecond = false;
        }
        return timeNanos(day, second, fractionNanos, offset(bytes, at, to));
    }

    /** {@code 31/Jan/2026:12:00:00 +0100}, to the second. */
    long commonLog(byte[] bytes, int from, int to) {
        if (to - from != 26 || bytes[from + 2] != '/' || bytes[from + 6] != '/' || bytes[from + 11] != ':') {
            return NO_TIME;
        }
        long day = day(number(bytes, from + 7, 4), month(bytes, from + 3), number(bytes, from, 2));
        if (bytes[from + 14] != ':' || bytes[from + 17] != ':' || bytes[from + 20] != ' ') {
            return NO_TIME;
        }
        isWholeSecond = true;
        return timeNanos(day, secondOfDay(bytes, from + 12), 0, offset(bytes, from + 21, to));
    }

    private static long timeNanos(long day, long second, long fractionNanos, long offset) {
        if (day == NO_TIME || second < 0 || offset == NO_TIME) {
            return NO_TIME;
        }
        long seconds = day * 86_400 + second - offset;
        return seconds < 0 || seconds > LAST_SECOND ? NO_TIME : seconds * SECOND + fractionNanos;
    }

    private long day(int year, int month, int day) {
        if (year < 0 || month < 0 || day < 0) {
            return NO_TIME;
        }
        int date = (year * 100 + month) * 100 + day;
        if (date != lastDate) {
            try {
                lastEpochDay = LocalDate.of(year, month, day).toEpochDay();
            } catch (DateTimeException e) {
                return NO_TIME;
            }
            lastDate = date;
        }
        return lastEpochDay;
    }

    /** Of {@code hh:mm:ss}; -1 if it is none. A leap second is the first of the next minute. */
    private static long secondOfDay(byte[] bytes, int from) {
        int hour = number(bytes, from, 2);
        int minute = number(bytes, from + 3, 2);
        int second = number(bytes, from + 6, 2);
        boolean isOne = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
        return isOne ? (hour * 60L + minute) * 60 + second : -1;
    }

    /** In seconds, of {@code Z}, {@code +01:00}, {@code +0100}, {@code +01} or nothing. */
    private static long offset(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 0 || (length == 1 && (bytes[from] == 'Z' || bytes[from] == 'z'))) {
            return 0;
        }
        boolean isSigned = bytes[from] == '+' || bytes[from] == '-';
        boolean hasColon = length == 6 && bytes[from + 3] == ':';
        if (!isSigned || (!hasColon && length != 5 && length != 3)) {
            return NO_TIME;
        }
        int hours = number(bytes, from + 1, 2);
        int minutes = length == 3 ? 0 : number(bytes, to - 2, 2);
        if (hours < 0 || minutes < 0) {
            return NO_TIME;
        }
        long seconds = hours * 3600L + minutes * 60L;
        return bytes[from] == '-' ? -seconds : seconds;
    }

    private static int month(byte[] bytes, int from) {
        for (int month = 0; month < 12; month++) {
            if (bytes[from] == MONTHS.charAt(month * 3)
                    && bytes[from + 1] == MONTHS.charAt(month * 3 + 1)
                    && bytes[from + 2] == MONTHS.charAt(month * 3 + 2)) {
                return month + 1;
            }
        }
        return -1;
    }

    private static int number(byte[] bytes, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
