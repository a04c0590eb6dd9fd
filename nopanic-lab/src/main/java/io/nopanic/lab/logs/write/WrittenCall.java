package io.nopanic.lab.logs.write;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;

/**
 * A call that is to be written.
 *
 * @param startNanos when it began, in nanoseconds since 1970-01-01T00:00:00Z
 * @param durationNanos how long it took, or {@link CallCursor#UNKNOWN}
 * @param ending how it ended
 * @param key what it went to
 * @param attempt which attempt it was, from 1
 */
record WrittenCall(long startNanos, long durationNanos, Ending ending, String key, int attempt) {

    boolean hasDuration() {
        return durationNanos >= 0;
    }

    /** When it ended; when it began, if it is not known how long it took. */
    long endNanos() {
        return startNanos + Math.max(0, durationNanos);
    }

    /** A status of HTTP that the standard classifier takes for this ending. */
    int status() {
        return switch (ending) {
            case SUCCESS, SLOW -> 200;
            case FAILURE -> 503;
            case TIMEOUT -> 504;
            case IGNORED -> 404;
        };
    }
}
