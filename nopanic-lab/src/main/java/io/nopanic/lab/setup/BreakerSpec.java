package io.nopanic.lab.setup;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

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

    @Override
    public CircuitBreaker build(String breakerName, Time time, RandomGenerator random) {
        return builder().name(breakerName).time(time).random(random).build();
    }

    /** What is known to go wrong with these settings at this traffic. Checks the settings, too. */
    List<String> warnings(OptionalDouble expectedRate, OptionalDouble expectedFailureRate) {
        CircuitBreakerBuilder builder = builder();
        expectedRate.ifPresent(builder::expectedRate);
        expectedFailureRate.ifPresent(builder::expectedFailureRate);
        return builder.build().warnings();
    }

    /** Whether it finds out by itself how long a call takes that is slow. */
    public boolean learnsWhatIsSlow() {
        return trip instanceof Trip.Evidence evidence
                && evidence.slowAfterLearned().isPresent();
    }

    BreakerSpec withNotes(List<String> more) {
        List<String> all = Stream.concat(notes.stream(), more.stream()).toList();
        return new BreakerSpec(name, trip, schedule, probing, slowAfter, all);
    }

    private CircuitBreakerBuilder builder() {
        CircuitBreakerBuilder builder = CircuitBreaker.builder();
        setTrip(builder, trip);
        slowAfter.ifPresent(builder::slowAfter);
        setSchedule(builder);
        if (probing.firstAlone()) {
            builder.closeAfter(probing.probes());
        } else {
            builder.probes(probing.probes());
        }
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
        } else if (trip instanceof Trip.Evidence evidence) {
            builder.failureCost(evidence.failureCost());
            evidence.slowCost().ifPresent(builder::slowCost);
            evidence.evidenceThreshold().ifPresent(builder::evidenceThreshold);
            evidence.meanTimeToFalseTrip().ifPresent(builder::meanTimeToFalseTrip);
            evidence.expectedRate().ifPresent(builder::expectedRate);
            evidence.slowAfterLearned().ifPresent(builder::slowAfterLearned);
        }
    }

    private void setSchedule(CircuitBreakerBuilder builder) {
        if (schedule instanceof Schedule.Timed timed) {
            builder.openFor(timed.openFor()).openJitter(timed.jitter());
            timed.cap().ifPresent(cap -> builder.openGrowth(timed.growth(), cap));
        } else if (schedule instanceof Schedule.Quadratic quadratic) {
            builder.openJitter(quadratic.jitter()).quadraticProbing();
            quadratic
                    .bounds()
                    .ifPresent(bounds -> builder.quadraticProbing(bounds.kappa(), bounds.least(), bounds.most()));
        }
    }
}
