package io.nopanic.lab.replay;

import java.util.Arrays;

/** How one policy responded to each incident. Not thread-safe while it is written. */
public final class Responses {

    private static final long UNKNOWN = -1;

    private final boolean[] alreadyOpen;
    private final long[] delayNanos;
    private final long[] delayCalls;
    private final long[] recoveryNanos;

    Responses(int incidents) {
        alreadyOpen = new boolean[incidents];
        delayNanos = filled(incidents);
        delayCalls = filled(incidents);
        recoveryNanos = filled(incidents);
    }

    private static long[] filled(int incidents) {
        long[] unknown = new long[incidents];
        Arrays.fill(unknown, UNKNOWN);
        return unknown;
    }

    void wasOpen(int incident) {
        alreadyOpen[incident] = true;
    }

    void tripped(int incident, long afterNanos, long afterCalls) {
        if (!alreadyOpen[incident] && delayNanos[incident] == UNKNOWN) {
            delayNanos[incident] = Math.max(0, afterNanos);
            delayCalls[incident] = afterCalls;
        }
    }

    void recovered(int incident, long afterNanos) {
        recoveryNanos[incident] = afterNanos;
    }

    /** Whether the breaker was not closed when the incident began, so that there was nothing to detect. */
    public boolean isAlreadyOpen(int incident) {
        return alreadyOpen[incident];
    }

    /** Whether the breaker opened because of the incident. */
    public boolean isDetected(int incident) {
        return delayNanos[incident] != UNKNOWN;
    }

    /** How long after the beginning of the incident it opened; -1 if it did not. */
    public long delayNanos(int incident) {
        return delayNanos[incident];
    }

    /** How many calls of the incident had begun when it opened; -1 if it did not. */
    public long delayCalls(int incident) {
        return delayCalls[incident];
    }

    /** How long after the end of the incident it closed; -1 if it was closed then, or another incident began first. */
    public long recoveryNanos(int incident) {
        return recoveryNanos[incident];
    }
}
