package io.nopanic.cli.load;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.cli.options.Share;
import io.nopanic.time.Time;
import java.time.Duration;

/**
 * What to do.
 *
 * @param threads how many threads call at once
 * @param calls how many calls each of them makes
 * @param failing which share of the calls fails
 * @param policy what makes the breaker open
 */
record Plan(int threads, long calls, Share failing, PolicyKind policy) {

    static final Duration WINDOW = Duration.ofSeconds(30);
    private static final int ENOUGH_CALLS = 1000;

    long totalCalls() {
        return threads * calls;
    }

    long failingCalls() {
        return threads * failing.of(calls);
    }

    /**
     * A breaker that has no reason to open. Its threshold lies in the middle between the share of failing calls and all calls. Each thread
     * spreads its failing calls evenly, so a stretch of n calls holds at most one more failure per thread than its share of n; so many that
     * this cannot reach the threshold are the fewest that are judged. For failures in a row: between two successes of any thread, each other
     * thread adds at most its own longest row.
     */
    CircuitBreaker breaker(Time time) {
        CircuitBreakerBuilder builder = CircuitBreaker.builder().name("load").time(time);
        return switch (policy) {
            case TIME_WINDOW ->
                builder.timeWindow(WINDOW)
                        .failureRate(threshold())
                        .minimumCalls(judgedCalls())
                        .build();
            case COUNT_WINDOW ->
                builder.countWindow(judgedCalls())
                        .failureRate(threshold())
                        .minimumCalls(judgedCalls())
                        .build();
            case CONSECUTIVE ->
                builder.consecutiveFailures(threads * longestRow() + 1).build();
        };
    }

    /** The naive breaker with the same window and threshold. */
    NaiveBreaker naiveBreaker(Time time) {
        return new NaiveBreaker(time, WINDOW.toNanos(), judgedCalls(), threshold());
    }

    private double threshold() {
        return (1 + failing.value()) / 2;
    }

    private int judgedCalls() {
        return Math.max(ENOUGH_CALLS, (int) Math.ceil(4 * threads / (1 - failing.value())));
    }

    private int longestRow() {
        return (int) Math.ceil(failing.value() / (1 - failing.value()));
    }
}
