package io.nopanic.lab.tune;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.theory.ErlangB;
import io.nopanic.lab.theory.RetryLoad;
import java.util.Locale;
import java.util.OptionalDouble;

/** Recommends how many calls there may be, from how many there were in the busiest minute. */
final class LoadAdvice {

    private static final double FULL_SHARE = 1e-4;
    private static final double MINUTE_SECONDS = 60;
    private static final long ENOUGH_CALLS = 1_000;
    private static final double MOST_CALLS_IN_FLIGHT = 1e6;

    /** More attempts gain next to nothing: what fails so often is down. */
    private static final int MOST_ATTEMPTS = 3;

    private static final double BUDGET = 0.1;

    private final LogFacts facts;
    private final Demand demand;
    private final Latencies latencies;
    private final OptionalDouble capacity;

    /** How long the busiest minute was: in a shorter log, that is the busiest. */
    private final double busiestSeconds;

    LoadAdvice(LogFacts facts, Demand demand, OptionalDouble capacity, double logSeconds) {
        this.facts = facts;
        this.demand = demand;
        this.capacity = capacity;
        busiestSeconds = Math.max(1, Math.min(MINUTE_SECONDS, logSeconds));
        latencies = new Latencies(facts.load().latencies());
    }

    private double callsPerSecond() {
        return facts.load().busiestMinuteCalls() / busiestSeconds;
    }

    /** Of the dependency in the busiest minute, by all calls, whoever made them; 0 if its capacity is not known. */
    double utilisation() {
        return capacity.isPresent() ? callsPerSecond() / capacity.getAsDouble() : 0;
    }

    /**
     * How many calls at a time: so that in the busiest minute one in 10,000 finds no place.
     *
     * @param failuresToOpen how many failed calls open the breaker inside of which it is; with fewer places it would open late
     */
    Recommendation<Integer> bulkhead(int failuresToOpen) {
        long calls = latencies.calls();
        double load = callsPerSecond() * latencies.meanSeconds();
        if (calls == 0) {
            return Recommendation.none(Certainty.UNKNOWN, 0, "the log does not say how long calls took");
        }
        if (load > MOST_CALLS_IN_FLIGHT) {
            return Recommendation.none(
                    Certainty.UNKNOWN, calls, "so many calls at a time that a bulkhead would be no limit");
        }
        int slots = Math.max(1, ErlangB.slots(load, FULL_SHARE));
        String why = String.format(
                Locale.ROOT,
                "%s calls at a time on average in the busiest minute (%s calls/s, %s each); with %d places one in 10,000 would find"
                        + " none, if calls come independently of each other",
                Plain.rounded(load),
                Plain.rounded(callsPerSecond()),
                Plain.seconds(latencies.meanSeconds()),
                slots);
        if (slots < failuresToOpen) {
            why += "; fewer than the " + failuresToOpen + " failures that open the breaker would let it open late";
        }
        if (isShort()) {
            why += "; the log is shorter than a minute";
        }
        return Recommendation.of(
                Math.max(slots, failuresToOpen), calls >= ENOUGH_CALLS ? sure() : Certainty.THIN, calls, why);
    }

    private boolean isShort() {
        return busiestSeconds < MINUTE_SECONDS;
    }

    private Certainty sure() {
        return isShort() ? Certainty.THIN : Certainty.FOUNDED;
    }

    /** How often to try again: instead of what makes the repeated attempts of the log, if there are some, so only first attempts are multiplied. */
    Recommendation<Retries> retries() {
        Retries usual = new Retries(MOST_ATTEMPTS, BUDGET);
        if (capacity.isEmpty()) {
            return retries(
                    usual,
                    Certainty.RULE_OF_THUMB,
                    "the budget keeps retries to 10 % of the calls when everything fails; with --capacity it can be said how many"
                            + " the dependency bears");
        }
        double utilisation = demand.busiestMinuteFirstAttempts() / busiestSeconds / capacity.getAsDouble();
        int attempts = attempts(utilisation);
        String load = (facts.load().repeated() > 0
                        ? "first attempts alone take, in their busiest minute, "
                        : "the busiest minute takes ")
                + Plain.percent(utilisation) + " of the capacity; ";
        if (attempts >= 2) {
            return retries(
                    new Retries(attempts, BUDGET),
                    sure(),
                    load + attempts
                            + " attempts for each call stay below all of it, so an outage would not outlast its cause");
        }
        if (recovers(1 + BUDGET, utilisation)) {
            return retries(
                    usual,
                    sure(),
                    load
                            + "two attempts for each call would be more than all of it, so retries are safe only within the budget");
        }
        return retries(
                new Retries(1, 0), sure(), load + "there is no room for retries, an outage would outlast its cause");
    }

    private Recommendation<Retries> retries(Retries retries, Certainty certainty, String why) {
        long repeated = facts.load().repeated();
        String instead = repeated == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; the log has %,d repeated attempts already: set this instead of what makes them, not around it, or"
                                + " attempts multiply",
                        repeated);
        return Recommendation.of(retries, certainty, facts.calls() - repeated, why + instead);
    }

    /** The most, up to three, with which a dependency that was down comes up again. */
    private static int attempts(double utilisation) {
        int attempts = 1;
        while (attempts < MOST_ATTEMPTS && recovers(attempts + 1.0, utilisation)) {
            attempts++;
        }
        return attempts;
    }

    private static boolean recovers(double attemptsPerCall, double utilisation) {
        return Double.isFinite(RetryLoad.recoverySeconds(1, attemptsPerCall - 1, utilisation));
    }
}
