package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;

/**
 * What the closed forms are told of a log: how often calls come to one breaker, and how often they fail. Slow calls that were answered are not failures here, for no window of failures counts them.
 *
 * @param callsPerSecond to each key, on average
 * @param healthy the failure rate outside of incidents
 * @param healthyIsBound whether no call failed there, so that {@code healthy} is one failure in as many calls
 * @param bad the failure rate in incidents
 * @param badIsAssumed whether no call failed in one, so that {@code bad} is a half
 * @param isKnown whether there were enough calls, and failures among them, to go by these numbers
 */
record Traffic(
        double callsPerSecond,
        double healthy,
        boolean healthyIsBound,
        double bad,
        boolean badIsAssumed,
        boolean isKnown) {

    private static final long ENOUGH_CALLS = 100;

    private static final double DAY_SECONDS = 86_400;
    private static final double HALF = 0.5;

    static Traffic of(ReplayResult result) {
        LogFacts facts = result.facts();
        LogFacts.Healthy healthy = facts.healthyOfAll();
        long badCalls = facts.incidents().stream()
                .mapToLong(LogFacts.IncidentFacts::judged)
                .sum();
        long badFailures = facts.incidents().stream()
                .mapToLong(incident -> incident.failures() - incident.slow())
                .sum();
        double seconds = result.survey().whole().lengthNanos() / 1e9;
        boolean none = badFailures == 0;
        return new Traffic(
                Math.max(1, facts.calls())
                        / Math.max(1e-3, seconds)
                        / Math.max(1, result.keys().size()),
                Math.max(1, healthy.failures()) / (double) Math.max(2, healthy.judged()),
                healthy.failures() == 0,
                none ? HALF : (double) badFailures / badCalls,
                none,
                healthy.judged() >= ENOUGH_CALLS && healthy.failures() + badFailures > 0);
    }

    double callsPerDay() {
        return callsPerSecond * DAY_SECONDS;
    }

    /** In words, as the basis of a picture. */
    String describe() {
        return Numbers.digits(callsPerSecond) + " calls per second to one breaker, of which "
                + (healthyIsBound ? "fewer than " : "") + Numbers.percent(healthy) + " fail in health and "
                + Numbers.percent(bad)
                + (badIsAssumed ? " in an incident (assumed: none did in the log)" : " in incidents");
    }
}
