package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A circuit breaker as a user wrote it.
 *
 * @param name what the user called it
 * @param trip when it opens
 * @param schedule when it probes
 * @param probing how it decides then
 * @param slowAfter how long a call takes that is slow, if slow calls are told apart
 * @param notes where this differs from what the name promises
 */
public record BreakerSpec(
        String name, Trip trip, Schedule schedule, Probing probing, Optional<Duration> slowAfter, List<String> notes)
        implements PolicySpec {

    @Override
    public String describe() {
        return builder().build().describe();
    }

    /**
     * The breaker that runs in production with these settings.
     *
     * @param breakerName its name in events and exceptions
     * @param time what it runs on
     * @param random its jitter
     * @throws IllegalArgumentException if two settings do not fit together
     */
    public CircuitBreaker build(String breakerName, Time time, RandomGenerator random) {
        return builder().name(breakerName).time(time).random(random).build();
    }

    private CircuitBreakerBuilder builder() {
        CircuitBreakerBuilder builder =
                trip instanceof Trip.Evidence evidence ? AdaptiveBreaker.builder(evidence) : CircuitBreaker.builder();
        setTrip(builder, trip);
        slowAfter.ifPresent(builder::slowAfter);
        setSchedule(builder);
        builder.probes(probing.probes());
        probing.failureRate().ifPresent(builder::probeFailureRate);
        probing.timeout().ifPresent(builder::probeTimeout);
        return builder;
    }

    private static void setTrip(CircuitBreakerBuilder builder, Trip trip) {
        if (trip instanceof Trip.Rates rates) {
            if (rates.window() instanceof Trip.Window.Calls calls) {
                builder.countWindow(calls.count());
            } else if (rates.window() instanceof Trip.Window.Lasting lasting) {
                builder.timeWindow(lasting.length());
            }
            builder.minimumCalls(rates.minimumCalls()).failureRate(rates.failureRate());
            rates.slowCallRate().ifPresent(builder::slowCallRate);
            rates.failedOrSlowRate().ifPresent(builder::failedOrSlowRate);
        } else if (trip instanceof Trip.Consecutive consecutive) {
            builder.consecutiveFailures(consecutive.failures());
        } else if (trip instanceof Trip.Either either) {
            setTrip(builder, either.rates());
            setTrip(builder, either.consecutive());
        }
    }

    private void setSchedule(CircuitBreakerBuilder builder) {
        if (schedule instanceof Schedule.Timed timed) {
            builder.openFor(timed.openFor()).openJitter(timed.jitter());
            timed.cap().ifPresent(cap -> builder.openGrowth(timed.growth(), cap));
        } else if (schedule instanceof Schedule.Quadratic quadratic) {
            AdaptiveBreaker.probe(builder, quadratic);
        }
    }
}
