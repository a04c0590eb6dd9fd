package io.nopanic.breaker;

import java.math.BigInteger;

/**
 * Time cut into slices of equal length, numbered from an origin on; what is before that is in slice 0. What is more than 36 years after it is in the slice of that moment.
 *
 * <p>The number is a quotient, and a division takes as long as several multiplications. As the length stays the same, one by a rounded reciprocal gives the same number (Granlund and
 * Montgomery, Division by Invariant Integers using Multiplication, 1994): with {@code 2^(b-1) < length <= 2^b} and {@code factor = floor(2^(60+b) / length) + 1}, the product
 * {@code age * factor / 2^(60+b)} is above {@code age / length} by less than {@code 1 / length} for any age below 2^60, which does not reach the next whole number.
 */
final class Slices {

    private static final int AGE_BITS = 60;
    private static final long MAX_AGE_NANOS = (1L << AGE_BITS) - 1;

    final long lengthNanos;
    private final long originNanos;
    private final long factor;
    private final int shift;

    /** With at least 9 ns to a slice, so that the shift is one. */
    Slices(long originNanos, long lengthNanos) {
        this.originNanos = originNanos;
        this.lengthNanos = lengthNanos;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(lengthNanos - 1);
        factor = BigInteger.ONE
                        .shiftLeft(AGE_BITS + bits)
                        .divide(BigInteger.valueOf(lengthNanos))
                        .longValueExact()
                + 1;
        shift = AGE_BITS + bits - Long.SIZE;
    }

    /** The number of the slice in which this moment is. */
    long number(long nanos) {
        long ageNanos = Math.min(MAX_AGE_NANOS, Math.max(0, nanos - originNanos));
        return Math.multiplyHigh(ageNanos, factor) >> shift;
    }
}
