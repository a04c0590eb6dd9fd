package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.time.Time;
import java.util.List;
import java.util.random.RandomGenerator;

/** A policy as a user wrote it, checked. */
public sealed interface PolicySpec permits BreakerSpec, NoBreaker {

    /** What the user called it: the preset, the one-line form, or the name of the file. */
    String name();

    /** What it does, in words. */
    String describe();

    /** Where this differs from what the name promises; empty if nowhere. */
    List<String> notes();

    /**
     * The breaker that runs in production with these settings.
     *
     * @param breakerName its name in events and exceptions
     * @param time what it runs on
     * @param random its jitter
     * @throws IllegalArgumentException if two settings do not fit together
     */
    CircuitBreaker build(String breakerName, Time time, RandomGenerator random);
}
