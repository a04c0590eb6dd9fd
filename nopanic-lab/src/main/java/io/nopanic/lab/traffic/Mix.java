package io.nopanic.lab.traffic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Incidents as they may come in an ordinary month, or in a bad one. They come independently of each other, so and so many a day on average. */
public enum Mix {
    /** Blips, outages of some seconds, a long one every other day, and two partial outages a day. */
    STANDARD(
            "a day: 20 blips (median 0.4 s), 3 outages (15 s), half a long one (5 min), each failing 100 % (three in four) or"
                    + " 60 %, and 2 partial outages of 25 % for 1 min"),
    /** Nothing. */
    HEALTHY("no incident at all"),
    /** Partial outages only. */
    PARTIAL("a day: 10 partial outages (median 1 min) of 30 to 70 %"),
    /** Up and down. */
    FLAPPING("a day: 4 times 5 min of 2 s down, 2 s up"),
    /** Runs of some calls. */
    BURSTS("runs of 8 failed calls on average, 2.8 % of all calls"),
    /** Long ones only. */
    LONG("an outage of 2 h every other day"),
    /** Slowly worse. */
    RAMP("a day: 6 times from 0 to 100 % failures in 10 min");

    private static final double SIGMA = 0.8;
    private static final double DAY_NANOS = 86_400e9;
    private static final double FAILURE_RATE = 0.005;
    private static final double BURST_CALLS = 8;
    private static final double BURST_SHARE = 0.028;

    /** So that the incidents of a seed are drawn from other numbers than its calls. */
    private static final long INCIDENT_SEED = 0x5DEECE66DL;

    private final String description;

    Mix(String description) {
        this.description = description;
    }

    private List<Kind> kinds() {
        return switch (this) {
            case STANDARD ->
                List.of(
                        Kind.outages(20, Duration.ofMillis(400)),
                        Kind.outages(3, Duration.ofSeconds(15)),
                        Kind.outages(0.5, Duration.ofMinutes(5)),
                        new Kind(2, Duration.ofMinutes(1), 0, Shape.STEP, Severity.QUARTER));
            case PARTIAL -> List.of(new Kind(10, Duration.ofMinutes(1), SIGMA, Shape.STEP, Severity.PARTIAL));
            case FLAPPING -> List.of(new Kind(4, Duration.ofMinutes(5), 0, Shape.FLAP, Severity.ALL));
            case LONG -> List.of(new Kind(0.5, Duration.ofHours(2), 0, Shape.STEP, Severity.ALL));
            case RAMP -> List.of(new Kind(6, Duration.ofMinutes(10), 0, Shape.RAMP, Severity.ALL));
            case HEALTHY, BURSTS -> List.of();
        };
    }

    /** How bad an incident is. */
    private enum Severity {
        /** 100 % three times in four, else 60 %. */
        HARD,
        /** 30 to 70 %. */
        PARTIAL,
        /** 25 %. */
        QUARTER,
        /** 100 %. */
        ALL;

        double draw(Draws draws) {
            return switch (this) {
                case HARD -> draws.chance(0.75) ? 1 : 0.6;
                case PARTIAL -> 0.3 + 0.4 * draws.uniform();
                case QUARTER -> 0.25;
                case ALL -> 1;
            };
        }
    }

    private record Kind(double perDay, Duration median, double sigma, Shape shape, Severity severity) {

        static Kind outages(double perDay, Duration median) {
            return new Kind(perDay, median, SIGMA, Shape.STEP, Severity.HARD);
        }

        void drawInto(List<Incident> incidents, Duration length, Draws draws) {
            double meanGapNanos = DAY_NANOS / perDay;
            for (double at = meanGapNanos * draws.exponential();
                    at < length.toNanos();
                    at += meanGapNanos * draws.exponential()) {
                Duration lasting =
                        Duration.ofNanos(Math.max(1, (long) draws.lognormal((double) median.toNanos(), sigma)));
                incidents.add(new Incident(
                        Duration.ofNanos((long) at),
                        lasting,
                        shape,
                        severity.draw(draws),
                        Optional.empty(),
                        Incident.Details.DEFAULT));
            }
        }
    }

    /** A scenario of so many calls per second on average, for so long; healthy calls fail at 0.5 %. */
    public Scenario scenario(Scenario.Load load, Duration length, long seed) {
        return new Scenario(
                toString(),
                seed,
                length,
                load,
                Health.independent(FAILURE_RATE),
                incidents(load.perSecond(), length, seed));
    }

    /** The incidents of a seed. Only the length of runs of calls depends on the rate. */
    List<Incident> incidents(double perSecond, Duration length, long seed) {
        Draws draws = new Draws(seed ^ INCIDENT_SEED);
        List<Incident> incidents = new ArrayList<>();
        if (this == BURSTS) {
            drawRuns(incidents, perSecond, length, draws);
        }
        kinds().forEach(kind -> kind.drawInto(incidents, length, draws));
        return incidents;
    }

    /**
     * Of calls that come independently of each other, a time that is exponentially long and holds {@code m} on average holds none with probability
     * {@code 1 / (m + 1)}, and {@code m + 1} on average if it holds any. Only those are runs.
     */
    private static void drawRuns(List<Incident> incidents, double perSecond, Duration length, Draws draws) {
        double runNanos = (BURST_CALLS - 1) / perSecond * 1e9;
        double gapNanos = runNanos * (1 - BURST_SHARE) / BURST_SHARE;
        double at = gapNanos * draws.exponential();
        while (at < length.toNanos()) {
            long lastingNanos = Math.max(1, (long) (runNanos * draws.exponential()));
            incidents.add(Incident.step(Duration.ofNanos((long) at), Duration.ofNanos(lastingNanos), 1));
            at += lastingNanos + gapNanos * draws.exponential();
        }
    }

    /** In words. */
    public String describe() {
        return description;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
