package io.nopanic.time;

import java.time.Duration;

/** Durations and moments as {@code long} nanoseconds, without overflow. */
public final class Nanos {

    /**
     * The longest duration that is told apart from others: about 73 years. Every longer one becomes this, so that a moment
     * plus a duration can still be compared with another moment by their difference.
     */
    public static final long FOREVER = Long.MAX_VALUE / 4;

    private Nanos() {}

    /** The duration in nanoseconds, cut to {@code [-FOREVER, FOREVER]}. */
    public static long of(Duration duration) {
        long seconds = duration.getSeconds();
        long limit = FOREVER / 1_000_000_000L;
        if (seconds >= limit) {
            return FOREVER;
        }
        if (seconds < -limit) {
            return -FOREVER;
        }
        return seconds * 1_000_000_000L + duration.getNano();
    }

    /** The nanoseconds as a duration; {@link #FOREVER} and more stay as large as they are. */
    public static Duration toDuration(long nanos) {
        return Duration.ofNanos(nanos);
    }

    /** The sum of two durations that are not negative, cut to {@link #FOREVER}. */
    public static long plus(long aNanos, long bNanos) {
        return Math.min(FOREVER, Math.min(aNanos, FOREVER) + Math.min(bNanos, FOREVER));
    }
}
