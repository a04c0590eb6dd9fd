package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;

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
        CircuitBreakerBuilder builder = CircuitBreaker.builder().failureCost(evidence.failureCost());
        evidence.slowCost().ifPresent(builder::slowCost);
        evidence.evidenceThreshold().ifPresent(builder::evidenceThreshold);
        evidence.meanTimeToFalseTrip().ifPresent(builder::meanTimeToFalseTrip);
        evidence.expectedRate().ifPresent(builder::expectedRate);
        return builder;
    }

    static void probe(CircuitBreakerBuilder builder, Schedule.Quadratic quadratic) {
        quadratic
                .bounds()
                .ifPresentOrElse(
                        bounds -> builder.quadraticProbing(bounds.kappa(), bounds.least(), bounds.most()),
                        builder::quadraticProbing);
        builder.openJitter(quadratic.jitter());
    }
}
