package io.nopanic.stress.mutations;

import io.nopanic.stress.Jvm;
import io.nopanic.stress.Mode;
import io.nopanic.stress.Names;
import io.nopanic.stress.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Tries the tests: for each fault in {@code stress/mutations}, builds the core with that fault and sees whether the test that is named there finds it; before that,
 * whether it passes without.
 */
@Command(
        name = "mutations",
        mixinStandardHelpOptions = true,
        description =
                "Tries the tests themselves: puts faults into the core, one at a time, and sees whether each is caught by a command that passes"
                        + " without it.")
public final class Mutations implements Callable<Integer> {

    /** None takes nearly as long, unless the fault keeps it from ending. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Parameters(
            paramLabel = "<mutation>",
            description = "Parts of the names of files in stress/mutations. Default: all.")
    private List<String> names = List.of();

    @ParentCommand
    private Mode mode;

    @Override
    public Integer call() throws IOException {
        List<Mutation> mutations = new ArrayList<>();
        for (Path patch :
                Names.choose(names, patches(), (patch, name) -> fileName(patch).contains(name))) {
            mutations.add(Mutation.read(patch));
        }
        Trials trials = new Trials(this::run, System.out::println);
        return controls(trials, mutations).and(trials(trials, mutations)).exitCode();
    }

    /** Each command once on the code as it is. One that does not pass there proves nothing by failing. */
    private static Verdict controls(Trials trials, List<Mutation> mutations) {
        Verdict all = Verdict.PASSED;
        Set<List<String>> commands = new LinkedHashSet<>();
        mutations.forEach(mutation -> commands.add(mutation.caughtBy()));
        System.out.printf("%ncontrol: %d commands, once each, on the code as it is%n", commands.size());
        for (List<String> command : commands) {
            all = all.and(trials.control(command, 1));
        }
        return all;
    }

    private static Verdict trials(Trials trials, List<Mutation> mutations) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        Verdict all = Verdict.PASSED;
        for (Mutation mutation : mutations) {
            System.out.printf("%n%s: %s%n", mutation.name(), mutation.fault());
            Verdict verdict = trial(trials, mutation);
            counts.merge(verdict, 1, Integer::sum);
            all = all.and(verdict);
        }
        System.out.printf(
                "%nmutations: %d caught, %d missed, %d not judged%n",
                counts.getOrDefault(Verdict.PASSED, 0),
                counts.getOrDefault(Verdict.FAULT, 0),
                counts.getOrDefault(Verdict.UNJUDGED, 0));
        return all;
    }

    private static Verdict trial(Trials trials, Mutation mutation) {
        try {
            return trials.trial(mutation.build(), mutation.caughtBy());
        } catch (IOException | IllegalStateException notBuilt) {
            System.out.println("UNSURE " + notBuilt.getMessage());
            return Verdict.UNJUDGED;
        }
    }

    private static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(Jvm.root().resolve("stress/mutations"))) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    private static String fileName(Path file) {
        return file.getFileName().toString();
    }

    private Verdict run(@Nullable Path classes, List<String> command) {
        Jvm jvm = classes == null ? Jvm.withFlags() : Jvm.withClasses(classes);
        return Verdict.of(jvm.within(LIMIT).run(mode.getClass(), command, Mutations::print));
    }

    /** What failed, what it saw that was forbidden, and what it could not judge by. */
    private static void print(String line) {
        if (line.startsWith("FAILED") || line.contains("FORBIDDEN") || line.startsWith("UNSURE")) {
            System.out.println("       " + line.strip());
        }
    }
}
