package io.nopanic.stress.mutations;

import io.nopanic.stress.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A fault, as a patch of the core's sources.
 *
 * @param patch the file: a line that says what the fault is, a line {@code Caught by:} with a command line of this program, and the difference
 * @param fault what is wrong
 * @param caughtBy the command line that fails because of it
 */
record Mutation(Path patch, String fault, List<String> caughtBy) {

    private static final String CAUGHT_BY = "Caught by: ";
    private static final String CHANGED = "+++ b/";

    static Mutation read(Path patch) throws IOException {
        List<String> lines = Files.readAllLines(patch);
        String caughtBy = lines.stream()
                .filter(line -> line.startsWith(CAUGHT_BY))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(patch + " does not say by what it is caught"));
        List<String> command =
                new ArrayList<>(List.of(caughtBy.substring(CAUGHT_BY.length()).split(" ")));
        command.add("--quick");
        return new Mutation(patch, lines.get(0), List.copyOf(command));
    }

    String name() {
        return patch.getFileName().toString().replace(".patch", "");
    }

    /** Compiles what the patch changes; the classes go before those of the core. */
    Path build() throws IOException {
        Path folder = Jvm.folder("mutation");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> args =
                new ArrayList<>(List.of("-nowarn", "-proc:none", "--release", "17", "-d", classes.toString()));
        args.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (String changed : changedFiles()) {
            Path copy = folder.resolve(changed);
            Files.createDirectories(copy.getParent());
            Files.copy(Jvm.root().resolve(changed), copy);
            args.add(copy.toString());
        }
        apply(folder);
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, args.toArray(new String[0])) != 0) {
            throw new IllegalStateException(patch + " makes code that does not compile");
        }
        return classes;
    }

    private List<String> changedFiles() throws IOException {
        try (Stream<String> lines = Files.lines(patch)) {
            return lines.filter(line -> line.startsWith(CHANGED))
                    .map(line -> line.substring(CHANGED.length()))
                    .toList();
        }
    }

    private void apply(Path folder) throws IOException {
        Process process = new ProcessBuilder(
                        "patch", "-p1", "-s", "-i", patch.toAbsolutePath().toString())
                .directory(folder.toFile())
                .inheritIO()
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(patch + " does not fit the sources any more");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
