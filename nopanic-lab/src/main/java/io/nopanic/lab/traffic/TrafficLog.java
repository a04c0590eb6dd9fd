package io.nopanic.lab.traffic;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** The calls of a scenario. Nothing is stored: each reader generates them again. */
public final class TrafficLog implements CallLog {

    /** When every scenario begins, in nanoseconds since 1970: on 1 January 2026, UTC. */
    public static final long EPOCH_NANOS = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L;

    private final Scenario scenario;
    private final Supplier<Starts> starts;

    TrafficLog(Scenario scenario, Supplier<Starts> starts) {
        this.scenario = scenario;
        this.starts = starts;
    }

    /** What these are the calls of. */
    public Scenario scenario() {
        return scenario;
    }

    /** How many calls; generates them to count them. */
    @Override
    public long size() {
        long size = 0;
        try (CallCursor cursor = open()) {
            while (cursor.next()) {
                size++;
            }
        }
        return size;
    }

    @Override
    public List<String> keys() {
        return List.of(scenario.name());
    }

    @Override
    public CallCursor open() {
        return new TrafficCursor(scenario, starts.get());
    }
}
