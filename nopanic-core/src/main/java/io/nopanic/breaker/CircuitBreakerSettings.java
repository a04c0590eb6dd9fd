package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import java.util.List;
import java.util.random.RandomGenerator;

/** The checked settings of a breaker. */
record CircuitBreakerSettings(
        TripRule tripRule,
        OpenSchedule openSchedule,
        HalfOpen.Rules probing,
        long slowAfterNanos,
        Classifier classifier,
        RandomGenerator random,
        List<String> warnings) {

    String describe() {
        String probes = probing.probes() == 1 ? "1 probe" : probing.probes() + " probes";
        return "opens at " + tripRule.describe() + "; " + openSchedule.describe() + "; " + probes;
    }
}
