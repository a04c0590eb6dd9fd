package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import org.jspecify.annotations.Nullable;

/** Calls are refused until the schedule says that it is time to probe. */
final class Open extends State {

    private final OpenSchedule.Period period;
    private final Counts countsAtTrip;

    final Outage outage;

    Open(long generation, long sinceNanos, OpenSchedule.Period period, Outage outage, Counts countsAtTrip) {
        super(generation, sinceNanos);
        this.period = period;
        this.outage = outage;
        this.countsAtTrip = countsAtTrip;
    }

    @Override
    CircuitState visible() {
        return CircuitState.OPEN;
    }

    @Override
    @Nullable Throwable lastFailure() {
        return outage.lastFailure();
    }

    @Override
    Counts counts(long nowNanos) {
        return countsAtTrip;
    }

    /** Whether it is time to probe. */
    boolean isOver(long nowNanos) {
        return period.isOver(nowNanos - sinceNanos);
    }

    /** How long until it is time to probe; zero or less when it is. */
    long remainingNanos(long nowNanos) {
        return period.remainingNanos(nowNanos - sinceNanos);
    }
}
