package io.nopanic.events;

/**
 * What a circuit breaker's memory held at one moment.
 *
 * @param calls outcomes in the window: successes and failures; ignored and cancelled calls are in none of these numbers
 * @param failures failures among them, timeouts included
 * @param timeouts failures among them that were timeouts
 * @param slow calls among them that took at least the slow-call time, and calls still in flight past it
 * @param failedOrSlow calls that were a failure or slow or both, each once
 */
public record Counts(long calls, long failures, long timeouts, long slow, long failedOrSlow) {

    /** Nothing seen. */
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /** Failures as a share of calls, 0 to 1; 0 without calls. */
    public double failureRate() {
        return calls == 0 ? 0 : (double) failures / calls;
    }

    /** Slow calls as a share of calls, 0 to 1; 0 without calls. */
    public double slowRate() {
        return calls == 0 ? 0 : (double) slow / calls;
    }
}
