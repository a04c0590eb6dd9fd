package io.nopanic.lab.tune;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** How long calls took that went well while all was well. */
final class Latencies {

    private static final double PERCENT = 100;
    private static final int BISECTIONS = 60;
    private static final long KEPT_DIGITS = 100;

    private final Histogram histogram;

    Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    long calls() {
        return histogram.getTotalCount();
    }

    double meanSeconds() {
        return histogram.getMean() / 1e9;
    }

    /** What all but this share of the calls do not exceed. */
    long exceededByNanos(double share) {
        return histogram.getValueAtPercentile(PERCENT * (1 - share));
    }

    /** How many calls of the log are above the value that this share exceeds. */
    long callsAbove(double share) {
        return Math.round(share * calls());
    }

    /** Which share of the calls takes longer. */
    double shareAbove(long nanos) {
        if (nanos < 0) {
            return 1;
        }
        if (calls() == 0) {
            return 0;
        }
        long next = histogram.nextNonEquivalentValue(nanos);
        return next > histogram.getMaxValue()
                ? 0
                : (double) histogram.getCountBetweenValues(next, histogram.getMaxValue()) / calls();
    }

    /**
     * What all but this share do not exceed if a second call is made after the delay and the first answer counts, {@code P(Z > t) = P(X > t) P(X > t - d)}.
     * Both calls are slow independently of each other.
     */
    long hedgedNanos(long delayNanos, double share) {
        long low = 0;
        long high = exceededByNanos(share);
        for (int step = 0; step < BISECTIONS && high - low > 1; step++) {
            long middle = low + (high - low) / 2;
            if (shareAbove(middle) * shareAbove(middle - delayNanos) <= share) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Rounded up to two digits. */
    static Duration rounded(long nanos) {
        long unit = 1;
        while (nanos / unit >= KEPT_DIGITS) {
            unit *= 10;
        }
        return Duration.ofNanos((nanos + unit - 1) / unit * unit);
    }
}
