package io.nopanic.lab.predict;

import io.nopanic.lab.setup.Trip;
import io.nopanic.lab.theory.CountWindow;
import io.nopanic.lab.theory.WarmUp;
import io.nopanic.lab.theory.WarmUp.Judged;
import java.util.Optional;

/** A rate over the last so many calls. */
record CountForm(int calls, Trip.Rates rates, double healthy) implements TripForm {

    /** Up to this length the filling of the window is followed call by call. */
    private static final int FOLLOWED = 5_000;

    @Override
    public Optional<Estimate> callsToFalseTrip(double failureRate) {
        CountWindow window = window();
        if (calls > FOLLOWED || failureRate * FAR_BELOW > window.rate()) {
            return Optional.empty();
        }
        WarmUp.Result start = start().at(failureRate, Judged.AFTER_FAILURES);
        double mean = failureRate == 0
                ? Double.POSITIVE_INFINITY
                : start.meanCalls() + (1 - start.tripProbability()) * window.meanCalls(failureRate);
        return Optional.of(Estimate.approximate(
                mean,
                failureRate * 3 <= window.rate()
                        ? "within 5 % if failures are independent; in bursts far fewer"
                        : "within 20 % if failures are independent; in bursts far fewer"));
    }

    @Override
    public Optional<Estimate> callsToTrip(double before, double after) {
        CountWindow window = window();
        if (before * FAR_BELOW > window.rate() || after < window.rate() * FAR_ABOVE) {
            return Optional.empty();
        }
        return Optional.of(Estimate.approximate(
                window.fluidDelay(before, after), "by the mean, from a full window: within 5 % or one call"));
    }

    @Override
    public Optional<WarmingUp> warmingUp(double failureRate) {
        return calls > FOLLOWED
                ? Optional.empty()
                : Optional.of(new WarmingUp(
                        calls,
                        Estimate.exact(
                                start().at(failureRate, Judged.AFTER_FAILURES).tripProbability(),
                                "exact if failures are independent")));
    }

    @Override
    public int failuresInARow() {
        return window().failures();
    }

    @Override
    public int settlingCalls() {
        return Math.max(50, 2 * calls);
    }

    private CountWindow window() {
        return CountWindow.ofRate(calls, rates.failureRate());
    }

    private WarmUp start() {
        return new WarmUp(calls, rates.minimumCalls(), rates.failureRate());
    }
}
