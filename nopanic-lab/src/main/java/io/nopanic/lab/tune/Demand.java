package io.nopanic.lab.tune;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;

/**
 * How often a key was called, and how often without the attempts that repeat one: these come by what is set, so they say nothing of how many there would be.
 *
 * @param calls all of them
 * @param busiestMinuteFirstAttempts how many first attempts began in the busiest minute of the clock
 */
record Demand(long calls, long busiestMinuteFirstAttempts) {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** By the places of the keys in the log. */
    static Demand[] byKey(CallLog log) {
        Counter[] counters = new Counter[log.keys().size()];
        for (int key = 0; key < counters.length; key++) {
            counters[key] = new Counter();
        }
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                counters[cursor.key()].add(cursor);
            }
        }
        Demand[] demands = new Demand[counters.length];
        for (int key = 0; key < demands.length; key++) {
            demands[key] = new Demand(counters[key].calls, counters[key].busiest);
        }
        return demands;
    }

    private static final class Counter {

        private long calls;
        private long minute = Long.MIN_VALUE;
        private long inMinute;
        private long busiest;

        void add(CallCursor call) {
            calls++;
            if (call.attempt() > 1) {
                return;
            }
            long now = Math.floorDiv(call.startNanos(), MINUTE_NANOS);
            inMinute = now == minute ? inMinute + 1 : 1;
            minute = now;
            busiest = Math.max(busiest, inMinute);
        }
    }
}
