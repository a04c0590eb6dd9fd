package io.nopanic.breaker;

import io.nopanic.spi.Require;
import io.nopanic.tuning.Cusum;
import java.time.Duration;
import java.util.List;

/** What a {@link CircuitBreakerBuilder} was told about opening on evidence, and what follows from it. */
final class EvidenceSettings {

    private static final int MOST_SUCCESSES_TO_CLOSE = 5;

    private boolean named;
    private boolean detailed;
    private double failureCost = 1;
    private double slowCost = 3;
    private Duration meanTimeToFalseTrip = Duration.ofMinutes(10);
    private double threshold;

    void failureCost(double refusedCalls) {
        failureCost = Require.between("failureCost", refusedCalls, 0.05, 100);
        named = true;
    }

    void slowCost(double factor) {
        slowCost = Require.between("slowCost", factor, 1, 100);
        detailed = true;
    }

    void meanTimeToFalseTrip(Duration duration) {
        Require.positive("meanTimeToFalseTrip", duration);
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(Duration.ofDays(365)) > 0) {
            throw Require.refused("meanTimeToFalseTrip", duration, "1 s to 365 days");
        }
        meanTimeToFalseTrip = duration;
        detailed = true;
    }

    void threshold(double successes) {
        threshold = Require.between("evidenceThreshold", successes, 0.05, 10_000);
        detailed = true;
    }

    /** Whether a breaker is to open on evidence. */
    boolean isNamed() {
        return named;
    }

    void check(boolean otherRuleNamed) {
        if (named && otherRuleNamed) {
            throw Require.refused(
                    "failureCost", failureCost, "without a window, a rate or consecutiveFailures, which it replaces");
        }
        if (detailed && !named) {
            throw Require.refused(
                    "failureCost",
                    "not set",
                    "a number when slowCost, meanTimeToFalseTrip or evidenceThreshold is set");
        }
    }

    void warn(Expectation expected, double enough, List<String> warnings) {
        expected.checkEvidence(Cusum.ofFailureCost(failureCost), enough, warnings);
    }

    EvidenceRule rule(SlowLimit slowLimit, Expectation expected) {
        return new EvidenceRule(
                EvidenceRule.inThousandths(failureCost),
                EvidenceRule.inThousandths(failureCost * slowCost),
                confidence(expected),
                slowLimit);
    }

    private Confidence confidence(Expectation expected) {
        Cusum test = Cusum.ofFailureCost(failureCost);
        if (threshold > 0) {
            return Confidence.fixed(threshold);
        }
        return expected.isKnown()
                ? Confidence.at(expected.callsPerSecond(), test, meanTimeToFalseTrip)
                : Confidence.learned(test, meanTimeToFalseTrip);
    }

    double failureCost() {
        return failureCost;
    }

    /** At which failed probes and calls refused for nothing cost the same. */
    double kappa() {
        return 2 * Math.sqrt(failureCost);
    }

    int successesToClose() {
        long wanted = named ? Math.round(1 + 2 * Math.log10(10 * failureCost)) : 1;
        return (int) Math.min(MOST_SUCCESSES_TO_CLOSE, Math.max(1, wanted));
    }
}
