/**
 * The circuit breaker. {@link io.nopanic.breaker.CircuitBreaker} holds the current {@code State} and moves from one to the next;
 * {@code Closed}, {@code Open}, {@code HalfOpen} and {@code ForcedOpen} are the states; a {@code TripRule} decides when to open, over a
 * {@code Window} or a run of failures; an {@code OpenSchedule} decides for how long.
 */
@NullMarked
package io.nopanic.breaker;

import org.jspecify.annotations.NullMarked;
