package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import io.nopanic.spi.Entry;
import org.jspecify.annotations.Nullable;

/** Calls pass, and their outcomes are remembered until the trip rule has seen enough; or, closed by hand, for ever. */
final class Closed extends State {

    final TripRule.Memory memory;
    final boolean forced;
    private final @Nullable Throwable lastFailure;

    /** The permit of every call of this period whose stripe does not matter. */
    final long permit;

    Closed(long generation, long sinceNanos, TripRule.Memory memory, boolean forced, @Nullable Throwable lastFailure) {
        super(generation, sinceNanos);
        this.memory = memory;
        this.forced = forced;
        this.lastFailure = lastFailure;
        permit = permit(0);
    }

    @Override
    CircuitState visible() {
        return forced ? CircuitState.FORCED_CLOSED : CircuitState.CLOSED;
    }

    @Override
    @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    /** None: what opened the circuit before this period is not why a hand opens it now. */
    @Override
    @Nullable Throwable failureToHandOn() {
        return null;
    }

    @Override
    Counts counts(long nowNanos) {
        return memory.counts(nowNanos);
    }

    /**
     * A call goes in, and its permit is {@code permit(stripe)}; or, {@code true}, it does not, because this period has to end for calls that went in before and have not come
     * back.
     */
    boolean enter(int stripe, long nowNanos) {
        if (!memory.enter(stripe, nowNanos) || forced) {
            return false;
        }
        memory.takeBack(stripe, nowNanos);
        return true;
    }

    /** The answer to a call that went in; there may be no memory for it. */
    Entry admitted(long permit, long nowNanos) {
        try {
            return new Entry.Admitted(permit);
        } catch (Throwable noMemory) {
            if (gave(permit)) {
                memory.takeBack(lease(permit), nowNanos);
            }
            throw noMemory;
        }
    }

    /** A call with such a permit came back; {@code true} if this period has to end because of it. */
    boolean record(Ending ending, long permit, long startNanos, long nowNanos) {
        return memory.record(ending, lease(permit), startNanos, nowNanos) && !forced;
    }
}
