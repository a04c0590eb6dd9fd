package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import org.jspecify.annotations.Nullable;

/** Opened by hand; only a hand ends it. */
final class ForcedOpen extends State {

    private final @Nullable Throwable lastFailure;

    ForcedOpen(State before, long sinceNanos) {
        super(before.generation + 1, sinceNanos);
        lastFailure = before.failureToHandOn();
    }

    @Override
    CircuitState visible() {
        return CircuitState.FORCED_OPEN;
    }

    @Override
    @Nullable Throwable lastFailure() {
        return lastFailure;
    }
}
