package io.nopanic.lab.traffic;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import java.time.Duration;

/** When the calls of a log began, for traffic that comes as it did; how that ends and how long it takes is a scenario's. */
public final class RecordedArrivals {

    private static final double SECOND_NANOS = 1e9;

    private final CallLog log;
    private final long calls;
    private final long firstNanos;
    private final long lastNanos;

    /**
     * Reads the log once, and then each time when it is asked for calls.
     *
     * @throws IllegalArgumentException if all calls begin at one moment, or there are none
     */
    public RecordedArrivals(CallLog log) {
        this.log = log;
        long count = 0;
        long first = 0;
        long last = 0;
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                first = count++ == 0 ? cursor.startNanos() : first;
                last = cursor.startNanos();
            }
        }
        if (last == first) {
            throw new IllegalArgumentException(
                    "the log has " + count + " calls at one moment, allowed are calls at two or more");
        }
        calls = count;
        firstNanos = first;
        lastNanos = last;
    }

    /** From the first call to behind the last. */
    public Duration length() {
        return Duration.ofNanos(lastNanos - firstNanos + 1);
    }

    /** How many calls there are in a second, on average. */
    public double perSecond() {
        return calls * SECOND_NANOS / (lastNanos - firstNanos);
    }

    /** The calls of a scenario, but that they begin when those of the log did. */
    public TrafficLog calls(Scenario scenario) {
        return new TrafficLog(scenario, this::open);
    }

    private Starts open() {
        CallCursor cursor = log.open();
        return new Starts() {
            @Override
            public double next(Draws draws) {
                return cursor.next() ? cursor.startNanos() - firstNanos : NONE;
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }
}
