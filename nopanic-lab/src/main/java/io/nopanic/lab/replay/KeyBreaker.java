package io.nopanic.lab.replay;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.events.CircuitState;
import io.nopanic.lab.call.Ending;

/** The breaker of one key under one policy, and what there is to say about it. Not thread-safe. */
final class KeyBreaker {

    /** How far from an incident a trip still belongs to it. */
    static final long TOLERANCE_NANOS = 2_000_000_000L;

    private static final long FLAP_NANOS = 10_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    final CircuitBreaker breaker;
    final Counters counters = new Counters();

    private final int key;
    private final Incidents incidents;
    private final Responses responses;
    private final StateTimeline timeline;

    private CircuitState state = CircuitState.CLOSED;
    private long sinceNanos;
    private long closedNanos = NEVER;
    private boolean isOver;

    /** Whether the last trip was a false one. */
    private boolean lastWasFalse;

    /** The incident that goes on. */
    private int incident = Incidents.NONE;

    /** The last incident that began, and its calls. */
    private int latest = Incidents.NONE;

    private long latestCalls;

    /** The incident that is over while the breaker is not closed yet. */
    private int recoversFrom = Incidents.NONE;

    KeyBreaker(CircuitBreaker breaker, int key, Incidents incidents, Responses responses, StateTimeline timeline) {
        this.breaker = breaker;
        this.key = key;
        this.incidents = incidents;
        this.responses = responses;
        this.timeline = timeline;
    }

    boolean isOpen() {
        return state == CircuitState.OPEN;
    }

    boolean isClosed() {
        return state == CircuitState.CLOSED;
    }

    boolean isInIncident() {
        return incident != Incidents.NONE;
    }

    /** A call begins, in this incident or {@link Incidents#NONE}. */
    void begin(int now) {
        if (now != incident) {
            if (incident != Incidents.NONE) {
                recoversFrom = isClosed() ? Incidents.NONE : incident;
            }
            if (now != Incidents.NONE) {
                recoversFrom = Incidents.NONE;
                latest = now;
                latestCalls = 0;
                if (!isClosed()) {
                    responses.wasOpen(now);
                }
            }
            incident = now;
        }
        if (incident != Incidents.NONE) {
            latestCalls++;
        }
    }

    /** A call was let in by a breaker that was not closed. */
    void probe(Ending ending) {
        if (ending.isFailed()) {
            counters.probesFailed++;
        } else if (ending == Ending.SUCCESS) {
            counters.probesSucceeded++;
        }
    }

    /**
     * Something happened that may have changed the breaker's state.
     *
     * @param startNanos when the call began that it happened to
     */
    void look(long nowNanos, long startNanos) {
        CircuitState seen = breaker.state();
        if (seen != state) {
            change(seen, nowNanos, startNanos);
        }
    }

    private void change(CircuitState to, long nowNanos, long startNanos) {
        leave(nowNanos);
        if (state == CircuitState.CLOSED) {
            trip(nowNanos, startNanos);
        } else if (to == CircuitState.CLOSED) {
            close(nowNanos);
        }
        state = to;
        sinceNanos = nowNanos;
        if (!isOver) {
            timeline.add(nowNanos, key, to);
        }
    }

    private void leave(long nowNanos) {
        if (isOver) {
            return;
        }
        if (state == CircuitState.OPEN) {
            counters.openNanos += nowNanos - sinceNanos;
        } else if (state == CircuitState.HALF_OPEN) {
            counters.halfOpenNanos += nowNanos - sinceNanos;
        }
    }

    /** A call that hangs in an incident may end long after it, so what counts first is when it began. */
    private void trip(long nowNanos, long startNanos) {
        counters.trips++;
        boolean flaps = closedNanos != NEVER && nowNanos - closedNanos < FLAP_NANOS;
        counters.flaps += flaps ? 1 : 0;
        int near = incidents.near(key, startNanos, TOLERANCE_NANOS);
        if (near == Incidents.NONE) {
            near = incidents.near(key, nowNanos, TOLERANCE_NANOS);
        }
        boolean goesOn = flaps && lastWasFalse;
        lastWasFalse = near == Incidents.NONE;
        if (lastWasFalse) {
            counters.falseTrips++;
            counters.falseStretches += goesOn ? 0 : 1;
        } else if (near == latest) {
            responses.tripped(near, nowNanos - incidents.span(near).startNanos(), latestCalls);
            recoversFrom = nowNanos < incidents.span(near).endNanos() ? Incidents.NONE : near;
        }
    }

    private void close(long nowNanos) {
        closedNanos = nowNanos;
        if (recoversFrom != Incidents.NONE) {
            responses.recovered(
                    recoversFrom, nowNanos - incidents.span(recoversFrom).endNanos());
            recoversFrom = Incidents.NONE;
        }
    }

    /** The log is over: times and the timeline end here, while trips that follow from calls still in flight are counted. */
    void end(long nowNanos) {
        leave(nowNanos);
        isOver = true;
    }
}
