package io.nopanic.spi;

/**
 * The engine's end of a call that waits: a parked thread, or a suspended asynchronous call. Thread-safe.
 */
@FunctionalInterface
public interface Waiter {

    /**
     * Makes the call ask again ({@link Entry.Waiting#check}). May be called at any time, from any thread, any number of times, also
     * after the wait is over; it must not be called while holding a lock.
     */
    void wake();
}
