package io.nopanic.lab.logs.spool;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import java.io.UncheckedIOException;

/** Takes calls one by one, in any order. */
@FunctionalInterface
public interface CallSink {

    /**
     * Takes a call.
     *
     * @param startNanos when it began, in nanoseconds since 1970-01-01T00:00:00Z
     * @param durationNanos how long it took, 0 or more, or {@link CallCursor#UNKNOWN}
     * @param ending how it ended
     * @param key a number that {@link KeyTable} gave
     * @param attempt which attempt it was, from 1
     * @throws UncheckedIOException if it cannot be kept
     */
    void accept(long startNanos, long durationNanos, Ending ending, int key, int attempt);
}
