package io.nopanic.lab.predict;

import java.util.Optional;

/** Whichever of two rules trips first. */
record EitherForm(TripForm one, TripForm other) implements TripForm {

    @Override
    public Optional<Estimate> callsToFalseTrip(double failureRate) {
        return one.callsToFalseTrip(failureRate)
                .flatMap(first -> other.callsToFalseTrip(failureRate)
                        .map(second -> Estimate.approximate(
                                1 / (1 / first.value() + 1 / second.value()),
                                "as if the two rules were independent: between this and the smaller of the two")));
    }

    /** The first of two is earlier than the smaller of the two means. */
    @Override
    public Optional<Estimate> callsToTrip(double before, double after) {
        return Optional.empty();
    }

    @Override
    public Optional<WarmingUp> warmingUp(double failureRate) {
        return one.warmingUp(failureRate);
    }

    @Override
    public int failuresInARow() {
        return Math.min(one.failuresInARow(), other.failuresInARow());
    }

    @Override
    public int settlingCalls() {
        return Math.max(one.settlingCalls(), other.settlingCalls());
    }
}
