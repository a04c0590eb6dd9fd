package io.nopanic.cli.demo;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How the dependency behaves, call by call: it fails {@value #FAILING_CALLS} times, slowly, and is healthy after that. It is the calls that make it
 * recover, not the time. Counts the calls that reached it. Thread-safe.
 */
final class Outage {

    static final int FAILING_CALLS = 5;

    /** How long a failing call takes. */
    static final long SLOW_NANOS = 48_000_000;

    /** How long a healthy call takes. */
    static final long QUICK_NANOS = 4_000_000;

    /**
     * What to do with one call.
     *
     * @param fails whether to fail it
     * @param afterNanos how long to take
     */
    record Step(boolean fails, long afterNanos) {}

    private final AtomicInteger reached = new AtomicInteger();

    /** A call has arrived. */
    Step next() {
        return reached.incrementAndGet() <= FAILING_CALLS ? new Step(true, SLOW_NANOS) : new Step(false, QUICK_NANOS);
    }

    /** How many calls have arrived. */
    int reached() {
        return reached.get();
    }
}
