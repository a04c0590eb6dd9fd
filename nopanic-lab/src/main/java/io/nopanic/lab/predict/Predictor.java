package io.nopanic.lab.predict;

import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.predict.Trials.Effort;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.theory.StateShares;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says what is to be expected of a breaker: by the closed forms where they hold, by runs of the production breaker where they do not. Not thread-safe; good for one
 * prediction.
 */
public final class Predictor {

    private static final int RUNS = 400;
    private static final long CALLS = 2_000_000;

    /** Probing that succeeds less often than once in so many times is not waited for. */
    private static final double MOST_PROBINGS = 300;

    private final BreakerSpec spec;
    private final Conditions conditions;
    private final Effort effort;
    private final TripForm form;
    private final OpenForm open;
    private final Trials trials;
    private final List<Line> lines = new ArrayList<>();

    private Predictor(BreakerSpec spec, Conditions conditions, long seed) {
        this.spec = spec;
        this.conditions = conditions;
        effort = new Effort(seed, RUNS, CALLS);
        form = TripForm.of(spec.trip(), conditions.callsPerSecond(), conditions.healthy());
        open = OpenForm.of(spec, conditions.callsPerSecond());
        trials = new Trials(settled(spec), conditions.callsPerSecond(), form.settlingCalls(), effort);
    }

    /** A breaker that learns its threshold, with the one that it learns. */
    private BreakerSpec settled(BreakerSpec learning) {
        if (!(form instanceof EvidenceForm learned)) {
            return learning;
        }
        return new BreakerSpec(
                learning.name(),
                learned.evidence().withThreshold(learned.threshold()),
                learning.schedule(),
                learning.probing(),
                learning.slowAfter(),
                learning.notes());
    }

    /**
     * What is to be expected.
     *
     * @param seed of what is simulated
     * @throws IllegalArgumentException if the settings of the policy are beyond what can be computed: what is wrong, and what is allowed
     */
    public static Prediction predict(BreakerSpec spec, Conditions conditions, long seed) {
        Predictor predictor = new Predictor(spec, conditions, seed);
        predictor.healthy();
        predictor.bad();
        OutageLines outage = new OutageLines(spec, conditions, predictor.form, predictor.trials);
        predictor.lines.addAll(outage.lines());
        predictor.lines.addAll(new LoadLines(spec, conditions, predictor.form).lines());
        return new Prediction(
                spec.name(),
                predictor.trials.spec().describe(),
                conditions,
                List.copyOf(predictor.lines),
                Warnings.of(spec, conditions, predictor.form),
                predictor.notes(outage.canSimulate()));
    }

    private List<String> notes(boolean outageIsSimulated) {
        List<String> notes = new ArrayList<>(spec.notes());
        if (form instanceof EvidenceForm evidence) {
            evidence.note().ifPresent(notes::add);
        }
        if (spec.slowAfter().isPresent()) {
            notes.add("slow calls are counted with the failure rates given here, not apart");
        }
        if (spec.learnsWhatIsSlow()) {
            notes.add(
                    "what a breaker learns about slow calls is in no formula: calls that hang count here when they time"
                            + " out; simulate and replay show it");
        }
        if (!outageIsSimulated) {
            notes.add(
                    "the outage has too many calls to be simulated; a shorter one, or fewer calls per second, can be");
        }
        return List.copyOf(notes);
    }

    private String how(Sample sample) {
        return sample.text(effort.seed());
    }

    private void add(Topic topic, String key, String name, Unit unit, Estimate estimate) {
        lines.add(new Line(topic, key, name, unit, estimate));
    }

    // ---------------- healthy

    private void healthy() {
        double p = conditions.healthy();
        Estimate calls = form.callsToFalseTrip(p).orElseGet(() -> simulatedFalseTrip(p));
        Estimate seconds = calls.times(1 / conditions.callsPerSecond());
        add(Topic.HEALTHY, "callsToFalseTrip", "calls until a false trip", Unit.CALLS, calls);
        add(Topic.HEALTHY, "timeToFalseTrip", "time until a false trip", Unit.SECONDS, seconds);
        form.warmingUp(p)
                .ifPresent(start -> add(
                        Topic.HEALTHY,
                        "warmUpFalseTrip",
                        "false trip in the first " + start.calls() + " calls",
                        Unit.SHARE,
                        start.trips()));
        if (form instanceof TimeForm timed) {
            add(
                    Topic.HEALTHY,
                    "judgedShare",
                    "window holds enough calls",
                    Unit.SHARE,
                    Estimate.exact(
                            timed.window().judgedShare(conditions.callsPerSecond()),
                            "exact for calls that come as a Poisson process"));
        }
        Optional<Estimate> untilClosed = secondsUntilClosed(p);
        untilClosed.ifPresent(closed -> {
            add(Topic.HEALTHY, "timeOpenAfterFalseTrip", "until closed after a false trip", Unit.SECONDS, closed);
            shares(seconds, closed, open.probesUntilClosed(p).value() / conditions.callsPerSecond());
        });
    }

