package io.nopanic.events;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a policy or a pipeline. All events are immutable. Durations are in nanoseconds.
 *
 * <p>A listener usually switches on the kinds it cares for, or subscribes to one kind only
 * ({@link Events#subscribe(Class, java.util.function.Consumer)}).
 */
public sealed interface Event {

    /** Who, and when. */
    Stamp stamp();

    /** The name of the policy or pipeline it happened in. */
    default String name() {
        return stamp().name();
    }

    /**
     * Who, and when.
     *
     * @param name the name of the policy or pipeline
     * @param nanos the monotonic clock of that policy; compare by difference only
     * @param time the wall clock, for display
     */
    record Stamp(String name, long nanos, Instant time) {}

    // ---------------- calls

    /** A call through a pipeline returned a value. */
    record CallSucceeded(Stamp stamp, long durationNanos) implements Event {}

    /** A call through a pipeline ended with an error, which may be a refusal. */
    record CallFailed(Stamp stamp, long durationNanos, Throwable error) implements Event {}

    // ---------------- retry

    /** Attempt {@code attempt} (from 1) was not good enough; another follows after {@code delayNanos}. */
    record RetryScheduled(
            Stamp stamp,
            int attempt,
            long delayNanos,
            @Nullable Throwable error) implements Event {}

    /** No further attempt follows although the last was not good enough. */
    record RetryGaveUp(
            Stamp stamp,
            int attempts,
            GiveUpReason reason,
            @Nullable Throwable error) implements Event {}

    /** Why a retry stopped. */
    enum GiveUpReason {
        /** All attempts were used. */
        ATTEMPTS_EXHAUSTED,
        /** The next attempt could not have started in time. */
        TIME_EXHAUSTED,
        /** Too many of the recent calls were retries already. */
        BUDGET_EXHAUSTED,
        /** The failure is one that is not retried. */
        NOT_RETRYABLE,
        /** The wait was interrupted or the call cancelled. */
        CANCELLED
    }

    // ---------------- circuit breaker

    /**
     * The breaker changed its state.
     *
     * @param generation the number of the new state's period; one more at every change
     * @param counts what the old state had seen
     * @param lastFailure the failure that last opened the circuit or kept it open, if it was one
     */
    record BreakerStateChanged(
            Stamp stamp,
            long generation,
            CircuitState from,
            CircuitState to,
            Counts counts,
            @Nullable Throwable lastFailure)
            implements Event {}

    /** The breaker refused a call. */
    record BreakerRefused(Stamp stamp, CircuitState state, long retryAfterNanos) implements Event {}

    /** The outcome of a call that was admitted under an earlier state arrived and changed nothing. */
    record BreakerLateOutcome(Stamp stamp, boolean failed) implements Event {}

    // ---------------- bulkhead, rate limiter

    /** The bulkhead refused a call; {@code waitedNanos} is 0 if its queue was full. */
    record BulkheadRefused(Stamp stamp, long waitedNanos) implements Event {}

    /** A call has to wait for the rate limiter. */
    record RateLimiterWaited(Stamp stamp, long waitNanos) implements Event {}

    /** The rate limiter refused a call. */
    record RateLimiterRefused(Stamp stamp, long retryAfterNanos) implements Event {}

    /** An adaptive limiter changed its rate, in calls per second. */
    record RateChanged(Stamp stamp, double fromPerSecond, double toPerSecond) implements Event {}

    // ---------------- timeout, fallback, hedge

    /** A timeout ended a call. */
    record TimedOut(Stamp stamp, long timeoutNanos) implements Event {}

    /** A fallback answered in place of {@code error}, or of a bad result when that is {@code null}. */
    record FallbackUsed(Stamp stamp, String kind, @Nullable Throwable error) implements Event {}

    /** Another copy of the call was started; the first hedge is copy 1. */
    record HedgeStarted(Stamp stamp, int copy) implements Event {}

    /** A copy's result was taken; the original is copy 0. */
    record HedgeWon(Stamp stamp, int copy, long latencyNanos) implements Event {}

    /** The error of a copy whose result was no longer wanted. */
    record HedgeLoserFailed(Stamp stamp, int copy, Throwable error) implements Event {}

    /** A cached value past its time to live was served. */
    record StaleServed(Stamp stamp, long ageNanos, @Nullable Throwable error) implements Event {}
}
