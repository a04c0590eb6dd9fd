package io.nopanic.breaker;

import io.nopanic.events.Counts;

/** The recent outcomes of calls. Thread-safe, without locks, of constant size. */
interface Window {

    /**
     * Adds an outcome that is judged.
     *
     * @param nowNanos the time; exact for a bad outcome, for a good one maybe an earlier one
     * @return whether this may be what the thresholds lacked, so that {@link #reaches} has to be asked
     */
    boolean record(Ending ending, long nowNanos);

    /** Time has passed: a call begins. */
    default void advance(long nowNanos) {}

    /** Whether what the window holds, and the calls that are overdue, are reason to open. */
    boolean reaches(Overdue calls, long nowNanos);

    /** What the window holds, and the calls that are overdue. */
    Counts counts(Overdue calls, long nowNanos);
}
