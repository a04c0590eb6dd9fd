package io.nopanic.lab.replay;

/**
 * What became of the calls under one policy. {@code sent + refused = calls}, and {@code saved + wronglyRefused} are the refused ones that were judged.
 *
 * @param calls all calls
 * @param sent those that were let in
 * @param refused those that were not
 * @param failures those that the log has as failed
 * @param failuresSent those of them that were let in
 * @param incidentFailuresSent those of these that began in an incident
 * @param saved refused calls that the log has as failed
 * @param wronglyRefused refused calls that the log has as successful
 * @param trips how often the breaker opened out of the closed state
 * @param falseTrips how often with no incident within 2 s
 * @param falseStretches the same, but those within 10 s after the breaker closed from another false one are not counted again
 * @param flaps how often within 10 s after it had closed
 * @param probesSucceeded calls let in by a breaker that was not closed, that succeeded
 * @param probesFailed the same, that failed
 * @param openNanos how long it was open
 * @param halfOpenNanos how long it was half-open
 * @param savedNanos how long the saved calls took, according to the log
 */
public record Tally(
        long calls,
        long sent,
        long refused,
        long failures,
        long failuresSent,
        long incidentFailuresSent,
        long saved,
        long wronglyRefused,
        long trips,
        long falseTrips,
        long falseStretches,
        long flaps,
        long probesSucceeded,
        long probesFailed,
        long openNanos,
        long halfOpenNanos,
        long savedNanos) {

    private static final double PER_CALLS = 10_000;

    /** Nothing. */
    public static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Both. */
    Tally plus(Tally other) {
        return new Tally(
                calls + other.calls,
                sent + other.sent,
                refused + other.refused,
                failures + other.failures,
                failuresSent + other.failuresSent,
                incidentFailuresSent + other.incidentFailuresSent,
                saved + other.saved,
                wronglyRefused + other.wronglyRefused,
                trips + other.trips,
                falseTrips + other.falseTrips,
                falseStretches + other.falseStretches,
                flaps + other.flaps,
                probesSucceeded + other.probesSucceeded,
                probesFailed + other.probesFailed,
                openNanos + other.openNanos,
                halfOpenNanos + other.halfOpenNanos,
                savedNanos + other.savedNanos);
    }

    /** How long the breaker was open or half-open. */
    public long notClosedNanos() {
        return openNanos + halfOpenNanos;
    }

    /**
     * What the policy cost per 10,000 calls, in wrongly refused calls: {@code wronglyRefused + c * failuresSent}.
     *
     * @param c how many wrongly refused calls are as bad as one failure that was sent
     */
    public double cost(double c) {
        return cost(c, (double) wronglyRefused, (double) failuresSent, (double) calls);
    }

    /** The same without failures outside of incidents, which no breaker can avoid. */
    public double incidentCost(double c) {
        return cost(c, (double) wronglyRefused, (double) incidentFailuresSent, (double) calls);
    }

    static double cost(double c, double wronglyRefused, double failuresSent, double calls) {
        return calls == 0 ? 0 : PER_CALLS * (wronglyRefused + c * failuresSent) / calls;
    }
}
