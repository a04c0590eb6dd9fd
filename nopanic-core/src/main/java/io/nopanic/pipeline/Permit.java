package io.nopanic.pipeline;

import io.nopanic.engine.HeldPermits;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call by hand, got from {@link Pipeline#admit()}. Say how the call ended, exactly once; whatever comes after the
 * first time does nothing. Closing a permit that was not settled gives it back as if the call had been cancelled, so use it in a
 * {@code try} statement. Thread-safe: a call may end on another thread than it began on.
 */
public final class Permit implements AutoCloseable {

    private final HeldPermits held;

    Permit(HeldPermits held) {
        this.held = held;
    }

    /**
     * The call returned.
     *
     * @param result what it returned; policies may judge it
     * @return whether this settled the permit
     */
    public boolean succeeded(@Nullable Object result) {
        return held.settle(result, null);
    }

    /**
     * The call failed.
     *
     * @return whether this settled the permit
     */
    public boolean failed(Throwable error) {
        return held.settle(null, Objects.requireNonNull(error, "error"));
    }

    /** Gives the permit back without an outcome, unless it was settled. */
    @Override
    public void close() {
        if (!held.isSettled()) {
            held.settle(null, new CancellationException("the permit was closed without an outcome"));
        }
    }
}
