package io.nopanic.cli.load;

import io.nopanic.time.Time;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;

/**
 * The counter-example: a circuit breaker as one writes it at first. It keeps the time and the outcome of every call in its window, and when a call fails
 * it counts the failures among them. That is correct, easy to read, and good enough in every test; but a failing call costs as much as
 * there are calls in the window, so n calls cost about n squared, and the memory grows with the traffic.
 *
 * <p>It only ever opens, because here it never has to close again. Not thread-safe; a lock around it would make it slower still.
 */
final class NaiveBreaker {

    private record Entry(long atNanos, boolean failed) {}

    private final Time time;
    private final long windowNanos;
    private final int minimumCalls;
    private final double failureRate;
    private final Deque<Entry> log = new ArrayDeque<>();
    private boolean open;

    NaiveBreaker(Time time, long windowNanos, int minimumCalls, double failureRate) {
        this.time = time;
        this.windowNanos = windowNanos;
        this.minimumCalls = minimumCalls;
        this.failureRate = failureRate;
    }

    <T> T call(Callable<? extends T> body) throws Exception {
        if (open) {
            throw new IllegalStateException("the breaker is open");
        }
        T result;
        try {
            result = body.call();
        } catch (Exception e) {
            record(true);
            open = failures() >= failureRate * log.size() && log.size() >= minimumCalls;
            throw e;
        }
        record(false);
        return result;
    }

    private void record(boolean failed) {
        long nowNanos = time.nanos();
        log.addLast(new Entry(nowNanos, failed));
        while (nowNanos - log.getFirst().atNanos > windowNanos) {
            log.removeFirst();
        }
    }

    private int failures() {
        int failures = 0;
        for (Entry entry : log) {
            if (entry.failed) {
                failures++;
            }
        }
        return failures;
    }
}
