package io.nopanic.stress.mutations;

import io.nopanic.stress.Jvm;
import io.nopanic.stress.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Tries the tests: for each fault in {@code stress/mutations}, builds the core with that fault and sees whether the test that is named there fails. */
@Command(
        name = "mutations",
        mixinStandardHelpOptions = true,
        description =
                "Tries the tests themselves: puts faults into the core, one at a time, and sees whether each is caught.")
public final class Mutations implements Callable<Integer> {

    /** How often a test may miss a fault that needs an unlucky moment. */
    private static final int ATTEMPTS = 5;

    @Parameters(
            paramLabel = "<mutation>",
            description = "Parts of the names of files in stress/mutations. Default: all.")
    private List<String> names = List.of();

    @ParentCommand
    private Mode mode;

    @Override
    public Integer call() throws IOException {
        List<Path> patches = patches();
        int missed = 0;
        for (Path patch : patches) {
            Mutation mutation = Mutation.read(patch);
            System.out.printf("%n%s: %s%n", mutation.name(), mutation.fault());
            if (!isCaught(mutation)) {
                missed++;
            }
        }
        System.out.printf("%nmutations: %d caught, %d missed%n", patches.size() - missed, missed);
        return missed == 0 ? 0 : 1;
    }

    private List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(Jvm.root().resolve("stress/mutations"))) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .filter(file -> names.isEmpty() || names.stream().anyMatch(file.toString()::contains))
                    .sorted()
                    .toList();
        }
    }

    private boolean isCaught(Mutation mutation) throws IOException {
        Path classes = mutation.build();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            int code = Jvm.withClasses(classes).run(mode.getClass(), mutation.caughtBy(), Mutations::print);
            if (code == 1) {
                System.out.printf("       caught by %s%n", String.join(" ", mutation.caughtBy()));
                return true;
            }
        }
        System.out.printf("MISSED by %s%n", String.join(" ", mutation.caughtBy()));
        return false;
    }

    /** What failed, and what it saw that was forbidden. */
    private static void print(String line) {
        if (line.startsWith("FAILED") || line.contains("FORBIDDEN")) {
            System.out.println("       " + line.strip());
        }
    }
}
