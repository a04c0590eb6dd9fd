package io.nopanic.spi;

import io.nopanic.outcome.RejectedException;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a policy that lets a call in or not: circuit breaker, rate limiter, bulkhead.
 *
 * <p>For every call the engine asks {@link #tryAcquire} first, and {@link #enter} when that says {@link #NOT_NOW}. Every permit,
 * however it was got, comes back through {@link #settle} exactly once.
 *
 * <p>A permit is any {@code long} from 0 up; what it means is the policy's own affair.
 */
public non-sealed interface Admission extends Policy {

    /** What {@link #tryAcquire} answers when there is no permit at once. */
    long NOT_NOW = -1;

    /** Stands for a time not read yet. A clock that happens to show it is read once more, which does no harm. */
    long UNREAD_NANOS = 0;

    /**
     * Whether {@link #tryAcquire} needs the time given to it. If not, the engine passes the reading of the clock that it has of this call, or {@link #UNREAD_NANOS}; {@link #enter} and
     * {@link #settle} of a call that {@code enter} let in are still told the time.
     */
    default boolean readsTimeOnEntry() {
        return true;
    }

    /**
     * Whether {@link #settle} needs the time at which the call ended. If not, the engine passes the last reading of the clock that it has of this
     * call, which may be from before the guarded code ran, or {@link #UNREAD_NANOS}.
     */
    default boolean readsTimeOnSettle() {
        return true;
    }

    /** Whether this policy draws conclusions from the outcomes of calls, as a circuit breaker does. */
    default boolean judgesOutcomes() {
        return false;
    }

    /**
     * How many calls that hang, and time out one day, it takes at least until this policy, because of them, lets no more calls in, for warnings about pipelines; 0 if it
     * never comes to that.
     */
    default int hangingCallsToOpen() {
        return 0;
    }

    /** The most calls that this policy lets run at one time, for warnings about pipelines; {@link Integer#MAX_VALUE} if unbounded. */
    default int concurrencyLimit() {
        return Integer.MAX_VALUE;
    }

    /**
     * The fast path: a permit if there is one at once.
     *
     * @param nowNanos the time, if {@link #readsTimeOnEntry()}; else the time or {@link #UNREAD_NANOS}
     * @return a permit (0 or more), or {@link #NOT_NOW}
     */
    long tryAcquire(long nowNanos);

    /**
     * The slow path: decide whether the call is let in after all, refused, or has to wait.
     *
     * @param request the call that asks, with the time and the longest wait that makes sense
     */
    Entry enter(EntryRequest request);

    /**
     * The call that held {@code permit} has ended, by a result or an error. An error that a policy further in raised
     * ({@link RejectedException}) means the call never reached the dependency.
     *
     * @param permit what {@link #tryAcquire} or {@link #enter} gave
     * @param startNanos the time that was given to the method that granted the permit
     * @param nowNanos the time, if {@link #readsTimeOnSettle()}; else that, an earlier one or {@link #UNREAD_NANOS}
     * @param result what the call returned, {@code null} if it failed
     * @param error what the call threw, {@code null} if it returned
     * @return a waiter that may go in because of this, for the engine to wake, or {@code null}
     */
    @Nullable Waiter settle(long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error);
}
