package io.nopanic.outcome;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports that code handed in by a user threw in a place where the call's own outcome stands and the throw reaches
 * nobody: once, as a warning of the system logger, so that a fault in hot code does not flood the log. Thread-safe.
 *
 * <p>{@link #reported} is written once, by compare-and-set, by the thread that reports.
 */
public final class ReportedOnce {

    private final String logger;
    private final String message;
    private final AtomicBoolean reported = new AtomicBoolean();

    /**
     * @param where the class whose logger is used
     * @param message what threw, and what is done instead
     */
    public ReportedOnce(Class<?> where, String message) {
        logger = where.getName();
        this.message = Objects.requireNonNull(message, "message") + " (reported once)";
    }

    /** Reports the first throw and drops the others. Never throws. */
    public void thrown(Throwable thrown) {
        if (reported.compareAndSet(false, true)) {
            try {
                System.getLogger(logger).log(Level.WARNING, message, thrown);
            } catch (Throwable noLogger) {
                // There is nobody left to tell.
            }
        }
    }
}
