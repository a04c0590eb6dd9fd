package io.nopanic.time;

/**
 * Runs short actions later. An action never runs early; it runs on the timer's own thread, so it must not block and must not
 * call code of a user. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Timer {

    /**
     * Runs {@code action} once, {@code delayNanos} from now or as soon after that as possible.
     *
     * @param delayNanos the delay in nanoseconds; zero or less means as soon as possible
     * @param action what to run; an exception that it throws is dropped
     * @return the handle that cancels it
     */
    Scheduled schedule(long delayNanos, Runnable action);

    /** A scheduled action. */
    @FunctionalInterface
    interface Scheduled {

        /**
         * Prevents the action from running and forgets it.
         *
         * @return {@code true} if the action will not run because of this call; {@code false} if it ran, is running, or was
         *     cancelled before
         */
        boolean cancel();
    }
}
