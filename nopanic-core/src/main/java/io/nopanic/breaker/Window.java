package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.function.LongUnaryOperator;

/** The recent outcomes of calls. Thread-safe, without locks, of constant size. */
interface Window {

    /**
     * Adds an outcome that is judged.
     *
     * @param nowNanos the time; exact for a bad outcome, for a good one maybe from when its call began
     * @return whether this may be what the thresholds lacked, so that {@link #reaches} has to be asked
     */
    boolean record(Ending ending, long nowNanos);

    /**
     * Whether what the window holds is reason to open.
     *
     * @param overdue tells how many calls in flight are slow already
     */
    boolean reaches(LongUnaryOperator overdue, long nowNanos);

    /**
     * What the window holds.
     *
     * @param overdue calls in flight that are slow already
     */
    Counts counts(long overdue, long nowNanos);
}
