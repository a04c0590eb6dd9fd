package io.nopanic.spi;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The shape of a policy that says how long a call may take: timeout. The engine arms the timer, interrupts or abandons a blocking
 * call, cancels the source of an asynchronous one, and raises {@link io.nopanic.outcome.TimeoutExceededException}.
 */
public non-sealed interface Deadline extends Policy {

    /** How long a call may take, in nanoseconds; more than 0. */
    long timeoutNanos();

    /**
     * Where a blocking call runs when its caller is to be answered at the deadline even if the call ignores interrupts. Empty: on the
     * caller's own thread.
     */
    default Optional<Executor> abandonOn() {
        return Optional.empty();
    }

    /** Whether a call that has timed out is interrupted. */
    default boolean interrupts() {
        return true;
    }

    /** A call has timed out. */
    default void onTimeout(long nowNanos) {}

    /** A caller was answered while its code still runs on another thread. */
    default void onAbandoned() {}

    /** Code whose caller had been answered before has ended. */
    default void onAbandonedEnded() {}
}
