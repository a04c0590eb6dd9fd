package io.nopanic.lab.predict;

import io.nopanic.lab.theory.Consecutive;
import java.util.Optional;

/** Failures in a row. */
record ConsecutiveForm(int failures) implements TripForm {

    private static final int SETTLING_CALLS = 50;

    @Override
    public Optional<Estimate> callsToFalseTrip(double failureRate) {
        return Optional.of(Estimate.exact(
                new Consecutive(failures).meanCalls(failureRate),
                "exact if failures are independent; in bursts far fewer"));
    }

    @Override
    public Optional<Estimate> callsToTrip(double before, double after) {
        return Optional.of(Estimate.exact(
                new Consecutive(failures).meanCalls(after),
                "exact from a success on; a failure just before the change makes it a call shorter"));
    }

    @Override
    public int failuresInARow() {
        return failures;
    }

    @Override
    public int settlingCalls() {
        return SETTLING_CALLS;
    }
}
