package io.nopanic.breaker;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One reading of a circuit breaker.
 *
 * @param name the breaker's name
 * @param state its state
 * @param since when that state began, by the wall clock
 * @param counts what the trip rule remembers; when open, what it remembered when it tripped; when half-open, the probes judged so far
 * @param inFlight calls in flight; probes out when half-open; empty when the breaker has no slow-call time and therefore does not count them
 * @param slowAfter how long a call takes that is slow, as far as that is learned by now; empty while no call is
 * @param lateOutcomes outcomes since the breaker was made of calls that had been admitted under an earlier state; they changed nothing
 * @param refused calls refused since the breaker was made
 * @param retryAfter when open: how long until it probes
 * @param lastFailure the failure that last opened the circuit or kept it open, if it was one
 */
public record CircuitSnapshot(
        String name,
        CircuitState state,
        Instant since,
        Counts counts,
        OptionalLong inFlight,
        Optional<Duration> slowAfter,
        long lateOutcomes,
        long refused,
        Optional<Duration> retryAfter,
        Optional<Throwable> lastFailure) {}
