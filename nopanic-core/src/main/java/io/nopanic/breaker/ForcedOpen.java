package io.nopanic.breaker;

import io.nopanic.events.CircuitState;

/** Opened by hand; only a hand ends it. */
final class ForcedOpen extends State {

    ForcedOpen(long generation, long sinceNanos) {
        super(generation, sinceNanos);
    }

    @Override
    CircuitState visible() {
        return CircuitState.FORCED_OPEN;
    }
}
