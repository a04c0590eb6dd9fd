package io.nopanic.stress.mutations;

import io.nopanic.stress.Verdict;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a command that is to catch a fault does. It does if it finds a fault in the changed code and none in the code as it is, in as many runs. A command
 * that could not judge has caught nothing.
 */
final class Trials {

    /** How often a command may miss a fault that needs an unlucky moment. */
    static final int ATTEMPTS = 5;

    private final Runner runner;
    private final Consumer<String> out;
    private final Map<List<String>, Integer> passed = new HashMap<>();
    private final Set<List<String>> unfit = new HashSet<>();

    Trials(Runner runner, Consumer<String> out) {
        this.runner = runner;
        this.out = out;
    }

    /** Runs a command of this program. */
    interface Runner {

        /**
         * To its end.
         *
         * @param classes what goes before the classes of the core; nothing for the code as it is
         */
        Verdict run(@Nullable Path classes, List<String> command);
    }

    /**
     * Runs a command on the code as it is until it has passed so often, runs from before included.
     *
     * @return what came of it: it passed, or of the first run in which it did not
     */
    Verdict control(List<String> command, int times) {
        for (int run = passed.getOrDefault(command, 0); run < times; run++) {
            long startNanos = System.nanoTime();
            Verdict verdict = runner.run(null, command);
            String seconds = String.format(Locale.ROOT, " (%.0f s)", (System.nanoTime() - startNanos) / 1e9);
            if (verdict != Verdict.PASSED) {
                unfit.add(command);
                out.accept((verdict == Verdict.FAULT ? "FAILED " : "UNSURE ") + "without a fault: "
                        + String.join(" ", command) + seconds);
                return verdict;
            }
            out.accept("ok     without a fault: " + String.join(" ", command) + seconds);
            passed.merge(command, 1, Integer::sum);
        }
        return Verdict.PASSED;
    }

    /**
     * Whether the command catches the fault.
     *
     * @return that it does, that it does not, or that it cannot be said, since it did not judge or does not pass without the fault either
     */
    Verdict trial(Path classes, List<String> command) {
        if (unfit.contains(command)) {
            out.accept("UNSURE does not pass without a fault: " + String.join(" ", command));
            return Verdict.UNJUDGED;
        }
        boolean unjudged = false;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Verdict verdict = runner.run(classes, command);
            unjudged |= verdict == Verdict.UNJUDGED;
            if (verdict == Verdict.FAULT) {
                return control(command, attempt) == Verdict.PASSED ? caught(command, attempt) : Verdict.UNJUDGED;
            }
        }
        out.accept((unjudged ? "UNSURE not judged by " : "MISSED by ") + String.join(" ", command));
        return unjudged ? Verdict.UNJUDGED : Verdict.FAULT;
    }

    private Verdict caught(List<String> command, int attempt) {
        out.accept("       caught by " + String.join(" ", command) + (attempt == 1 ? "" : ", in run " + attempt));
        return Verdict.PASSED;
    }
}
