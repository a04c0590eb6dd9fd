package io.nopanic.lab.predict;

import io.nopanic.lab.setup.Trip;
import java.util.Optional;

/** What the closed forms say of a trip rule; nothing where they do not hold. */
interface TripForm {

    /** Failure rates closer to what opens the rule than this leave the closed forms behind. */
    double FAR_BELOW = 1.5;

    /** And this, on the other side. */
    double FAR_ABOVE = 1.2;

    /** Mean calls from closing to a false trip. */
    Optional<Estimate> callsToFalseTrip(double failureRate);

    /** Mean calls from a change of the failure rate to the trip. */
    Optional<Estimate> callsToTrip(double before, double after);

    /** The chance of a false trip while the memory fills after closing. */
    default Optional<WarmingUp> warmingUp(double failureRate) {
        return Optional.empty();
    }

    /**
     * The first calls after closing.
     *
     * @param calls how many
     * @param trips the chance that it opens within them
     */
    record WarmingUp(long calls, Estimate trips) {}

    /** Whether failures that come so seldom are forgotten in between, so that it takes more of them than the closed forms say. */
    default boolean fadesAt(double failuresPerSecond) {
        return false;
    }

    /** How many failures in a row open it, if it was healthy before, and if they do not fade. */
    int failuresInARow();

    /** How many calls that hang, and count once each, open it. */
    default int hangingCalls() {
        return failuresInARow();
    }

    /** After how many healthy calls its memory is what it is after long. */
    int settlingCalls();

    /** The form for a rule. */
    static TripForm of(Trip trip, double callsPerSecond, double healthy) {
        if (trip instanceof Trip.Consecutive consecutive) {
            return new ConsecutiveForm(consecutive.failures());
        }
        if (trip instanceof Trip.Evidence evidence) {
            return new EvidenceForm(evidence, callsPerSecond);
        }
        if (trip instanceof Trip.Either either) {
            return new EitherForm(
                    of(either.rates(), callsPerSecond, healthy), of(either.consecutive(), callsPerSecond, healthy));
        }
        Trip.Rates rates = (Trip.Rates) trip;
        return rates.window() instanceof Trip.Window.Lasting lasting
                ? new TimeForm(lasting.length(), rates, callsPerSecond, healthy)
                : new CountForm(((Trip.Window.Calls) rates.window()).count(), rates, healthy);
    }
}
