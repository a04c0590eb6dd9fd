package io.nopanic.stress.linearizability;

import io.nopanic.breaker.EarlySubject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;

/** Checks each model in two ways: every thread switch that may matter, one after the other; and real threads that run as they like. */
final class Checks {

    /** So that faults are found that need four switches between two threads. */
    private static final int FOUR_SWITCHES = 50;

    /**
     * A subject and what it should do.
     *
     * @param specification if nothing, the subject checks itself in the end
     * @param factor how many times as many switches are tried
     */
    private record Model(
            String question, Class<?> subject, @Nullable Class<?> specification, int factor) {

        Model(String question, Class<?> subject, Class<?> specification) {
            this(question, subject, specification, 1);
        }
    }

    private static final Map<String, Model> MODELS = new TreeMap<>(Map.of(
            "breaker",
            new Model(
                    "Is a breaker a few counters, whatever its callers do at one moment?",
                    Breakers.Subject.class,
                    Breakers.Specification.class),
            "breaker on evidence",
            new Model(
                    "Is a breaker that opens on evidence a few counters, too?",
                    Breakers.OnEvidence.class,
                    Breakers.EvidenceSpecification.class),
            "bulkhead",
            new Model(
                    "Is a bulkhead a counter and a list, whatever its callers do at one moment?",
                    Bulkheads.Subject.class,
                    Bulkheads.Specification.class),
            "limiter",
            new Model(
                    "Is a rate limiter a counter and a list, whatever its callers do at one moment?",
                    Limiters.Subject.class,
                    Limiters.Specification.class),
            "early failures",
            new Model(
                    "Does a call that counts before it comes back, while others do, count once?",
                    EarlySubject.class,
                    null,
                    FOUR_SWITCHES)));

    private static final int MAX_LINES = 60;

    private final boolean quick;
    private int passed;
    private int failed;

    private Checks(boolean quick) {
        this.quick = quick;
    }

    /** The first argument says whether there are only a few minutes; the others name models. */
    public static void main(String[] args) {
        Checks checks = new Checks(Boolean.parseBoolean(args[0]));
        List<String> names = List.of(args).subList(1, args.length);
        MODELS.forEach((name, model) -> {
            if (names.isEmpty() || names.stream().anyMatch(name::contains)) {
                checks.check(name, model);
            }
        });
        System.out.printf("%nlinearizability: %d passed, %d failed%n", checks.passed, checks.failed);
        System.exit(checks.failed == 0 && checks.passed > 0 ? 0 : 1);
    }

    private void check(String name, Model model) {
        check(
                name + ", every switch",
                model,
                quick ? 6 : 50,
                new ModelCheckingOptions().invocationsPerIteration((quick ? 60 : 2_000) * model.factor));
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
        String verdict = difference.isEmpty() ? "ok    " : "FAILED";
        System.out.printf("%n%s %s%n       %s%n", verdict, name, model.question);
        System.out.printf("       %d scenarios, %.1f s%n", scenarios, seconds);
        difference.lines().limit(MAX_LINES).forEach(line -> System.out.println("       " + line));
        if (difference.isEmpty()) {
            passed++;
        } else {
            failed++;
        }
    }

    /** What no order of steps explains, or nothing. */
    private static String difference(Model model, int scenarios, Options<?, ?> options) {
        try {
            options.iterations(scenarios)
                    .threads(2)
                    .actorsPerThread(3)
                    .actorsBefore(2)
                    .actorsAfter(2);
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
