package io.nopanic.lab.traffic;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import java.util.List;

/** Generates the calls of a scenario, one after the other; allocates nothing per call. */
final class TrafficCursor implements CallCursor {

    private final Draws draws;
    private final Starts starts;
    private final double lengthNanos;
    private final Latency latency;
    private final Runs healthy;
    private final ActiveIncidents incidents;

    private double sinceBeginNanos;
    private long durationNanos;
    private Ending ending = Ending.SUCCESS;

    TrafficCursor(Scenario scenario, Starts starts) {
        this.starts = starts;
        draws = new Draws(scenario.seed());
        lengthNanos = (double) scenario.length().toNanos();
        latency = scenario.load().latency();
        healthy = new Runs(scenario.health().failureRate(), scenario.health().burstCalls());
        incidents = new ActiveIncidents(List.copyOf(scenario.incidents()));
    }

    @Override
    public boolean next() {
        sinceBeginNanos = starts.next(draws);
        if (sinceBeginNanos == Starts.NONE || sinceBeginNanos >= lengthNanos) {
            return false;
        }
        ending = healthy.next(draws) ? Ending.FAILURE : Ending.SUCCESS;
        ActiveIncidents.Hit hit = incidents.hit((long) sinceBeginNanos, draws);
        Latency taken = latency;
        if (hit != null) {
            taken = hit.latency() == null ? latency : hit.latency();
            ending = hit.ending() == Ending.SUCCESS ? ending : hit.ending();
        }
        durationNanos = taken.drawNanos(draws);
        return true;
    }

    @Override
    public long startNanos() {
        return TrafficLog.EPOCH_NANOS + (long) sinceBeginNanos;
    }

    @Override
    public long durationNanos() {
        return durationNanos;
    }

    @Override
    public Ending ending() {
        return ending;
    }

    @Override
    public int key() {
        return 0;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public void close() {
        starts.close();
    }
}