    private Estimate simulatedFalseTrip(double p) {
        Sample sample = trials.callsToTrip(p);
        return Estimate.simulated(
                sample, how(sample) + (Double.isInfinite(sample.mean()) ? "; none in all of them" : ""));
    }

    private void shares(Estimate closed, Estimate untilClosed, double halfOpenSeconds) {
        StateShares shares = Double.isInfinite(untilClosed.value())
                ? StateShares.ofSeconds(closed.value(), untilClosed.value(), 0)
                : StateShares.ofSeconds(
                        closed.value(), Math.max(0, untilClosed.value() - halfOpenSeconds), halfOpenSeconds);
        boolean exact = closed.worth() == Worth.EXACT && untilClosed.worth() == Worth.EXACT;
        share("shareClosed", "closed", shares.closed(), exact);
        share("shareOpen", "open", shares.open(), exact);
        share("shareHalfOpen", "half-open", shares.halfOpen(), exact);
    }

    private void share(String key, String state, double share, boolean exact) {
        String bound = "by renewal from the lines above, and as good as these";
        add(
                Topic.HEALTHY,
                key,
                "share of the time " + state,
                Unit.SHARE,
                exact ? Estimate.exact(share, bound) : Estimate.approximate(share, bound));
    }

    // ---------------- bad

    private void bad() {
        double rate = conditions.callsPerSecond();
        Optional<Estimate> form = this.form.callsToTrip(conditions.healthy(), conditions.bad());
        if (form.isPresent()) {
            delay(form.get(), form.get().times(1 / rate));
        } else if (trials.canAfford(0)) {
            trials.delay(conditions.healthy(), conditions.bad())
                    .ifPresent(delay -> delay(
                            Estimate.simulated(delay.calls(), how(delay.calls())),
                            Estimate.simulated(delay.seconds(), how(delay.seconds()))));
        }
        double closes = open.probing().closes(conditions.bad());
        add(
                Topic.BAD,
                "probingCloses",
                "chance that probing closes it",
                Unit.SHARE,
                Estimate.exact(closes, "exact for probes that fail independently"));
        secondsUntilClosed(conditions.bad())
                .ifPresent(seconds ->
                        add(Topic.BAD, "timeUntilClosed", "from the trip until closed", Unit.SECONDS, seconds));
        add(
                Topic.BAD,
                "probesUntilClosed",
                "probes until closed",
                Unit.COUNT,
                open.probesUntilClosed(conditions.bad()));
    }

    private void delay(Estimate calls, Estimate seconds) {
        add(Topic.BAD, "callsToTrip", "calls until it opens", Unit.CALLS, calls);
        add(Topic.BAD, "timeToTrip", "time until it opens", Unit.SECONDS, seconds);
        add(Topic.BAD, "failuresUntilTrip", "failed calls sent until then", Unit.CALLS, calls.times(conditions.bad()));
    }

    /** In closed form, or simulated if probing succeeds often enough to wait for it; nothing if no run opened and closed again. */
    private Optional<Estimate> secondsUntilClosed(double failureRate) {
        Optional<Estimate> closedForm = open.secondsUntilClosed(failureRate);
        if (closedForm.isPresent()) {
            return closedForm;
        }
        if (open.probing().closes(failureRate) * MOST_PROBINGS < 1) {
            return Optional.of(Estimate.approximate(
                    Double.POSITIVE_INFINITY, "probing succeeds less than once in " + Plain.rounded(MOST_PROBINGS)));
        }
        Sample sample = trials.untilClosed(failureRate).seconds();
        return sample.runs() == 0 ? Optional.empty() : Optional.of(Estimate.simulated(sample, how(sample)));
    }
}
