package io.nopanic.lab.tune;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.spi.Require;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the log does not tell.
 *
 * @param failureCost how many calls refused for nothing are as bad as one failed call that was sent; 0.05 to 100
 * @param current the breaker that is in use, if there is one
 * @param capacity how many calls per second the dependency can serve, if that is known; more than 0
 * @param latencySlo for how long a caller waits for an answer at most, if that is known; more than zero
 */
public record Wishes(
        double failureCost, Optional<BreakerSpec> current, OptionalDouble capacity, Optional<Duration> latencySlo) {

    /** Checks them. */
    public Wishes {
        Require.between("cost", failureCost, 0.05, 100);
        capacity.ifPresent(value -> Require.between("capacity", value, 0.001, 1e9));
        latencySlo.ifPresent(value -> Require.positive("latency-slo", value));
    }

    /** Nothing but what a failure costs. */
    public static Wishes ofCost(double failureCost) {
        return new Wishes(failureCost, Optional.empty(), OptionalDouble.empty(), Optional.empty());
    }
}
