package io.nopanic.lab.report;

import io.nopanic.lab.predict.Estimate;
import io.nopanic.lab.predict.FalseTrips;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.BreakerSpec;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many false trips a day a policy would have if failures were independent of each other, by the closed forms; to be held beside those that were counted.
 * For each key the calls outside of incidents, divided by how many the form lets pass between two false trips at the rates of that key: how often calls came
 * outside of its incidents, and how many of them failed; for a key with few calls, how many failed of all. Slow calls are not among these failures, so for policies that count them there is no number.
 */
public final class Independence {

    /** Failures whose variance is this much more than that of independent ones are told to be bursty. */
    private static final double BURSTY = 1.5;

    /** From fewer blocks the variance is too uncertain to call failures independent. */
    private static final int ENOUGH_BLOCKS = 30;

    /** For more keys the forms take too long. */
    private static final int MOST_KEYS = 100;

    private static final double TINY = 0.001;

    private final ReplayResult result;
    private final IdentityHashMap<PolicyResult, OptionalDouble> falseTripsPerDay = new IdentityHashMap<>();

    /** Of this result. */
    public Independence(ReplayResult result) {
        this.result = result;
        result.policies().forEach(policy -> falseTripsPerDay.put(policy, computed(policy)));
    }

    /** False trips a day of one of the policies by the closed form; nothing if there is none, or the log does not say what it needs. */
    public OptionalDouble falseTripsPerDay(PolicyResult policy) {
        return Objects.requireNonNull(falseTripsPerDay.get(policy));
    }

    private OptionalDouble computed(PolicyResult policy) {
        if (whyNone().isPresent()
                || !(policy.spec() instanceof BreakerSpec breaker)
                || breaker.slowAfter().isPresent()
                || breaker.learnsWhatIsSlow()) {
            return OptionalDouble.empty();
        }
        double rateOfAll = result.facts().healthyOfAll().failureRate();
        double trips = 0;
        for (int key = 0; key < result.keys().size(); key++) {
            LogFacts.Healthy healthy = result.facts().healthy().get(key);
            boolean hasOwnRate = healthy.judged() >= Survey.Criteria.OWN_CALLS;
            double rate = hasOwnRate ? healthy.failureRate() : rateOfAll;
            if (rate == 0 || healthy.judged() == 0) {
                continue;
            }
            Optional<Estimate> calls = FalseTrips.meanCalls(breaker, healthy.judged() / healthySeconds(key), rate);
            if (calls.isEmpty()) {
                return OptionalDouble.empty();
            }
            trips += healthy.judged() / calls.get().value();
        }
        return OptionalDouble.of(trips / result.days());
    }

    private double healthySeconds(int key) {
        long inIncidents = result.facts().incidents().stream()
                .filter(incident -> incident.key() == key)
                .mapToLong(incident -> incident.span().lengthNanos())
                .sum();
        return Math.max(1, (result.survey().whole().lengthNanos() - inIncidents) / 1e9);
    }

    /** Why nothing can be said of any policy, if nothing can. */
    private Optional<String> whyNone() {
        if (!result.tellsDays()) {
            return Optional.of("the log is too short, less than an hour");
        }
        if (result.keys().size() > MOST_KEYS) {
            return Optional.of("there are more than " + MOST_KEYS + " keys");
        }
        if (result.facts().healthyOfAll().failures() == 0) {
            return Optional.of("no call failed outside of incidents");
        }
        return Optional.empty();
    }

    /** A number of false trips a day. */
    public static String perDay(double number) {
        if (number < TINY) {
            return number > 0 ? "< " + TINY : "0";
        }
        return String.format(Locale.ROOT, number < 10 ? "%.3f" : "%,.0f", number);
    }

    /** Whether failures came in bursts, and what a formula that knows of none makes of that. */
    String sentence() {
        LogFacts.Burstiness burstiness = result.facts().burstiness();
        return isTold(burstiness) ? bursts(burstiness) + " " + formula() : bursts(burstiness);
    }

    private static boolean isTold(LogFacts.Burstiness burstiness) {
        double factor = burstiness.healthy();
        return factor > BURSTY || (burstiness.healthyBlocks() >= ENOUGH_BLOCKS && !Double.isNaN(factor));
    }

    /** Whether failures came in bursts. */
    static String bursts(LogFacts.Burstiness burstiness) {
        if (!isTold(burstiness)) {
            return "There were too few calls or failures outside of incidents to tell whether they come in bursts.";
        }
        double factor = burstiness.healthy();
        return (factor > BURSTY
                        ? "Failures were not independent of each other here, even outside of incidents"
                        : "Outside of incidents failures came as if independent of each other")
                + String.format(
                        Locale.ROOT,
                        " (burstiness factor %.2f: variance over mean of the failures in blocks of 100 calls, about 1 if they are).",
                        factor);
    }

    private String formula() {
        Optional<String> none = whyNone();
        if (none.isPresent()) {
            return "What the formula for independent failures says of false trips a day is left out: " + none.get()
                    + ".";
        }
        List<PolicyResult> breakers = result.policies().stream()
                .filter(policy -> policy.spec() instanceof BreakerSpec)
                .toList();
        for (PolicyResult policy : breakers) {
            OptionalDouble formula = falseTripsPerDay(policy);
            if (formula.isPresent()) {
                return "The formula for independent failures says "
                        + perDay(formula.getAsDouble()).replace("<", "less than")
                        + " false trips a day for " + policy.spec().name() + ", your log says "
                        + perDay(policy.total().falseTrips() / result.days())
                        + "; trips in bursts that are long enough to be incidents are not false.";
            }
        }
        return breakers.isEmpty() ? "" : "For none of these policies there is a formula of false trips at these rates.";
    }
}
