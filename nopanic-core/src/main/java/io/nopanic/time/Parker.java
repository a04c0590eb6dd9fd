package io.nopanic.time;

/**
 * Blocks the calling thread. Like {@link java.util.concurrent.locks.LockSupport#parkNanos(Object, long)}, which is the default, it
 * may return early for any reason or none, and returns at once when the thread is interrupted or was unparked before; a
 * caller looks again in a loop.
 */
@FunctionalInterface
public interface Parker {

    /**
     * Blocks for at most {@code nanos}.
     *
     * @param blocker the object the thread waits for, shown by thread dumps
     * @param nanos the longest wait in nanoseconds; zero or less returns at once
     */
    void park(Object blocker, long nanos);
}
