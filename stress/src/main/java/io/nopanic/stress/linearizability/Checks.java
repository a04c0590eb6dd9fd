package io.nopanic.stress.linearizability;

import io.nopanic.breaker.EarlySubject;
import io.nopanic.breaker.SlackSubject;
import io.nopanic.breaker.WindowSubject;
import io.nopanic.engine.SlotSubject;
import io.nopanic.engine.TaskSubject;
import io.nopanic.stress.Names;
import io.nopanic.stress.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;

/** Checks each model in two ways: every thread switch that may matter, one after the other; and real threads that run as they like. */
final class Checks {

    /**
     * What the scenarios of a subject are like; how many there are, and how many interleavings are tried of each, in a quick run.
     */
    private enum Shape {
        /** Many things can happen one after the other. */
        LONG(2, 3, 6, 60),

        /** The same, and faults may need four switches between the threads. */
        LONG_AND_DEEP(2, 3, 6, 3_000),

        /** Many things can happen, and each takes long. */
        LONG_AND_SLOW(2, 2, 3, 60),

        /** Two steps meet, with some hundred places for a switch. */
        PAIR_OF_LONG_STEPS(0, 1, 12, 1_500),

        /** Two steps meet, in every way there is. */
        PAIR(0, 1, 4, 6_000);

        private static final int MORE_SCENARIOS = 8;
        private static final int MORE_INTERLEAVINGS = 30;

        final int stepsAround;
        final int stepsPerThread;
        private final int scenarios;
        private final int interleavings;

        Shape(int stepsAround, int stepsPerThread, int scenarios, int interleavings) {
            this.stepsAround = stepsAround;
            this.stepsPerThread = stepsPerThread;
            this.scenarios = scenarios;
            this.interleavings = interleavings;
        }

        int scenarios(boolean quick) {
            return quick ? scenarios : MORE_SCENARIOS * scenarios;
        }

        int interleavings(boolean quick) {
            return quick ? interleavings : MORE_INTERLEAVINGS * interleavings;
        }
    }

    /**
     * A subject and what it should do.
     *
     * @param specification if nothing, the subject checks itself in the end
     */
    private record Model(
            String question, Class<?> subject, @Nullable Class<?> specification, Shape shape) {

        Model(String question, Class<?> subject, Class<?> specification) {
            this(question, subject, specification, Shape.LONG);
        }
    }

    private static final Map<String, Model> MODELS = new TreeMap<>(Map.ofEntries(
            Map.entry(
                    "breaker",
                    new Model(
                            "Is a breaker a few counters, whatever its callers do at one moment?",
                            Breakers.Subject.class,
                            Breakers.Specification.class)),
            Map.entry(
                    "breaker on evidence",
                    new Model(
                            "Is a breaker that opens on evidence a few counters, too?",
                            Breakers.OnEvidence.class,
                            Breakers.EvidenceSpecification.class)),
            Map.entry(
                    "bulkhead",
                    new Model(
                            "Is a bulkhead a counter and a list, whatever its callers do at one moment?",
                            Bulkheads.Subject.class,
                            Bulkheads.Specification.class)),
            Map.entry(
                    "limiter",
                    new Model(
                            "Is a rate limiter a counter and a list, whatever its callers do at one moment?",
                            Limiters.Subject.class,
                            Limiters.Specification.class)),
            Map.entry(
                    "bulkhead of two stripes",
                    new Model(
                            "Is a bulkhead that is, too, when its permits lie in two places?",
                            Bulkheads.TwoStripes.class,
                            Bulkheads.TwoStripesSpecification.class)),
            Map.entry(
                    "count window",
                    new Model(
                            "Does somebody see what a count window must open at, and nobody what it never held?",
                            WindowSubject.OfCalls.class,
                            null,
                            Shape.LONG_AND_SLOW)),
            Map.entry(
                    "time window",
                    new Model(
                            "Does somebody see what a time window must open at, and nobody what it never held?",
                            WindowSubject.OfTime.class,
                            null,
                            Shape.LONG_AND_SLOW)),
            Map.entry(
                    "leased permits",
                    new Model(
                            "Do the permits of a limiter with leases add up, whoever calls them in?",
                            LeasedLimiters.class,
                            null,
                            Shape.LONG_AND_SLOW)),
            Map.entry(
                    "early failures",
                    new Model(
                            "Does a call that counts before it comes back, while others do, count once?",
                            EarlySubject.class,
                            null,
                            Shape.LONG_AND_DEEP)),
            Map.entry(
                    "slack",
                    new Model(
                            "Does somebody see the last bad outcome, while others deal out how many may come?",
                            SlackSubject.class,
                            null,
                            Shape.PAIR_OF_LONG_STEPS)),
            Map.entry(
                    "slack for two",
                    new Model(
                            "Does somebody see the last two bad outcomes, while others deal out how many may come?",
                            SlackSubject.TwoMissing.class,
                            null,
                            Shape.PAIR_OF_LONG_STEPS)),
            Map.entry(
                    "slot",
                    new Model(
                            "Is a call with a time limit promoted or over, and never both?",
                            SlotSubject.class,
                            null,
                            Shape.LONG_AND_DEEP)),
            Map.entry(
                    "task",
                    new Model(
                            "Is code that ran answered for, though its copy is given up?",
                            TaskSubject.class,
                            null,
                            Shape.PAIR))));

