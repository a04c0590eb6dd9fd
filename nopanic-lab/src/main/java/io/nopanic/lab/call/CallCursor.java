package io.nopanic.lab.call;

/** Reads a {@link CallLog} from its first call to its last. Not thread-safe. */
public interface CallCursor extends AutoCloseable {

    /** What {@link #durationNanos()} returns when the log does not tell how long a call took. */
    long UNKNOWN = -1;

    /** Moves to the next call; {@code false} behind the last. */
    boolean next();

    /** When the call began, in nanoseconds since 1970-01-01T00:00:00Z. */
    long startNanos();

    /** How long it took; {@link #UNKNOWN} if the log does not tell. */
    long durationNanos();

    /** How it ended. */
    Ending ending();

    /** What it went to: a place in {@link CallLog#keys()}. */
    int key();

    /** Which attempt it was, from 1. */
    int attempt();

    @Override
    default void close() {}
}
