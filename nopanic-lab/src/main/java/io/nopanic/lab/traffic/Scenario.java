package io.nopanic.lab.traffic;

import io.nopanic.spi.Require;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Invented traffic to one dependency. The same scenario is the same calls, to the nanosecond, on every machine.
 *
 * @param name what to call it
 * @param seed of all that is random
 * @param length how long it takes; more than zero
 * @param load when calls come and how long they take
 * @param health how often they fail when nothing is wrong
 * @param incidents when something is; may overlap
 */
public record Scenario(String name, long seed, Duration length, Load load, Health health, List<Incident> incidents) {

    /**
     * When calls come and how long they take.
     *
     * @param arrivals their distances
     * @param perSecond how many; 0.0001 to 1,000,000
     * @param latency how long they take
     */
    public record Load(Arrivals arrivals, double perSecond, Latency latency) {

        /** Checks it. */
        public Load {
            Require.between("rate", perSecond, 0.0001, 1_000_000);
        }
    }

    /** Checks it, and puts the incidents in order. */
    public Scenario {
        Require.positive("length", length);
        incidents = incidents.stream()
                .sorted(Comparator.comparing(Incident::start).thenComparing(Incident::length))
                .toList();
        for (Incident incident : incidents) {
            if (incident.start().compareTo(length) >= 0) {
                throw new IllegalArgumentException("start of an incident is " + incident.start()
                        + ", allowed is a duration below the length, " + length);
            }
        }
    }

    /** The calls. */
    public TrafficLog calls() {
        return new TrafficLog(this, () -> Starts.of(load));
    }
}
