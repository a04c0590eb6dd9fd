package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The checked settings of a breaker. */
record CircuitBreakerSettings(
        TripRule tripRule,
        OpenSchedule openSchedule,
        HalfOpen.Rules probing,
        SlowLimit slowLimit,
        Classifier classifier,
        RandomGenerator random,
        List<String> warnings) {

    Optional<Duration> slowAfter() {
        long nanos = slowLimit.isSet() ? slowLimit.nanos() : Nanos.FOREVER;
        return nanos == Nanos.FOREVER ? Optional.empty() : Optional.of(Nanos.toDuration(nanos));
    }

    String describe() {
        String probes = probing.probes() == 1 ? "1 probe" : probing.probes() + " probes";
        return "opens at " + tripRule.describe() + "; " + openSchedule.describe() + "; " + probes;
    }
}
