package io.nopanic.lab.predict;

import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.Schedule;
import io.nopanic.lab.setup.Trip;
import io.nopanic.lab.theory.OpenTime;
import io.nopanic.lab.theory.StateShares;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is to be expected of an outage that begins and ends. */
record OutageLines(BreakerSpec spec, Conditions conditions, TripForm form, Trials trials) {

    private static final double USUAL_COST = 1;

    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        if (canSimulate()) {
            trials.outage(conditions.healthy(), conditions.bad(), conditions.outageSeconds())
                    .ifPresent(outage -> simulated(lines, outage));
        }
        fixedOpenSeconds(spec).ifPresent(seconds -> openTime(lines, seconds));
        conditions.upSeconds().ifPresent(up -> shares(lines, up));
        return lines;
    }

    /** Whether the outage has not too many calls to be simulated. */
    boolean canSimulate() {
        return trials.canAfford(conditions.callsPerSecond() * conditions.outageSeconds());
    }

    private void simulated(List<Line> lines, Trials.Outage outage) {
        add(lines, "outagesNoticed", "outages in which it opens", Unit.SHARE, outage.opened());
        add(lines, "failuresSent", "failed calls sent", Unit.CALLS, outage.failuresSent());
        add(lines, "probes", "probes", Unit.COUNT, outage.probes());
        add(lines, "timeLate", "not closed after its end for", Unit.SECONDS, outage.lateSeconds());
        add(lines, "refusedAfter", "calls refused after its end", Unit.CALLS, outage.refusedAfter());
    }

    private void add(List<Line> lines, String key, String name, Unit unit, Sample sample) {
        Estimate estimate =
                Estimate.simulated(sample, sample.text(trials.effort().seed()));
        lines.add(new Line(Topic.OUTAGE, key, name, unit, estimate));
    }

    // ---------------- the open time

    /** The open time, if it is one that does not change. */
    static Optional<Double> fixedOpenSeconds(BreakerSpec spec) {
        return spec.schedule() instanceof Schedule.Timed timed && timed.growth() == 1
                ? Optional.of(timed.openFor().toNanos() / 1e9)
                : Optional.empty();
    }

    static double failureCost(BreakerSpec spec, Conditions conditions) {
        OptionalDouble ofRule = spec.trip() instanceof Trip.Evidence evidence
                ? OptionalDouble.of(evidence.failureCost())
                : OptionalDouble.empty();
        return conditions.failureCost().orElse(ofRule.orElse(USUAL_COST));
    }

    static double bestOpenSeconds(BreakerSpec spec, Conditions conditions) {
        return io.nopanic.tuning.OpenTime.optimal(
                failureCost(spec, conditions), conditions.outageSeconds(), conditions.callsPerSecond());
    }

    private void openTime(List<Line> lines, double seconds) {
        double best = bestOpenSeconds(spec, conditions);
        double cost = failureCost(spec, conditions);
        lines.add(
                new Line(
                        Topic.OUTAGE,
                        "bestOpenTime",
                        "open time that would cost least",
                        Unit.SECONDS,
                        Estimate.approximate(
                                best,
                                "if outages last exponentially long and a failed probe is as bad as "
                                        + Plain.rounded(cost)
                                        + " refused calls; "
                                        + (best * 5 <= conditions.outageSeconds()
                                                ? "within 5 % of the best"
                                                : "up to a quarter above the best, since it is not short against the outage"))));
        double cheapest = OpenTime.cheapestSeconds(cost, conditions.outageSeconds(), conditions.callsPerSecond());
        double ratio = OpenTime.cost(seconds, cost, conditions.outageSeconds(), conditions.callsPerSecond())
                / OpenTime.cost(cheapest, cost, conditions.outageSeconds(), conditions.callsPerSecond());
        lines.add(new Line(
                Topic.OUTAGE,
                "openTimeCost",
                "cost of " + Plain.seconds(seconds) + ", the least being 1",
                Unit.COUNT,
                Estimate.exact(
                        ratio,
                        "exact if outages last exponentially long; the least, at " + Plain.seconds(cheapest)
                                + ", is found numerically")));
    }

    // ---------------- with times up between

    private void shares(List<Line> lines, double upSeconds) {
        Optional<Double> open = fixedOpenSeconds(spec);
        if (open.isEmpty() || conditions.bad() < 1 || spec.probing().probes() > 1) {
            return;
        }
        StateShares.Regimes regimes =
                new StateShares.Regimes(upSeconds, conditions.outageSeconds(), conditions.callsPerSecond());
        StateShares shares = StateShares.of(regimes, form.failuresInARow(), open.get());
        String bound = form.fadesAt(conditions.callsPerSecond())
                ? "far off, since evidence fades between failures that are minutes apart"
                : "if times up and down are exponential and no trip is false: within 10 %";
        lines.add(new Line(
                Topic.OUTAGE,
                "shareNotClosed",
                "share of the time not closed",
                Unit.SHARE,
                Estimate.approximate(shares.open(), bound)));
        lines.add(new Line(
                Topic.OUTAGE,
                "probesPerHour",
                "probes per hour",
                Unit.COUNT,
                Estimate.approximate(
                        3600 * StateShares.probesPerSecond(regimes, form.failuresInARow(), open.get()), bound)));
    }
}
