package io.nopanic.lab.replay;

import io.nopanic.events.CircuitState;
import java.util.ArrayList;
import java.util.List;

/** When breakers changed their state, up to so many changes. Not thread-safe while it is written. */
public final class StateTimeline {

    /** As many as a picture can show. */
    static final int MAX = 100_000;

    private final int most;
    private final List<Change> changes = new ArrayList<>();
    private long dropped;

    /**
     * A breaker changed its state.
     *
     * @param nanos when
     * @param key whose breaker
     * @param state to what
     */
    public record Change(long nanos, int key, CircuitState state) {}

    StateTimeline(int most) {
        this.most = most;
    }

    void add(long nowNanos, int key, CircuitState state) {
        if (changes.size() < most) {
            changes.add(new Change(nowNanos, key, state));
        } else {
            dropped++;
        }
    }

    /** The changes in order; before the first of a key its breaker is closed. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /** How many more there were. */
    public long dropped() {
        return dropped;
    }
}
