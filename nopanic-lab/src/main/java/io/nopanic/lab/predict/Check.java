package io.nopanic.lab.predict;

import io.nopanic.lab.predict.Comparison.Bound;
import io.nopanic.lab.predict.Trials.Effort;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.theory.QuadraticProbing;
import io.nopanic.lab.theory.StateShares;
import io.nopanic.spi.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;

/** Compares the closed forms with the production breaker, case by case. Not thread-safe; good for one check. */
public final class Check {

    private static final int SPANS = 40;

    private final long seed;
    private final long calls;
    private final Consumer<String> progress;
    private final List<Comparison> done = new ArrayList<>();

    private Check(long seed, long calls, Consumer<String> progress) {
        this.seed = seed;
        this.calls = calls;
        this.progress = progress;
    }

    /**
     * Compares.
     *
     * @param calls how many calls to simulate for each line, at least 10,000
     * @param progress is told what is being simulated
     */
    public static List<Comparison> run(long seed, long calls, Consumer<String> progress) {
        Check check = new Check(seed, Require.between("calls", calls, 10_000, 1_000_000_000), progress);
        check.falseTrips();
        check.delays();
        check.warmUps();
        check.recoveries();
        check.shares();
        check.quadraticProbes();
        check.done.addAll(new LoadCheck(seed, calls, progress).run());
        return List.copyOf(check.done);
    }

