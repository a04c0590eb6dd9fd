package io.nopanic.lab.logs.format;

/** Durations as logs write them, in nanoseconds. */
final class Durations {

    /** Stands for what is no duration, or a negative one. */
    static final long NO_DURATION = Ascii.NOT_A_NUMBER;

    static final int SECONDS = 9;
    static final int MILLIS = 6;
    static final int MICROS = 3;
    static final int NANOS = 0;

    private Durations() {}

    /** A number of a unit that is known. */
    static long of(byte[] bytes, int from, int to, int unit) {
        long nanos = Ascii.scaled(bytes, from, to, unit);
        return nanos < 0 ? NO_DURATION : nanos;
    }

    /** A number with its unit: {@code 1.5s}, {@code 20ms}, {@code 300us}, {@code 300µs} or {@code 40ns}. */
    static long withUnit(byte[] bytes, int from, int to) {
        int unit = to;
        while (unit > from && (bytes[unit - 1] < '0' || bytes[unit - 1] > '9')) {
            unit--;
        }
        int digits = switch (Ascii.text(bytes, unit, to).strip()) {
            case "s" -> SECONDS;
            case "ms" -> MILLIS;
            case "us", "µs", "μs" -> MICROS;
            case "ns" -> NANOS;
            default -> -1;
        };
        return digits < 0 ? NO_DURATION : of(bytes, from, unit, digits);
    }
}
