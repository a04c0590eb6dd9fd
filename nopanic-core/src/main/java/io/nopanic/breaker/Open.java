package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import java.util.concurrent.atomic.LongAdder;

/** Calls are refused until the schedule says that it is time to probe. */
final class Open extends State {

    private final OpenSchedule.Period period;
    private final Counts countsAtTrip;
    private final LongAdder refused = new LongAdder();

    /** How often in a row probing has failed since the breaker was last closed. */
    final int failedProbings;

    Open(long generation, long sinceNanos, OpenSchedule.Period period, int failedProbings, Counts countsAtTrip) {
        super(generation, sinceNanos);
        this.period = period;
        this.failedProbings = failedProbings;
        this.countsAtTrip = countsAtTrip;
    }

    @Override
    CircuitState visible() {
        return CircuitState.OPEN;
    }

    @Override
    Counts counts(long nowNanos) {
        return countsAtTrip;
    }

    /** A call was refused. */
    void refuse() {
        refused.increment();
    }

    /** How long until it is time to probe; zero or less when it is. */
    long remainingNanos(long nowNanos) {
        return period.remainingNanos(nowNanos - sinceNanos, refused);
    }
}