    static BreakerSpec spec(String policy) {
        try {
            return (BreakerSpec) PolicyParser.parse(policy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Trials trials(BreakerSpec spec, TripForm form, double rate, int runs) {
        return new Trials(spec, rate, form.settlingCalls(), new Effort(seed, runs, calls));
    }

    private void compared(String policy, String what, double formula, Bound bound, Sample sample) {
        done.add(Comparison.of(policy, what, formula, bound, sample));
    }

    // ---------------- trips

    private void falseTrips() {
        falseTrip("consecutive:5", 10, 0.2, Bound.EXACT);
        falseTrip("consecutive:3", 10, 0.05, Bound.EXACT);
        falseTrip("auto:1;evidence-threshold=6", 10, 0.3, Bound.EXACT);
        falseTrip("auto:9;evidence-threshold=40", 10, 0.05, Bound.EXACT);
        falseTrip("auto:2.5;evidence-threshold=12", 10, 0.1, Bound.EXACT);
        falseTrip("auto:0.1;evidence-threshold=2", 10, 0.77, Bound.EXACT);
        falseTrip("count:10,50,10", 10, 0.1, Bound.percent(5));
        falseTrip("count:20,30,20", 10, 0.05, Bound.percent(5));
        falseTrip("count:20,30,5", 10, 0.05, Bound.percent(5));
        falseTrip("count:100,12,100", 10, 0.05, Bound.percent(20));
        falseTrip("count:100,25,100", 10, 0.15, Bound.percent(20));
        Bound ofTime = new Bound(0.5, 2, "factor 2");
        falseTrip("time:30s,50,5", 0.3, 0.1, ofTime);
        falseTrip("time:10s,50,5", 1, 0.1, ofTime);
        falseTrip("time:10s,31,5", 1, 0.02, ofTime);
        falseTrip("time:30s,40,10", 1, 0.1, ofTime);
        falseTrip("time:10s,20,20", 5, 0.05, ofTime);
        falseTrip("time:10s,12,100", 20, 0.05, ofTime);
        falseTrip("time:10s,8,500", 100, 0.05, ofTime);
    }

    private void falseTrip(String policy, double rate, double p, Bound bound) {
        BreakerSpec spec = spec(policy);
        TripForm form = TripForm.of(spec.trip(), rate, p);
        String what = "calls to false trip, " + rates(rate, p);
        progress.accept(policy + ": " + what);
        compared(
                policy,
                what,
                form.callsToFalseTrip(p).orElseThrow().value(),
                bound,
                trials(spec, form, rate, 1000).callsToTrip(p));
    }

    private static String rates(double rate, double p) {
        return Plain.rounded(rate) + "/s, " + Plain.percent(p);
    }

    private void delays() {
        delay("consecutive:5", 10, 0, 0.5, Bound.EXACT);
        delay("auto:6;evidence-threshold=31", 10, 0.01, 0.5, Bound.EXACT);
        delay("auto:4;evidence-threshold=33", 10, 0.05, 0.5, Bound.EXACT);
        delay("auto:4;evidence-threshold=33", 10, 0.05, 0.8, Bound.EXACT);
        delay("auto:1;evidence-threshold=5", 10, 0.05, 0.3, Bound.EXACT);
        Bound ofCount = Bound.percent(5);
        delay("count:100,50,100", 10, 0.01, 1, ofCount);
        delay("count:100,50,10", 10, 0.01, 0.8, ofCount);
        delay("count:100,50,100", 10, 0.01, 0.6, ofCount);
        delay("count:100,20,100", 10, 0.05, 0.5, ofCount);
        Bound ofTime = new Bound(0.9, 1.02, "-10..+2 %");
        delay("time:10s,50,20", 100, 0.01, 1, ofTime);
        delay("time:10s,50,20", 100, 0.01, 0.8, ofTime);
        delay("time:30s,50,10", 10, 0.01, 1, ofTime);
        delay("time:10s,50,20", 100, 0.01, 0.6, ofTime);
    }

    private void delay(String policy, double rate, double before, double after, Bound bound) {
        BreakerSpec spec = spec(policy);
        TripForm form = TripForm.of(spec.trip(), rate, before);
        String what = "calls to trip, " + Plain.rounded(rate) + "/s, " + Plain.rounded(100 * before) + ".."
                + Plain.percent(after);
        progress.accept(policy + ": " + what);
        compared(
                policy,
                what,
                form.callsToTrip(before, after).orElseThrow().value(),
                bound,
                trials(spec, form, rate, 2000)
                        .delay(before, after)
                        .orElseThrow()
                        .calls());
    }

    private void warmUps() {
        warmUp("count:100,50,5", 10, 0.1, Bound.EXACT);
        warmUp("count:100,50,10", 10, 0.2, Bound.EXACT);
        warmUp("time:10s,50,5", 10, 0.1, Bound.percent(20));
        warmUp("time:30s,50,10", 10, 0.2, Bound.percent(20));
    }

    private void warmUp(String policy, double rate, double p, Bound bound) {
        BreakerSpec spec = spec(policy);
        TripForm form = TripForm.of(spec.trip(), rate, p);
        TripForm.WarmingUp start = form.warmingUp(p).orElseThrow();
        String what = "trips in " + start.calls() + " calls, " + rates(rate, p);
        progress.accept(policy + ": " + what);
        compared(
                policy,
                what,
                start.trips().value(),
                bound,
                trials(spec, form, rate, 1).tripsWithin((int) start.calls(), p));
    }

    // ---------------- open and half-open

    private void recoveries() {
        recovery("consecutive:1,5s", 10, 0.5);
        recovery("consecutive:1,5s;open-jitter=0.5", 10, 0.9);
        recovery("consecutive:1,60s;probes=10;probe-failure-rate=50%", 10, 0.5);
        recovery("consecutive:1,1s;growth=2/30s", 10, 0.8);
        recovery("consecutive:1,1s;growth=2/5s;jitter=0.5", 10, 0.8);
        recovery("consecutive:1,3s;growth=1.5/4s;jitter=1;probes=2", 10, 0.5);
        recovery("consecutive:1,1s;growth=1.5/30s;probes=3", 5, 0.5);
        recovery("consecutive:1,250ms;growth=2/30s;probes=3", 20, 0.7);
        recovery("consecutive:1,1s;growth=2/30s;probes=5;probe-failure-rate=60%", 2, 0.6);
    }

    private void recovery(String policy, double rate, double p) {
        BreakerSpec spec = spec(policy);
        OpenForm form = OpenForm.of(spec, rate);
        String what = "seconds until closed, " + rates(rate, p);
        progress.accept(policy + ": " + what);
        Trials.Recovery runs = new Trials(spec, rate, 0, new Effort(seed, 2000, calls)).untilClosed(p);
        compared(policy, what, form.secondsUntilClosed(p).orElseThrow().value(), Bound.EXACT, runs.seconds());
        compared(
                policy,
                "probes until closed, " + rates(rate, p),
                form.probesUntilClosed(p).value(),
                Bound.EXACT,
                runs.probes());
    }

    private void shares() {
        String policy = "consecutive:3,5s";
        double rate = 10;
        double p = 0.3;
        BreakerSpec spec = spec(policy);
        TripForm form = TripForm.of(spec.trip(), rate, p);
        OpenForm open = OpenForm.of(spec, rate);
        double closedSeconds = form.callsToFalseTrip(p).orElseThrow().value() / rate;
        double notClosed = open.secondsUntilClosed(p).orElseThrow().value();
        Trials trials = trials(spec, form, rate, 1);
        progress.accept(policy + ": shares of the time");
        compared(
                policy,
                "share closed, " + rates(rate, p),
                StateShares.ofSeconds(closedSeconds, notClosed, 0).closed(),
                Bound.EXACT,
                trials.closedShare(second -> p, SPANS));
        StateShares.Regimes regimes = new StateShares.Regimes(100, 10, rate);
        compared(
                policy,
                "share closed, up/down 100/10 s",
                StateShares.of(regimes, 3, 5).closed(),
                Bound.percent(1),
                trials.closedShare(new UpAndDown(regimes, new SplittableRandom(seed)), SPANS));
    }

    /** A dependency that is up and down in turn. */
    private static final class UpAndDown implements DoubleUnaryOperator {

        private final StateShares.Regimes regimes;
        private final SplittableRandom random;
        private boolean up;
        private double untilSecond;

        UpAndDown(StateShares.Regimes regimes, SplittableRandom random) {
            this.regimes = regimes;
            this.random = random;
        }

        @Override
        public double applyAsDouble(double second) {
            while (second >= untilSecond) {
                up = !up;
                untilSecond -= Math.log1p(-random.nextDouble()) * (up ? regimes.upSeconds() : regimes.downSeconds());
            }
            return up ? 0 : 1;
        }
    }

    private void quadraticProbes() {
        for (double cost : new double[] {0.25, 1, 4}) {
            QuadraticProbing schedule = QuadraticProbing.forFailureCost(cost);
            String policy = "consecutive:3;schedule=quadratic/" + Plain.number(schedule.kappa()) + "/1ns/20d;jitter=0";
            BreakerSpec spec = spec(policy);
            double rate = 100;
            double seconds = 60;
            String what = "failed probes in 60 s, 100/s";
            progress.accept(policy + ": " + what);
            Trials trials = new Trials(spec, rate, 10, new Effort(seed, 100, calls));
            Sample probes = trials.outage(0, 1, seconds).orElseThrow().probes();
            // The last probe is the one that finds that the outage is over.
            compared(policy, what, schedule.failedProbes(rate * seconds) + 1, Bound.percent(10), probes);
        }
    }
}
