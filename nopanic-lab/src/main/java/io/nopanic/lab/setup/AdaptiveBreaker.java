package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreakerBuilder;
import java.util.Optional;

/** Where the settings of the adaptive breaker meet its builder. */
final class AdaptiveBreaker {

    private static final int MOST_PROBES = 5;

    private AdaptiveBreaker() {}

    /** How many probes have to succeed if nobody says: {@code 1 + 2 log10(10 c)}, rounded, at least 1 and at most 5. */
    static int probes(Trip.Evidence evidence) {
        long probes = Math.round(1 + 2 * Math.log10(10 * evidence.failureCost()));
        return (int) Math.max(1, Math.min(MOST_PROBES, probes));
    }

    static CircuitBreakerBuilder builder(Trip.Evidence evidence) {
        return missing("the adaptive breaker");
    }

    static void probe(CircuitBreakerBuilder builder, Schedule.Quadratic quadratic) {
        missing("quadratic probing");
    }

    private static CircuitBreakerBuilder missing(String what) {
        return Optional.<CircuitBreakerBuilder>empty()
                .orElseThrow(() -> new IllegalArgumentException(what + " is not in this build"));
    }
}
