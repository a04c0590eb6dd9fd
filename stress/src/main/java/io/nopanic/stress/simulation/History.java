package io.nopanic.stress.simulation;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.stress.script.Divergence;
import io.nopanic.stress.script.Tally;
import org.jspecify.annotations.Nullable;

/** What the policies told, as one number, and whether a breaker can have told it. */
final class History {

    private static final long FNV_OFFSET = 0xcbf2_9ce4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01b3L;

    private final Tally tally;
    private long hash = FNV_OFFSET;
    private CircuitState state = CircuitState.CLOSED;
    private long generation;
    private long refused;
    private long late;

    /** What was wrong in a listener, where nothing that is thrown reaches anybody. */
    @Nullable Divergence wrong;

    History(Tally tally) {
        this.tally = tally;
    }

    long hash() {
        return hash;
    }

    CircuitState state() {
        return state;
    }

    long generation() {
        return generation;
    }

    /** Something happened. */
    void note(String what) {
        for (int i = 0; i < what.length(); i++) {
            hash = (hash ^ what.charAt(i)) * FNV_PRIME;
        }
    }

    void told(Event event) {
        note(event.toString());
        tally.count("events: " + event.getClass().getSimpleName());
        check(() -> check(event));
    }

    /** Notes what is wrong by this law, whoever would catch it. */
    void check(Runnable law) {
        try {
            law.run();
        } catch (Divergence found) {
            wrong = wrong == null ? found : wrong;
        }
    }

    private void check(Event event) {
        if (event instanceof Event.BreakerStateChanged e) {
            Divergence.unlessSame("a transition begins where the one before ended", state, e.from());
            Divergence.unless(e.generation() > generation, "generation " + e.generation() + " after " + generation);
            Divergence.unless(isLegal(e.from(), e.to()), "transition from " + e.from() + " to " + e.to());
            state = e.to();
            generation = e.generation();
            tally.count("breaker: " + e.from() + " to " + e.to());
        } else if (event instanceof Event.BreakerRefused e) {
            Divergence.unlessSame("the state that refuses", state, e.state());
            Divergence.unless(
                    state != CircuitState.CLOSED && state != CircuitState.FORCED_CLOSED, "refused while " + state);
            refused++;
            tally.count("breaker: refused " + e.state());
        } else if (event instanceof Event.BreakerLateOutcome) {
            late++;
        } else if (event instanceof Event.RetryGaveUp e) {
            tally.count("retry: " + e.reason());
        } else if (event instanceof Event.RetryScheduled e) {
            Divergence.unless(e.delayNanos() >= 0, "a delay of " + e.delayNanos());
        }
    }

    private static boolean isLegal(CircuitState from, CircuitState to) {
        return switch (to) {
            case CLOSED -> true;
            case OPEN -> from == CircuitState.CLOSED || from == CircuitState.HALF_OPEN;
            case HALF_OPEN -> from == CircuitState.OPEN;
            case FORCED_OPEN, FORCED_CLOSED -> from != to;
        };
    }

    /** Whether the breaker's own numbers agree with what it told. */
    void agreesWith(CircuitBreaker breaker, int probes) {
        var seen = breaker.snapshot();
        Divergence.unlessSame("the state and what was told of it", state, seen.state());
        Divergence.unlessSame("refusals told", refused, seen.refused());
        Divergence.unlessSame("late outcomes told", late, seen.lateOutcomes());
        var counts = seen.counts();
        Divergence.unless(
                counts.failures() <= counts.failedOrSlow()
                        && counts.failedOrSlow() <= counts.calls()
                        && counts.timeouts() <= counts.failures()
                        && counts.slow() <= counts.failedOrSlow(),
                "numbers that contradict each other: " + counts);
        if (seen.state() == CircuitState.HALF_OPEN) {
            long used = counts.calls() + seen.inFlight().orElse(0);
            Divergence.unless(used <= probes, used + " probes used of " + probes);
        }
        Divergence.unless(
                seen.retryAfter().isPresent() == (seen.state() == CircuitState.OPEN),
                "retryAfter is " + seen.retryAfter() + " while " + seen.state());
    }
}
