package io.nopanic.lab.setup;

import java.time.Duration;
import java.util.Optional;

/** When an open breaker probes. */
public sealed interface Schedule {

    /** The share by which the time is spread to both sides, 0 to 1. */
    double jitter();

    /**
     * After a time.
     *
     * @param openFor how long
     * @param growth by what the time is multiplied each time probing fails; 1 for not at all
     * @param cap what it grows to at the most, if it grows
     */
    record Timed(Duration openFor, double growth, Optional<Duration> cap, double jitter) implements Schedule {}

    /**
     * After a number of refused calls that grows with the root of those already refused: after R, kappa times the root of R more.
     *
     * @param bounds kappa, and the bounds of the time between probes; if not said, the breaker's own
     */
    record Quadratic(Optional<Bounds> bounds, double jitter) implements Schedule {}

    /**
     * Kappa, and the bounds of the time between probes.
     *
     * @param kappa 0.1 to 1000
     * @param least zero or more
     * @param most more than zero, and at least {@code least}
     */
    record Bounds(double kappa, Duration least, Duration most) {}
}
