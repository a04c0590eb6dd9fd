package io.nopanic.breaker;

import io.nopanic.events.Counts;

/**
 * Decides when a closed breaker opens. The rule itself is settings; what it remembers of one closed period is a {@link Memory}, made
 * anew whenever the breaker closes.
 */
interface TripRule {

    /** An empty memory. */
    Memory begin(long nowNanos);

    /** The rule in words. */
    String describe();

    /** How many calls that hang until they time out, or until they are overdue, it takes at least. */
    int hangingCallsToOpen();

    /** When the rule needs to know the time. */
    Timing timing();

    /**
     * An outage has ended.
     *
     * @param calls how many were refused
     * @param nanos how long it was
     */
    default void recovered(long calls, long nanos) {}

    /** When a rule needs to know the time, from never to always; each includes those before it. */
    enum Timing {
        NEVER,
        /** When a call has failed. */
        OF_FAILURES,
        /** When a call has ended; for a good one, the last reading of the clock will do. */
        OF_ENDS,
        /** When calls begin, too: it counts those in flight. */
        OF_CALLS
    }

    /** What a rule remembers. Thread-safe, without locks, of constant size. */
    interface Memory {

        /**
         * A call goes in.
         *
         * @param stripe where it is counted while it is in flight, see {@link InFlight#stripe}
         * @return whether to open, because of calls still in flight
         * @throws Error if there is no memory or stack to find that out; then the call has not gone in
         */
        default boolean enter(int stripe, long nowNanos) {
            return false;
        }

        /** A call that went in then was not let in after all. */
        default void takeBack(int stripe, long startNanos) {}

        /** A call goes in, and the clock has been read for it, though this rule does not need that. */
        default void advance(long nowNanos) {}

        /**
         * A call came back.
         *
         * @param stripe what was given to {@link #enter}, as was {@code startNanos}
         * @return whether to open because of it
         */
        boolean record(Ending ending, int stripe, long startNanos, long nowNanos);

        /** What is remembered. */
        Counts counts(long nowNanos);

        /** Calls in flight, or -1 if the rule does not count them. */
        default long inFlight() {
            return -1;
        }
    }
}
