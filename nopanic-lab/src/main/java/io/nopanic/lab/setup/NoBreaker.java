package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.time.Time;
import java.util.List;
import java.util.random.RandomGenerator;

/** No breaker: every call is sent. What all others are measured against. */
public record NoBreaker(String name) implements PolicySpec {

    @Override
    public String describe() {
        return "no breaker: every call is sent";
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    /** One that never opens, so that calls go the same way as with any other. */
    @Override
    public CircuitBreaker build(String breakerName, Time time, RandomGenerator random) {
        return CircuitBreaker.builder()
                .name(breakerName)
                .time(time)
                .random(random)
                .consecutiveFailures(Integer.MAX_VALUE)
                .build();
    }
}
