package io.nopanic.lab.predict;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Trip;
import java.util.Optional;

/** How often a breaker opens although nothing is wrong, by the closed forms alone. */
public final class FalseTrips {

    /** What a breaker on evidence goes by before an outage has shown its rate of calls. */
    private static final double USUAL_RATE = 30;

    private FalseTrips() {}

    /**
     * The mean number of calls from closing to a false trip, if failures are independent of each other; nothing where no closed form holds. A breaker that learns
     * its threshold is taken as it is before the first outage.
     *
     * @param callsPerSecond more than 0
     * @param failureRate of healthy calls, 0 to 1
     */
    public static Optional<Estimate> meanCalls(BreakerSpec spec, double callsPerSecond, double failureRate) {
        try {
            return TripForm.of(unlearned(spec.trip()), callsPerSecond, failureRate)
                    .callsToFalseTrip(failureRate);
        } catch (IllegalArgumentException beyondTheForm) {
            return Optional.empty();
        }
    }

    private static Trip unlearned(Trip trip) {
        return trip instanceof Trip.Evidence evidence
                        && evidence.evidenceThreshold().isEmpty()
                        && evidence.expectedRate().isEmpty()
                ? evidence.withExpectedRate(USUAL_RATE)
                : trip;
    }
}
