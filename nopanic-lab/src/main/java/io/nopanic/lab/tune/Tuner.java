package io.nopanic.lab.tune;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.predict.Conditions;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.predict.Predictor;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.NoBreaker;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Recommends settings for the calls in a log; for each key on its own, because a breaker guards one dependency. */
public final class Tuner {

    /** How many keys are looked at, the busiest. */
    public static final int MOST_KEYS = 10;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double OUTAGE_SECONDS = 60;
    private static final long SEED = 1;

    private final CallLog log;
    private final Wishes wishes;
    private final Consumer<String> progress;

    private Tuner(CallLog log, Wishes wishes, Consumer<String> progress) {
        this.log = log;
        this.wishes = wishes;
        this.progress = progress;
    }

    /**
     * Recommends.
     *
     * @param progress is told what is being done
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static Tuning run(CallLog log, Wishes wishes, Consumer<String> progress) throws InterruptedException {
        return new Tuner(log, wishes, progress).run();
    }

    private Tuning run() throws InterruptedException {
        Demand[] demands = Demand.byKey(log);
        List<Integer> order = IntStream.range(0, demands.length)
                .filter(key -> demands[key].calls() > 0)
                .boxed()
                .sorted(Comparator.comparingLong((Integer key) -> -demands[key].calls()))
                .toList();
        List<Integer> busiest = order.subList(0, Math.min(MOST_KEYS, order.size()));
        KeyTuning[] tuned = new KeyTuning[busiest.size()];
        for (int i = 0; i < tuned.length; i++) {
            int key = busiest.get(i);
            progress.accept(log.keys().get(key));
            tuned[i] = tune(
                    order.size() == 1 ? log : new OneKey(log, key, demands[key].calls()),
                    log.keys().get(key),
                    demands[key]);
        }
        List<Integer> others = order.subList(busiest.size(), order.size());
        return new Tuning(
                wishes,
                List.of(tuned),
                others.size(),
                others.stream().mapToLong(key -> demands[key].calls()).sum());
    }

    private KeyTuning tune(CallLog calls, String key, Demand demand) throws InterruptedException {
        Survey survey = Survey.of(calls);
        LogFacts facts = Replay.runWithoutTimelines(calls, survey, List.of(new NoBreaker("none")), done -> {})
                .facts();
        Optional<Duration> given =
                facts.slowAfterNanos().stream().mapToObj(Duration::ofNanos).findFirst();
        TimeAdvice times = new TimeAdvice(facts.load().latencies(), wishes.latencySlo(), given);
        LoadAdvice load =
                new LoadAdvice(facts, demand, wishes.capacity(), survey.whole().lengthNanos() / NANOS_PER_SECOND);
        Recommendation<Duration> slowAfter = times.slowAfter();
        List<Double> costs = costs();
        Candidates candidates = new Candidates(costs, wishes.current(), slowAfter.value());
        ReplayResult result = Replay.runWithoutTimelines(
                calls,
                survey,
                candidates.policies(),
                done -> progress.accept(key + ", " + Math.round(100 * done) + " %"));
        BreakerAdvice advice = new BreakerAdvice(candidates, result);
        BreakerChoice choice = advice.choose(wishes.failureCost());
        Map<FailureCost, BreakerChoice> byAnswer = byAnswer(advice);
        return new KeyTuning(
                key,
                facts,
                choice,
                advice.candidates(choice, byAnswer.values()),
                byAnswer,
                slowAfter,
                times.timeout(),
                load.bulkhead(failuresToOpen(choice.spec())),
                load.retries(),
                times.hedge(load.utilisation()),
                choice.selection().isFounded() ? List.of() : predictions(survey, facts, choice.spec()));
    }

    private static Map<FailureCost, BreakerChoice> byAnswer(BreakerAdvice advice) {
        Map<FailureCost, BreakerChoice> choices = new EnumMap<>(FailureCost.class);
        for (FailureCost answer : FailureCost.values()) {
            choices.put(answer, advice.choose(answer.refusedCalls()));
        }
        return choices;
    }

    private List<Double> costs() {
        return DoubleStream.concat(
                        DoubleStream.of(wishes.failureCost()),
                        Stream.of(FailureCost.values()).mapToDouble(FailureCost::refusedCalls))
                .distinct()
                .boxed()
                .toList();
    }

    /** How many failures it takes at least; 0 if that does not matter, because calls count while they are still in flight. */
    private static int failuresToOpen(BreakerSpec spec) {
        return spec.build(spec.name(), Time.system(), new SplittableRandom(SEED))
                .hangingCallsToOpen();
    }

    // ---------------- what formulas say

    private List<Prediction> predictions(Survey survey, LogFacts facts, BreakerSpec recommended) {
        double seconds = survey.whole().lengthNanos() / NANOS_PER_SECOND;
        double healthy = facts.healthyOfAll().failureRate();
        return Stream.concat(Stream.of(recommended), wishes.current().stream())
                .flatMap(spec -> prediction(spec, facts.calls() / seconds, healthy).stream())
                .toList();
    }

    /** Nothing for rates and settings that the formulas do not cover. */
    private static Optional<Prediction> prediction(BreakerSpec spec, double callsPerSecond, double healthy) {
        try {
            return Optional.of(
                    Predictor.predict(spec, Conditions.of(callsPerSecond, healthy, 1, OUTAGE_SECONDS), SEED));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
