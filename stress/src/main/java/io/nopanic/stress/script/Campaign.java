package io.nopanic.stress.script;

import io.nopanic.stress.Verdict;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tries seed after seed on several subjects in turn, and prints what came of it. */
public final class Campaign {

    private static final double NANOS = 1e9;

    /** So many seeds of each kind are tried however slow the machine is. */
    private static final int MIN_SEEDS = 100;

    private final List<Explorer> explorers;
    private final boolean twice;
    private final PrintStream out;

    /**
     * On these subjects.
     *
     * @param twice whether each script runs twice, to see that it does the same
     */
    public Campaign(List<Subject> subjects, boolean twice, PrintStream out) {
        explorers = subjects.stream().map(Explorer::new).toList();
        this.twice = twice;
        this.out = out;
    }

    /** Runs; that something never happened which has to be seen at least once is no fault, but too little to judge by. */
    public Verdict run(RunOptions options, Duration time) {
        if (options.seed != null) {
            return one(options.seed);
        }
        Verdict verdict = Verdict.PASSED;
        long shareNanos = time.toNanos() / explorers.size();
        for (Explorer explorer : explorers) {
            long startNanos = System.nanoTime();
            long seed = options.first;
            Optional<String> failure = Optional.empty();
            while (failure.isEmpty()
                    && (options.seeds != null
                            ? explorer.seeds() < options.seeds
                            : explorer.seeds() < MIN_SEEDS || System.nanoTime() - startNanos < shareNanos)) {
                failure = explorer.explore(seed++, twice);
            }
            verdict = verdict.and(report(explorer, (System.nanoTime() - startNanos) / NANOS, failure));
        }
        return verdict;
    }

    private Verdict one(long seed) {
        Verdict verdict = Verdict.PASSED;
        for (Explorer explorer : explorers) {
            Optional<String> failure = explorer.explore(seed, twice);
            failure.ifPresent(out::println);
            verdict = verdict.and(failure.isEmpty() ? Verdict.PASSED : Verdict.FAULT);
            out.print(explorer.tally());
            out.printf(
                    Locale.ROOT,
                    "%s: seed %d, history %016x%n",
                    explorer.subject().name(),
                    seed,
                    explorer.history(seed));
        }
        return verdict;
    }

    private Verdict report(Explorer explorer, double seconds, Optional<String> failure) {
        out.printf(
                Locale.ROOT,
                "%n%s: %,d seeds, %,d steps in %.1f s: %,.0f seeds and %,.0f steps a second%n%s",
                explorer.subject().name(),
                explorer.seeds(),
                explorer.steps(),
                seconds,
                explorer.seeds() / seconds,
                explorer.steps() / seconds,
                explorer.tally());
        if (failure.isPresent()) {
            out.println(failure.get());
            return Verdict.FAULT;
        }
        List<String> missing = explorer.tally().missing(explorer.subject().expected());
        missing.forEach(what -> out.println("UNSURE: never happened: " + what));
        return missing.isEmpty() ? Verdict.PASSED : Verdict.UNJUDGED;
    }
}