    private static final int MAX_LINES = 60;

    /** As Lincheck says it; that threads wait for each other for ever, which it knows when it runs them one at a time, it says without the dump. */
    private static final String TIMED_OUT = "The execution has hung, see the thread dump";

    private static final String BROKEN = "caught a bug in Lincheck";

    private final boolean quick;
    private int passed;
    private int failed;
    private int unjudged;

    private Checks(boolean quick) {
        this.quick = quick;
    }

    /** The first argument says whether there are only a few minutes; the others name models. */
    public static void main(String[] args) {
        Checks checks = new Checks(Boolean.parseBoolean(args[0]));
        List<String> asked = List.of(args).subList(1, args.length);
        List<String> all = List.copyOf(MODELS.keySet());
        try {
            Names.choose(asked, all, String::contains)
                    .forEach(name -> checks.check(name, Objects.requireNonNull(MODELS.get(name))));
        } catch (Names.Unknown unknown) {
            System.out.println(unknown.getMessage());
            System.exit(Verdict.UNJUDGED.exitCode());
        }
        System.out.printf(
                "%nlinearizability: %d passed, %d failed, %d not to the end%n",
                checks.passed, checks.failed, checks.unjudged);
        System.exit(checks.verdict().exitCode());
    }

    private Verdict verdict() {
        return failed > 0 ? Verdict.FAULT : unjudged > 0 ? Verdict.UNJUDGED : Verdict.PASSED;
    }

    private void check(String name, Model model) {
        check(
                name + ", every switch",
                model,
                model.shape.scenarios(quick),
                new ModelCheckingOptions().invocationsPerIteration(model.shape.interleavings(quick)));
        check(
                name + ", real threads",
                model,
                quick ? 2 : 30,
                new StressOptions().invocationsPerIteration(quick ? 200 : 5_000));
    }

    private void check(String name, Model model, int scenarios, Options<?, ?> options) {
        long startNanos = System.nanoTime();
        String difference = difference(model, scenarios, options);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        Verdict verdict =
                difference.isEmpty() ? Verdict.PASSED : isOfLincheck(difference) ? Verdict.UNJUDGED : Verdict.FAULT;
        String word = switch (verdict) {
            case PASSED -> "ok    ";
            case UNJUDGED -> "UNSURE";
            case FAULT -> "FAILED";
        };
        System.out.printf("%n%s %s%n       %s%n", word, name, model.question);
        System.out.printf("       %d scenarios, %.1f s%n", scenarios, seconds);
        difference.lines().limit(MAX_LINES).forEach(line -> System.out.println("       " + line));
        switch (verdict) {
            case PASSED -> passed++;
            case UNJUDGED -> unjudged++;
            case FAULT -> failed++;
        }
    }

    /** Whether it says nothing of what was checked: threads that had not ended after a time, and mistakes of Lincheck's own. */
    private static boolean isOfLincheck(String difference) {
        return difference.contains(TIMED_OUT) || difference.contains(BROKEN);
    }

    /** What no order of steps explains, or nothing. */
    private static String difference(Model model, int scenarios, Options<?, ?> options) {
        try {
            options.iterations(scenarios)
                    .threads(2)
                    .actorsPerThread(model.shape.stepsPerThread)
                    .actorsBefore(model.shape.stepsAround)
                    .actorsAfter(model.shape.stepsAround);
            if (model.specification == null) {
                options.verifier(EpsilonVerifier.class);
            } else {
                options.sequentialSpecification(model.specification);
            }
            options.check(model.subject);
            return "";
        } catch (LincheckAssertionError forbidden) {
            return String.valueOf(forbidden.getMessage());
        }
    }
}
