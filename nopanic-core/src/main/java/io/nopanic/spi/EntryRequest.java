package io.nopanic.spi;

/**
 * A call that asks to be let in.
 *
 * @param pipeline the name of its pipeline, for exceptions
 * @param nowNanos the time
 * @param limitNanos how long the call could wait at the most, because of a deadline around it; {@link Long#MAX_VALUE} without one.
 *     A policy that knows the call would have to wait longer refuses it at once. A policy that does not know lets it wait: the
 *     deadline itself ends that wait.
 * @param waiter the engine's end of a wait, to be kept by the policy if the call has to wait
 */
public record EntryRequest(String pipeline, long nowNanos, long limitNanos, Waiter waiter) {}
