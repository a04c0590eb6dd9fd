package io.nopanic.lab.predict;

import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.theory.ErlangB;
import io.nopanic.lab.theory.Hanging;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What is to be expected where the time counts that calls take: of calls that hang, and of bulkheads. */
record LoadLines(BreakerSpec spec, Conditions conditions, TripForm form) {

    /** A bulkhead is large enough if it refuses fewer than one in so many calls. */
    private static final double BLOCKED = 1e-4;

    /** The bound of what is computed as if no evidence were forgotten. */
    static final String FADING = "at least this, since evidence fades between failures that are minutes apart";

    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        conditions.timeoutSeconds().ifPresent(timeout -> hanging(lines, timeout));
        conditions.latencySeconds().ifPresent(latency -> bulkhead(lines, latency));
        return lines;
    }

    private void hanging(List<Line> lines, double timeout) {
        int calls = form.hangingCalls();
        Hanging hanging = new Hanging(conditions.callsPerSecond(), calls);
        int slots = conditions.bulkhead().orElse(Integer.MAX_VALUE);
        boolean fades = form.fadesAt(Math.min(conditions.callsPerSecond(), slots / timeout));
        String near = conditions.callsPerSecond() >= 10 ? "within 2 %" : "within 5 %";
        trip(
                lines,
                "AtTimeout",
                "counted at the timeout",
                hanging.behindBulkhead(slots, timeout),
                fades
                        ? FADING
                        : slots < calls ? "behind " + slots + " slots: up to a few gaps between calls later" : near);
        OptionalDouble slowAfter = slowAfterSeconds(spec, conditions);
        String late = form instanceof EvidenceForm
                ? "seen when up to six more calls have come, and up to 1/10 of that time late"
                : "seen at the next call, and up to 1/32 of that time late";
        if (slowAfter.isPresent() && slowAfter.getAsDouble() < timeout && slots >= calls) {
            double seconds = slowAfter.getAsDouble();
            Hanging.Trip trip = hanging.after(seconds);
            trip(
                    lines,
                    "WhenSlow",
                    "counted in flight after " + Plain.seconds(seconds),
                    new Hanging.Trip(trip.seconds(), Math.min(slots, trip.stuck())),
                    fades ? FADING : late);
        }
    }

    private static void trip(List<Line> lines, String key, String name, Hanging.Trip trip, String bound) {
        lines.add(new Line(
                Topic.HANGING,
                "timeToTrip" + key,
                name + ": opens after",
                Unit.SECONDS,
                Estimate.approximate(trip.seconds(), bound)));
        lines.add(new Line(
                Topic.HANGING,
                "stuck" + key,
                name + ": calls stuck",
                Unit.CALLS,
                Estimate.approximate(trip.stuck(), bound)));
    }

    /** After what time calls in flight count as failed; nothing if they do not. */
    static OptionalDouble slowAfterSeconds(BreakerSpec spec, Conditions conditions) {
        return conditions.slowAfterSeconds().isPresent()
                ? conditions.slowAfterSeconds()
                : spec.slowAfter()
                        .map(value -> OptionalDouble.of(value.toNanos() / 1e9))
                        .orElse(OptionalDouble.empty());
    }

    private void bulkhead(List<Line> lines, double latency) {
        double load = conditions.callsPerSecond() * latency;
        String condition = "exact for any distribution of the time that calls take";
        lines.add(new Line(
                Topic.BULKHEAD,
                "callsInFlight",
                "calls in flight",
                Unit.CALLS,
                Estimate.exact(load, "exact (Little)")));
        conditions
                .bulkhead()
                .ifPresent(slots -> lines.add(new Line(
                        Topic.BULKHEAD,
                        "blocked",
                        "calls that find " + slots + " slots taken",
                        Unit.SHARE,
                        Estimate.exact(ErlangB.blocked(slots, load), condition))));
        lines.add(new Line(
                Topic.BULKHEAD,
                "slots",
                "slots so that 1 call in 10,000 finds none",
                Unit.COUNT,
                Estimate.exact(ErlangB.slots(load, BLOCKED), condition)));
    }
}
