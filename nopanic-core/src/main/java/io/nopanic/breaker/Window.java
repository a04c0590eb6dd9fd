package io.nopanic.breaker;

import io.nopanic.events.Counts;

/** The recent outcomes of calls. Thread-safe, without locks, of constant size. */
interface Window {

    /** Adds an outcome that is judged. */
    void record(Ending ending, long nowNanos);

    /**
     * Whether what the window holds is reason to open.
     *
     * @param overdue calls in flight that are slow already
     */
    boolean reaches(Thresholds thresholds, long overdue, long nowNanos);

    /**
     * What the window holds.
     *
     * @param overdue calls in flight that are slow already
     */
    Counts counts(long overdue, long nowNanos);
}
