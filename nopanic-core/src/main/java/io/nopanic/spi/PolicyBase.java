package io.nopanic.spi;

import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.time.Time;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The identity that all policies have: a name, a kind, events and a time. A policy extends this and implements its shape. */
public abstract class PolicyBase {

    private final String name;
    private final String kind;
    private final @Nullable Time ownTime;
    private final Events events = new Events();

    /** Takes name, kind and time from the builder. */
    protected PolicyBase(PolicyBuilder<?, ?> builder) {
        name = builder.nameOrGenerated();
        kind = builder.kind();
        ownTime = builder.timeOrNull();
    }

    /** See {@link Policy#name()}. */
    public final String name() {
        return name;
    }

    /** See {@link Policy#kind()}. */
    public final String kind() {
        return kind;
    }

    /** See {@link Policy#events()}. */
    public final Events events() {
        return events;
    }

    /**
     * See {@link Policy#time()}: the time that was set, if one was. A policy that reads the clock outside of calls (to show its state,
     * say) overrides this with {@code Optional.of(timeOrSystem())}, so that a pipeline cannot run it on another.
     */
    public Optional<Time> time() {
        return Optional.ofNullable(ownTime);
    }

    /** The time that was set, or that of the machine. */
    protected final Time timeOrSystem() {
        return ownTime != null ? ownTime : Time.system();
    }

    /** The head of an event of this policy. */
    protected final Event.Stamp stamp(long nowNanos) {
        return new Event.Stamp(name, nowNanos, timeOrSystem().wallTime());
    }

    /** Kind and name. */
    @Override
    public final String toString() {
        return kind + " '" + name + "'";
    }
}
