package io.nopanic.time;

/**
 * A monotonic clock in nanoseconds. Its zero point is arbitrary and it may overflow, so two readings are compared only by
 * their difference. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Ticker {

    /** The current reading, in nanoseconds. */
    long nanos();
}
