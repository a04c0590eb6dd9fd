package io.nopanic.breaker;

import io.nopanic.tuning.Cusum;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much evidence it takes to open: so much that at the highest failure rate that is to be put up with, a false trip happens once in a given time. That depends on
 * the call rate, though on its logarithm only. The rate is what the user says, or what the outages so far have shown, in which refused calls are counted anyway; before the
 * first, {@value #USUAL_RATE} calls per second.
 */
final class Confidence {

    static final double USUAL_RATE = 30;

    /** What is learned stays within this: below and above, one outage says too little about the next. */
    private static final double LOWEST_LEARNED = 1;

    private static final double HIGHEST_LEARNED = 1000;

    private static final double MOST = 10_000;

    /** An outage with fewer refused calls says nothing about their rate. */
    private static final long FEWEST_CALLS = 20;

    /** {@code null} if nothing is learned. */
    private final @Nullable Cusum test;

    private final Duration meanTimeToFalseTrip;

    /** Volatile, written by whoever ends an outage; 0 until the first. */
    private volatile double learnedRate;

    private volatile double threshold;

    private Confidence(@Nullable Cusum test, Duration meanTimeToFalseTrip, double threshold) {
        this.test = test;
        this.meanTimeToFalseTrip = meanTimeToFalseTrip;
        this.threshold = threshold;
    }

    /** So much evidence, in successes. */
    static Confidence fixed(double threshold) {
        return new Confidence(null, Duration.ZERO, threshold);
    }

    /** Enough for the given calls per second. */
    static Confidence at(double rate, Cusum test, Duration meanTimeToFalseTrip) {
        return fixed(threshold(test, rate, meanTimeToFalseTrip));
    }

    /** Enough for the call rate that outages will show. */
    static Confidence learned(Cusum test, Duration meanTimeToFalseTrip) {
        return new Confidence(test, meanTimeToFalseTrip, threshold(test, USUAL_RATE, meanTimeToFalseTrip));
    }

    private static double threshold(Cusum test, double rate, Duration meanTimeToFalseTrip) {
        double calls = rate * meanTimeToFalseTrip.toNanos() / 1e9;
        return Math.min(MOST, test.threshold(Math.max(1, calls), test.toleratedRate()));
    }

    /** In successes. */
    double threshold() {
        return threshold;
    }

    void learn(long calls, long nanos) {
        if (test == null || calls < FEWEST_CALLS || nanos <= 0) {
            return;
        }
        double shown = Math.min(HIGHEST_LEARNED, Math.max(LOWEST_LEARNED, calls * 1e9 / nanos));
        double before = learnedRate;
        double rate = before == 0 ? shown : Math.sqrt(before * shown);
        learnedRate = rate;
        threshold = threshold(test, rate, meanTimeToFalseTrip);
    }
}
