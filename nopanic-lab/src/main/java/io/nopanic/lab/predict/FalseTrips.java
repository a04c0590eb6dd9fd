package io.nopanic.lab.predict;

import io.nopanic.lab.setup.BreakerSpec;
import java.util.Optional;

/** How often a breaker opens although nothing is wrong, by the closed forms alone. */
public final class FalseTrips {

    private FalseTrips() {}

    /**
     * The mean number of calls from closing to a false trip, if failures are independent of each other; nothing where no closed form holds.
     *
     * @param callsPerSecond more than 0
     * @param failureRate of healthy calls, 0 to 1
     */
    public static Optional<Estimate> meanCalls(BreakerSpec spec, double callsPerSecond, double failureRate) {
        try {
            return TripForm.of(spec.trip(), callsPerSecond, failureRate).callsToFalseTrip(failureRate);
        } catch (IllegalArgumentException beyondTheForm) {
            return Optional.empty();
        }
    }
}
