package io.nopanic.lab.predict;

import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.Trip;
import io.nopanic.lab.theory.BreakEven;
import io.nopanic.lab.theory.Cusum;
import java.time.Duration;
import java.util.Optional;

/** Evidence: a CUSUM with the threshold that the breaker has learned at this rate of calls. */
record EvidenceForm(Trip.Evidence evidence, double callsPerSecond) implements TripForm {

    private static final Duration USUAL_TIME_TO_FALSE_TRIP = Duration.ofMinutes(10);

    private static final double USUAL_SLOW_COST = 3;

    /** The breaker learns rates within these only. */
    private static final double LOWEST_LEARNED = 1;

    private static final double HIGHEST_LEARNED = 1000;

    /** With more failures per second than this, evidence has hardly ever the 5 min without one that halve it. */
    private static final double FADING_FAILURES_PER_SECOND = 0.02;

    Cusum test() {
        BreakEven costs = new BreakEven(evidence.failureCost());
        Cusum steps = costs.steps();
        if (evidence.evidenceThreshold().isPresent()) {
            double inSteps = evidence.evidenceThreshold().getAsDouble() * steps.down();
            return steps.withThreshold((int) Math.max(1, Math.ceil(inSteps - 1e-9)));
        }
        double seconds =
                evidence.meanTimeToFalseTrip().orElse(USUAL_TIME_TO_FALSE_TRIP).toNanos() / 1e9;
        double learned = Math.min(HIGHEST_LEARNED, Math.max(LOWEST_LEARNED, callsPerSecond));
        return costs.test(Math.max(1, evidence.expectedRate().orElse(learned) * seconds));
    }

    /** The threshold in successes. */
    double threshold() {
        Cusum test = test();
        return (double) test.threshold() / test.down();
    }

    /** That the threshold is one that the breaker has yet to learn, if it is. */
    Optional<String> note() {
        return evidence.evidenceThreshold().isPresent()
                        || evidence.expectedRate().isPresent()
                ? Optional.empty()
                : Optional.of("the threshold of " + Plain.rounded(threshold())
                        + " is what the breaker learns from outages at this rate of calls; before the first it takes the"
                        + " one for 30 calls per second");
    }

    @Override
    public Optional<Estimate> callsToFalseTrip(double failureRate) {
        double calls = test().meanCalls(failureRate);
        return Optional.of(
                !fadesAt(callsPerSecond * failureRate)
                        ? Estimate.exact(calls, "exact if failures are independent; in bursts far fewer")
                        : Estimate.approximate(
                                calls,
                                "at least this if failures are independent, since evidence fades where failures are"
                                        + " minutes apart; in bursts far fewer"));
    }

    @Override
    public Optional<Estimate> callsToTrip(double before, double after) {
        if (before * FAR_BELOW > test().breakEvenRate() || fadesAt(callsPerSecond * after)) {
            return Optional.empty();
        }
        return Optional.of(Estimate.exact(
                test().meanCallsFromSteady(before, after), "exact, from the score that it has when healthy"));
    }

    @Override
    public boolean fadesAt(double failuresPerSecond) {
        return failuresPerSecond <= FADING_FAILURES_PER_SECOND;
    }

    @Override
    public int failuresInARow() {
        return test().failuresInARow();
    }

    /** Timeouts, and calls in flight for too long, cost more than failures. */
    @Override
    public int hangingCalls() {
        double cost = evidence.failureCost() * evidence.slowCost().orElse(USUAL_SLOW_COST);
        return (int) Math.max(1, Math.ceil(threshold() / cost - 1e-9));
    }

    @Override
    public int settlingCalls() {
        return 500;
    }
}
