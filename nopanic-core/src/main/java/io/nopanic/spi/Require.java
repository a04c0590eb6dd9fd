package io.nopanic.spi;

import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.Objects;

/** Checks of settings. Each names the setting, its value and what is allowed. */
public final class Require {

    private Require() {}

    /** A whole number within bounds. */
    public static int between(String setting, int value, int min, int max) {
        return (int) between(setting, (long) value, min, max);
    }

    /** A whole number within bounds. */
    public static long between(String setting, long value, long min, long max) {
        if (value < min || value > max) {
            throw refused(setting, value, range(min, max));
        }
        return value;
    }

    /** A number within bounds, both included; never NaN or infinite. */
    public static double between(String setting, double value, double min, double max) {
        if (!Double.isFinite(value) || value < min || value > max) {
            throw refused(setting, value, "a number from " + min + " to " + max);
        }
        return value;
    }

    /** A share that is more than 0 and at most 1. */
    public static double share(String setting, double value) {
        if (!(value > 0 && value <= 1)) {
            throw refused(setting, value, "a share more than 0 and at most 1");
        }
        return value;
    }

    /**
     * A duration of at least one nanosecond.
     *
     * @return it in nanoseconds, {@link Nanos#FOREVER} if it is longer than that
     */
    public static long positive(String setting, Duration value) {
        Objects.requireNonNull(value, setting);
        if (value.isZero() || value.isNegative()) {
            throw refused(setting, value, "a duration longer than zero");
        }
        return Nanos.of(value);
    }

    /**
     * A duration of zero or more.
     *
     * @return it in nanoseconds, {@link Nanos#FOREVER} if it is longer than that
     */
    public static long notNegative(String setting, Duration value) {
        Objects.requireNonNull(value, setting);
        if (value.isNegative()) {
            throw refused(setting, value, "a duration of zero or longer");
        }
        return Nanos.of(value);
    }

    /** A name with at least one character that is not blank. */
    public static String name(String value) {
        Objects.requireNonNull(value, "name");
        if (value.isBlank()) {
            throw refused("name", "'" + value + "'", "text that is not blank");
        }
        return value;
    }

    /** The exception for a refused setting. */
    public static IllegalArgumentException refused(String setting, Object value, String allowed) {
        return new IllegalArgumentException(setting + " is " + value + ", allowed is " + allowed);
    }

    private static String range(long min, long max) {
        if (max == Integer.MAX_VALUE || max == Long.MAX_VALUE) {
            return "a whole number of at least " + min;
        }
        return "a whole number from " + min + " to " + max;
    }
}
