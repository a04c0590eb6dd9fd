package io.nopanic.cli.demo;

import io.nopanic.events.CircuitState;
import java.util.List;

/**
 * Thirty calls as they went.
 *
 * @param calls the calls in their order
 * @param changes what the breaker did; empty if there was none
 * @param reached how many calls the dependency has seen, by its own count
 */
record Run(List<MadeCall> calls, List<Change> changes, int reached) {

    /**
     * The breaker went into another state.
     *
     * @param atNanos when, counted from the beginning of the run
     * @param to the state it went into
     */
    record Change(long atNanos, CircuitState to) {}

    Run {
        calls = List.copyOf(calls);
        changes = List.copyOf(changes);
    }

    int count(MadeCall.Outcome outcome) {
        return (int) calls.stream().filter(call -> call.outcome() == outcome).count();
    }

    long totalNanos() {
        return calls.get(calls.size() - 1).endNanos();
    }

    /** How long the caller was kept waiting, all calls together. */
    long waitedNanos() {
        return calls.stream().mapToLong(MadeCall::durationNanos).sum();
    }

    /** The median duration of the calls that ended like this; 0 if none did. */
    long medianNanos(MadeCall.Outcome outcome) {
        long[] sorted = calls.stream()
                .filter(call -> call.outcome() == outcome)
                .mapToLong(MadeCall::durationNanos)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /** For how long, at worst, a call came late or was held up although nothing had to be waited for. */
    long heldUpNanos() {
        return calls.stream()
                .mapToLong(call -> call.lateNanos()
                        + (call.outcome() == MadeCall.Outcome.SHORT_CIRCUITED ? call.durationNanos() : 0))
                .max()
                .orElse(0);
    }
}
