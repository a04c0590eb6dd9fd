package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import org.jspecify.annotations.Nullable;

/**
 * One period of the breaker's life. What a state knows does not change, but for the memory of {@link Closed} and the refusals that
 * an {@link Outage} counts; the next state is a new object. Whoever replaces the current state by compare-and-set made the transition.
 */
abstract sealed class State permits Closed, Open, HalfOpen, ForcedOpen {

    /** How many bits of a permit tell probes of one period apart, or, while closed, the stripes of {@link InFlight}; the rest is the generation. */
    private static final int LEASE_BITS = 20;

    /** Lease numbers run from 0 to this and begin again, when the former holder of a number has long come back or expired. */
    static final int MAX_LEASE = (1 << LEASE_BITS) - 1;

    /** The number of this period, one more at every transition. An outcome from another period is late. */
    final long generation;

    final long sinceNanos;

    State(long generation, long sinceNanos) {
        this.generation = generation;
        this.sinceNanos = sinceNanos;
    }

    abstract CircuitState visible();

    /** The failure that last opened the circuit or kept it open, if it was one. */
    abstract @Nullable Throwable lastFailure();

    /** The same for a state that a hand puts in the place of this one. */
    @Nullable Throwable failureToHandOn() {
        return lastFailure();
    }

    /** What this period has seen. */
    Counts counts(long nowNanos) {
        return Counts.NONE;
    }

    /** A permit bound to this period. */
    final long permit(int lease) {
        return (generation << LEASE_BITS) | lease;
    }

    final boolean gave(long permit) {
        return permit >>> LEASE_BITS == generation;
    }

    static int lease(long permit) {
        return (int) permit & MAX_LEASE;
    }
}
