package io.nopanic.lab.replay;

/**
 * A stretch of time, in nanoseconds since 1970.
 *
 * @param startNanos its first moment
 * @param endNanos the first moment after it
 */
public record Span(long startNanos, long endNanos) {

    /** Checks it. */
    public Span {
        if (endNanos < startNanos) {
            throw new IllegalArgumentException(
                    "endNanos is " + endNanos + ", allowed is at least the start, " + startNanos);
        }
    }

    /** How long it is. */
    public long lengthNanos() {
        return endNanos - startNanos;
    }
}
