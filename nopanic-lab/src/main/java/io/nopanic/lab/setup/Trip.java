package io.nopanic.lab.setup;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** When a breaker opens. The names and bounds are those of {@link io.nopanic.breaker.CircuitBreakerBuilder}. */
public sealed interface Trip {

    /**
     * When a rate over a window reaches its limit.
     *
     * @param minimumCalls how many calls the window holds at least
     * @param failureRate more than 0, at most 1
     * @param slowCallRate the same, if slow calls count
     * @param failedOrSlowRate the same
     */
    record Rates(
            Window window,
            int minimumCalls,
            double failureRate,
            OptionalDouble slowCallRate,
            OptionalDouble failedOrSlowRate)
            implements Trip {}

    /** After so many failures in a row. */
    record Consecutive(int failures) implements Trip {}

    /** When either of the two would. */
    record Either(Rates rates, Consecutive consecutive) implements Trip {}

    /**
     * When failures have cost more than successes were worth: a success takes 1 off the evidence, which never falls below 0, a failure adds its
     * cost, and the breaker opens when the evidence reaches a threshold.
     *
     * @param failureCost how many wrongly refused calls are as bad as one failure that was sent
     * @param slowCost by how much a slow call or a timeout weighs more than a failure, if said
     * @param evidenceThreshold the threshold, if said; else the breaker derives it
     * @param meanTimeToFalseTrip what the breaker derives it from, if said
     * @param expectedRate calls per second, what it derives it from, if said
     * @param slowAfterLearned the longest that the breaker lets a call take before it is slow, if it learns that
     */
    record Evidence(
            double failureCost,
            OptionalDouble slowCost,
            OptionalDouble evidenceThreshold,
            Optional<Duration> meanTimeToFalseTrip,
            OptionalDouble expectedRate,
            Optional<Duration> slowAfterLearned)
            implements Trip {

        /** The same with a threshold that is said. */
        public Evidence withThreshold(double threshold) {
            return new Evidence(
                    failureCost,
                    slowCost,
                    OptionalDouble.of(threshold),
                    Optional.empty(),
                    OptionalDouble.empty(),
                    slowAfterLearned);
        }

        /** The same with a rate of calls that is said, from which the threshold follows unless that is. */
        public Evidence withExpectedRate(double callsPerSecond) {
            return new Evidence(
                    failureCost,
                    slowCost,
                    evidenceThreshold,
                    meanTimeToFalseTrip,
                    OptionalDouble.of(callsPerSecond),
                    slowAfterLearned);
        }
    }

    /** Which calls a rate is about. */
    sealed interface Window {

        /** The last so many. */
        record Calls(int count) implements Window {}

        /** Those of the last so long. */
        record Lasting(Duration length) implements Window {}
    }
}
