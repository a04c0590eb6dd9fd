package io.nopanic.lab.logs.format;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Numbers and words in bytes. */
final class Ascii {

    /** Stands for what is no number, or one too large. */
    static final long NOT_A_NUMBER = Long.MIN_VALUE;

    private static final int MAX_NUMBER_LENGTH = 40;
    private static final long LARGEST_TO_MULTIPLY = (Long.MAX_VALUE - 9) / 10;

    private Ascii() {}

    /** A whole number without sign. */
    static long wholeNumber(byte[] bytes, int from, int to) {
        if (from >= to) {
            return NOT_A_NUMBER;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || value > LARGEST_TO_MULTIPLY) {
                return NOT_A_NUMBER;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** A number that may have a sign, a fraction and an exponent, times ten to the power of {@code digits}; what is smaller is cut off. */
    static long scaled(byte[] bytes, int from, int to, int digits) {
        long value = 0;
        int left = -1;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit >= 0 && digit <= 9) {
                if (left == 0) {
                    continue;
                }
                if (value > LARGEST_TO_MULTIPLY) {
                    return NOT_A_NUMBER;
                }
                value = value * 10 + digit;
                left -= left > 0 ? 1 : 0;
            } else if (bytes[i] == '.' && left < 0 && digits >= 0) {
                left = digits;
                if (i == from || i + 1 == to) {
                    return NOT_A_NUMBER;
                }
            } else {
                return unusual(bytes, from, to, digits);
            }
        }
        if (from >= to) {
            return NOT_A_NUMBER;
        }
        for (int missing = left < 0 ? digits : left; missing > 0; missing--) {
            if (value > Long.MAX_VALUE / 10) {
                return NOT_A_NUMBER;
            }
            value *= 10;
        }
        return value;
    }

    /** With a sign or an exponent; or no number. */
    private static long unusual(byte[] bytes, int from, int to, int digits) {
        if (to - from > MAX_NUMBER_LENGTH) {
            return NOT_A_NUMBER;
        }
        try {
            BigDecimal value = new BigDecimal(text(bytes, from, to));
            // Before it is written out, which would take as many digits as its exponent says.
            if (Math.abs((long) value.precision() - value.scale()) > MAX_NUMBER_LENGTH) {
                return NOT_A_NUMBER;
            }
            return value.scaleByPowerOfTen(digits).toBigInteger().longValueExact();
        } catch (NumberFormatException e) {
            return NOT_A_NUMBER;
        } catch (ArithmeticException e) {
            return NOT_A_NUMBER;
        }
    }

    /** The first place of a byte, {@code to} if it is not there. */
    static int indexOf(byte[] bytes, int from, int to, char sought) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == sought) {
                return i;
            }
        }
        return to;
    }

    static boolean startsWith(byte[] bytes, int from, int to, byte[] start) {
        if (to - from < start.length) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            if (bytes[from + i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    static boolean is(byte[] bytes, int from, int to, char only) {
        return to - from == 1 && bytes[from] == only;
    }

    static boolean isBlank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
