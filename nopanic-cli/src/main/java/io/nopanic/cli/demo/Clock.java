package io.nopanic.cli.demo;

import io.nopanic.time.Time;

/** Waiting on a {@link Time}, whichever it is. */
final class Clock {

    private Clock() {}

    /** Blocks the thread until this moment; not at all if it is past. Never returns before it. */
    static void awaitNanos(Time time, long momentNanos) throws InterruptedException {
        for (long leftNanos = momentNanos - time.nanos(); leftNanos > 0; leftNanos = momentNanos - time.nanos()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            time.park(time, leftNanos);
        }
    }
}
