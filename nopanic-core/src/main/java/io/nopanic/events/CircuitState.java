package io.nopanic.events;

/** The state of a circuit breaker as everyone outside it sees it. */
public enum CircuitState {
    /** Calls pass and are watched. */
    CLOSED,
    /** Calls are refused until the open time is over. */
    OPEN,
    /** A few probes pass; their outcomes decide. */
    HALF_OPEN,
    /** Opened by hand; stays so until told otherwise. */
    FORCED_OPEN,
    /** Closed by hand: every call passes and is counted, nothing trips (the dry run). */
    FORCED_CLOSED
}
