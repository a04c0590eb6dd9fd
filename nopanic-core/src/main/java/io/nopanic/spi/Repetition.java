package io.nopanic.spi;

import org.jspecify.annotations.Nullable;

/**
 * The shape of a policy that decides whether a call goes again: retry. What belongs to one call is handed in, so that a policy keeps
 * nothing per call.
 */
public non-sealed interface Repetition extends Policy {

    /** What {@link #delayNanos} answers when the outcome stands. */
    long DONE = -1;

    /** Whether {@link Attempt#elapsedNanos} is needed, which costs a clock reading for every call. */
    default boolean measuresElapsed() {
        return false;
    }

    /** A new call begins (not: a new attempt). */
    default void onCall() {}

    /** Whether this result, of a call that did not throw, is good enough. Asked for every such result, so it must be quick. */
    boolean accepts(@Nullable Object result);

    /**
     * An attempt threw, or returned a result that was not accepted. Shall the call go again?
     *
     * @return the delay before the next attempt in nanoseconds (0 or more), or {@link #DONE}
     */
    long delayNanos(Attempt attempt);

    /**
     * The attempt that {@link #delayNanos} last granted is not made after all: the wait was interrupted or the call cancelled.
     *
     * @param attempt what {@link #delayNanos} was asked about
     */
    default void onAbandoned(Attempt attempt) {}

    /**
     * An attempt that was not good enough.
     *
     * @param number its number, from 1
     * @param previousDelayNanos the delay before it; 0 for the first
     * @param nowNanos the time
     * @param elapsedNanos the time since the call began, if {@link #measuresElapsed()}
     * @param remainingNanos what the deadline around the call leaves; {@link Long#MAX_VALUE} without one
     * @param result what it returned, {@code null} if it threw
     * @param error what it threw, {@code null} if it returned
     */
    record Attempt(
            int number,
            long previousDelayNanos,
            long nowNanos,
            long elapsedNanos,
            long remainingNanos,
            @Nullable Object result,
            @Nullable Throwable error) {}
}
