package io.nopanic.lab.setup;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a half-open breaker decides.
 *
 * @param probes how many calls it sends
 * @param firstAlone whether the first goes out alone, and the others when it has succeeded
 * @param failureRate the share of failed probes at which it opens again; if not said, at the first
 * @param timeout how long a probe may be out before it has failed; if not said, the breaker's own
 */
public record Probing(int probes, boolean firstAlone, OptionalDouble failureRate, Optional<Duration> timeout) {}
