package io.nopanic.stress.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Tries scripts on a subject, one per seed. */
public final class Explorer {

    /** A script of thousands of lines that needs most of them could be shortened for an hour. */
    private static final long MOST_NANOS_TO_SHORTEN = 30_000_000_000L;

    private final Subject subject;
    private final Tally tally = new Tally();
    private long seeds;
    private long steps;

    /** Tries this one. */
    public Explorer(Subject subject) {
        this.subject = subject;
    }

    /** How many seeds were tried. */
    public long seeds() {
        return seeds;
    }

    /** How many steps were done. */
    public long steps() {
        return steps;
    }

    /** What happened. */
    public Tally tally() {
        return tally;
    }

    /** The subject. */
    public Subject subject() {
        return subject;
    }

    /**
     * Tries the script of one seed.
     *
     * @param twice whether to run it again and compare the histories
     * @return what went wrong, in words, with the shortest script that shows it; empty if nothing did
     */
    public Optional<String> explore(long seed, boolean twice) {
        Drawn drawn = draw(seed);
        Subject.Setup setup = drawn.setup;
        List<Step> script = drawn.script;
        seeds++;
        steps += script.size();
        Outcome first = run(setup, script, tally);
        if (first.failure != null) {
            return Optional.of(report(seed, setup, script));
        }
        if (twice && run(setup, script, new Tally()).history != first.history) {
            return Optional.of(
                    "FAILED: seed " + seed + " of " + subject.name() + " does not reproduce its own history");
        }
        return Optional.empty();
    }

    /** What a seed's script leads to, as one number. */
    public long history(long seed) {
        Drawn drawn = draw(seed);
        return run(drawn.setup, drawn.script, new Tally()).history;
    }

    private record Drawn(Subject.Setup setup, List<Step> script) {}

    private Drawn draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Subject.Setup setup = subject.setup(random);
        List<Step> script = new ArrayList<>();
        int length = random.nextInt(1, setup.maxSteps() + 1);
        for (int i = 0; i < length; i++) {
            script.add(setup.draw(random));
        }
        return new Drawn(setup, script);
    }

    private record Outcome(@Nullable Throwable failure, long history) {}

    private static Outcome run(Subject.Setup setup, List<Step> script, Tally tally) {
        Subject.Run run = setup.begin(tally);
        try {
            script.forEach(run::step);
            run.end();
        } catch (LinkageError | OutOfMemoryError notOfTheScript) {
            throw notOfTheScript;
        } catch (RuntimeException | Error wrong) {
            return new Outcome(wrong, 0);
        }
        return new Outcome(null, run.history());
    }

    private String report(long seed, Subject.Setup setup, List<Step> script) {
        long endNanos = System.nanoTime() + MOST_NANOS_TO_SHORTEN;
        Shrinker shrinker = new Shrinker(
                shorter -> System.nanoTime() - endNanos < 0 && run(setup, shorter, new Tally()).failure != null);
        List<Step> shortest = shrinker.shrink(script);
        Throwable failure = run(setup, shortest, new Tally()).failure;
        StringBuilder text = new StringBuilder("FAILED: " + subject.name() + " with seed " + seed + ": "
                + (failure instanceof Divergence ? failure.getMessage() : String.valueOf(failure)));
        text.append(System.lineSeparator()).append("  settings: ").append(setup);
        text.append(System.lineSeparator())
                .append("  the shortest script that fails, of ")
                .append(script.size())
                .append(" steps:");
        for (int line = 0; line < shortest.size(); line++) {
            text.append(System.lineSeparator())
                    .append("    ")
                    .append(line + 1)
                    .append(". ")
                    .append(shortest.get(line));
        }
        if (failure != null && !(failure instanceof Divergence)) {
            for (StackTraceElement frame : failure.getStackTrace()) {
                text.append(System.lineSeparator()).append("      at ").append(frame);
            }
        }
        return text.toString();
    }
}
