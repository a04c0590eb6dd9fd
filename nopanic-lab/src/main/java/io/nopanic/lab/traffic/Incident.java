package io.nopanic.lab.traffic;

import io.nopanic.spi.Require;
import java.time.Duration;
import java.util.Optional;

/**
 * A time in which a dependency is not well.
 *
 * @param start from the beginning of the scenario; zero or more
 * @param length more than zero
 * @param shape how it goes
 * @param severity which share of the calls it hits, at its worst; more than 0, at most 1
 * @param latency how long the calls take that it hits; if not said, as long as others, and a call that hangs 30 s
 * @param details what only some shapes have
 */
public record Incident(
        Duration start, Duration length, Shape shape, double severity, Optional<Latency> latency, Details details) {

    /** How long a call hangs if nobody says. */
    static final Latency HANGING = new Latency(Duration.ofSeconds(30), 0);

    /**
     * What only some shapes have.
     *
     * @param period of a flap, both halves together; more than zero
     * @param burstCalls how many calls a run of failures has on average, in a burst; 1 to 1,000,000
     */
    public record Details(Duration period, double burstCalls) {

        /** A period of 4 s, runs of 8 calls. */
        public static final Details DEFAULT = new Details(Duration.ofSeconds(4), 8);

        /** Checks them. */
        public Details {
            Require.positive("period", period);
            Require.between("burstCalls", burstCalls, 1, 1_000_000);
        }
    }

    /** Checks it. */
    public Incident {
        Require.notNegative("start", start);
        Require.positive("duration", length);
        Require.share("severity", severity);
        if (shape == Shape.SLOW && latency.isEmpty()) {
            throw new IllegalArgumentException("latency is missing; an incident of the shape slow needs one");
        }
    }

    /** One that is as bad all the time. */
    public static Incident step(Duration start, Duration length, double severity) {
        return new Incident(start, length, Shape.STEP, severity, Optional.empty(), Details.DEFAULT);
    }

    long startNanos() {
        return start.toNanos();
    }

    long endNanos() {
        return start.toNanos() + length.toNanos();
    }
}
