package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import org.HdrHistogram.Histogram;

/** Counts how many calls there were at a time, and how long they took. Constant size. Not thread-safe. */
final class LoadCollector {

    private static final long LONGEST_NANOS = 86_400_000_000_000L;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int DIGITS = 2;

    private final Histogram all = new Histogram(1, LONGEST_NANOS, DIGITS);
    private final Histogram healthy = new Histogram(1, LONGEST_NANOS, DIGITS);
    private long minute = Long.MIN_VALUE;
    private long callsInMinute;
    private long busiestMinuteCalls;
    private long repeated;

    void add(CallCursor call, boolean isHealthy) {
        long inMinute = Math.floorDiv(call.startNanos(), MINUTE_NANOS);
        callsInMinute = inMinute == minute ? callsInMinute + 1 : 1;
        minute = inMinute;
        busiestMinuteCalls = Math.max(busiestMinuteCalls, callsInMinute);
        repeated += call.attempt() > 1 ? 1 : 0;
        if (call.ending().isAnswered() && call.durationNanos() != CallCursor.UNKNOWN) {
            long durationNanos = Math.min(call.durationNanos(), LONGEST_NANOS);
            all.recordValue(durationNanos);
            if (isHealthy) {
                healthy.recordValue(durationNanos);
            }
        }
    }

    Histogram latencies() {
        return all;
    }

    LogFacts.Load result() {
        return new LogFacts.Load(healthy, busiestMinuteCalls, repeated);
    }
}
