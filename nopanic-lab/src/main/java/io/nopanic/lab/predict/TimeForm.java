package io.nopanic.lab.predict;

import io.nopanic.lab.setup.Trip;
import io.nopanic.lab.theory.TimeWindow;
import io.nopanic.lab.theory.WarmUp;
import io.nopanic.lab.theory.WarmUp.Judged;
import java.time.Duration;
import java.util.Optional;

/** A rate over the calls of the last so many seconds, in the builder's 10 buckets. */
record TimeForm(Duration length, Trip.Rates rates, double callsPerSecond, double healthy) implements TripForm {

    private static final int BUCKETS = 10;
    private static final double MANY_CALLS = 100;
    private static final int FOLLOWED = 5_000;
    private static final int MOST_SETTLING_CALLS = 100_000_000;

    TimeWindow window() {
        return new TimeWindow(seconds(), BUCKETS, rates.minimumCalls(), rates.failureRate());
    }

    private double seconds() {
        return length.toNanos() / 1e9;
    }

    private double calls() {
        return callsPerSecond * seconds();
    }

    @Override
    public Optional<Estimate> callsToFalseTrip(double failureRate) {
        if (failureRate * FAR_BELOW > rates.failureRate()) {
            return Optional.empty();
        }
        double full = window().meanCalls(callsPerSecond, failureRate);
        Optional<WarmUp.Result> start = start().map(filling -> filling.at(failureRate, Judged.AFTER_FAILURES));
        return Optional.of(Estimate.approximate(
                Double.isInfinite(full)
                        ? full
                        : start.map(filling -> filling.meanCalls() + (1 - filling.tripProbability()) * full)
                                .orElse(full),
                "within a factor of 2, as far as runs can show, if failures are independent; in bursts far fewer"));
    }

    /** The window holds about as many calls as come in its length; until it does it is a count window that fills. */
    private Optional<WarmUp> start() {
        long filled = Math.round(calls());
        return filled < rates.minimumCalls() || filled > FOLLOWED
                ? Optional.empty()
                : Optional.of(new WarmUp((int) filled, rates.minimumCalls(), rates.failureRate()));
    }

    @Override
    public Optional<Estimate> callsToTrip(double before, double after) {
        if (calls() < MANY_CALLS
                || calls() < 2.0 * rates.minimumCalls()
                || before * FAR_BELOW > rates.failureRate()
                || after < rates.failureRate() * FAR_ABOVE) {
            return Optional.empty();
        }
        return Optional.of(Estimate.approximate(
                window().fluidDelaySeconds(before, after) * callsPerSecond,
                "by the mean; its buckets make the window, and so this, up to 10 % shorter"));
    }

    @Override
    public Optional<WarmingUp> warmingUp(double failureRate) {
        return start().map(filling -> new WarmingUp(
                filling.calls(),
                Estimate.approximate(
                        filling.at(failureRate, Judged.AFTER_FAILURES).tripProbability(),
                        "as if exactly so many calls came while the window fills: within 20 % or 1e-6")));
    }

    @Override
    public int failuresInARow() {
        double ifHealthyBefore = (rates.failureRate() - healthy) / (1 - healthy) * calls();
        return (int) Math.max(rates.minimumCalls(), Math.ceil(ifHealthyBefore));
    }

    @Override
    public int settlingCalls() {
        return (int) Math.min(MOST_SETTLING_CALLS, Math.max(50, Math.ceil(1.5 * calls())));
    }
}
