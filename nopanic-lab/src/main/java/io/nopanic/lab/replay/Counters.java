package io.nopanic.lab.replay;

/** A {@link Tally} that is being counted. Not thread-safe. */
final class Counters {

    long calls;
    long refused;
    long failures;
    long failuresSent;
    long incidentFailuresSent;
    long saved;
    long wronglyRefused;
    long trips;
    long falseTrips;
    long falseStretches;
    long flaps;
    long probesSucceeded;
    long probesFailed;
    long openNanos;
    long halfOpenNanos;
    long savedNanos;

    Tally toTally() {
        return new Tally(
                calls,
                calls - refused,
                refused,
                failures,
                failuresSent,
                incidentFailuresSent,
                saved,
                wronglyRefused,
                trips,
                falseTrips,
                falseStretches,
                flaps,
                probesSucceeded,
                probesFailed,
                openNanos,
                halfOpenNanos,
                savedNanos);
    }
}
