package io.nopanic.breaker;

import io.nopanic.spi.Require;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a {@link CircuitBreakerBuilder} was told about slow calls. */
final class SlowSettings {

    static final Duration USUAL_LONGEST = Duration.ofSeconds(10);
    private static final Duration SHORTEST_LONGEST = Duration.ofMillis(200);
    private static final Duration LONGEST_LONGEST = Duration.ofHours(1);

    /** 0: no call is slow. */
    private long nanos;

    /** Whether {@link #nanos} is only the longest. */
    private boolean learned;

    void after(Duration duration) {
        nanos = Require.positive("slowAfter", duration);
        learned = false;
    }

    void learned(Duration longest) {
        long longestNanos = Require.positive("slowAfterLearned", longest);
        if (longest.compareTo(SHORTEST_LONGEST) < 0 || longest.compareTo(LONGEST_LONGEST) > 0) {
            throw Require.refused("slowAfterLearned", longest, "200 ms to 1 h");
        }
        nanos = longestNanos;
        learned = true;
    }

    boolean isNamed() {
        return nanos > 0;
    }

    void check(boolean onEvidence) {
        if (learned && !onEvidence) {
            throw Require.refused("failureCost", "not set", "a number when slowAfterLearned is set");
        }
    }

    SlowLimit limit(RandomGenerator random) {
        return learned ? SlowLimit.learned(nanos, random) : SlowLimit.fixed(nanos);
    }
}
