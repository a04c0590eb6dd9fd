package io.nopanic.spi;

import io.nopanic.outcome.RejectedException;
import org.jspecify.annotations.Nullable;

/** The answer to a call that asked to be let in. */
public sealed interface Entry {

    /** Let in, with this permit. */
    record Admitted(long permit) implements Entry {}

    /** Refused; the exception goes to the caller. */
    record Refused(RejectedException reason) implements Entry {}

    /**
     * A place in line. The engine asks {@link #check} again after the time it was told or when the waiter is woken, whichever comes
     * first, until the answer is {@link #ADMITTED} or {@link #REFUSED}; or it calls {@link #leave} when the call
     * is interrupted or cancelled. Only the call that waits uses it, so it need not be thread-safe against itself.
     */
    non-sealed interface Waiting extends Entry {

        /** The call is let in; {@link #permit} tells the permit. */
        long ADMITTED = 0;

        /** The wait is over in vain, and the place is given up; {@link #refusal} tells why. */
        long REFUSED = -1;

        /**
         * Is it this call's turn?
         *
         * @param nowNanos the time
         * @return {@link #ADMITTED}, {@link #REFUSED}, or how many nanoseconds from now it makes sense to ask again
         */
        long check(long nowNanos);

        /** The permit, once admitted. */
        long permit();

        /** The exception for the caller, once refused. */
        RejectedException refusal();

        /**
         * The call goes away without being let in; its place, or the permit it may just have been given, goes to others.
         *
         * @param nowNanos the time
         * @return a waiter that may go in because of this, for the engine to wake, or {@code null}
         */
        @Nullable Waiter leave(long nowNanos);
    }
}
