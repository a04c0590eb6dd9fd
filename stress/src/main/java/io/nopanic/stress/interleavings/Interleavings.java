package io.nopanic.stress.interleavings;

import io.nopanic.stress.Jvm;
import io.nopanic.stress.Mode;
import io.nopanic.stress.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Runs the jcstress tests in a JVM of their own, and prints for each what was asked and what was seen. */
@Command(
        name = "interleavings",
        mixinStandardHelpOptions = true,
        description =
                "Two threads at each atomic protocol, some million times: does anything happen that must not? By jcstress.")
public final class Interleavings implements Callable<Integer> {

    /** Assertions are on, because they are in the code to be checked. */
    private static final String[] FLAGS = {"-ea", "-Xmx512m"};

    private static final Pattern PROGRESS =
            Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, (\\d+) failed.*");

    @ParentCommand
    private Mode mode;

    @Parameters(paramLabel = "<test>", description = "Parts of the names of tests. Default: all tests.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        List<String> all = TestList.tests().stream().sorted().toList();
        List<String> tests = Names.choose(names, all, String::contains);
        return mode.isQuick() ? quickly(tests) : thoroughly(tests);
    }

    private static int quickly(List<String> tests) {
        return Jvm.withFlags(FLAGS).run(Quick.class, tests, System.out::println);
    }

    private static int thoroughly(List<String> tests) {
        Path folder = Jvm.folder("interleavings");
        Jvm.withFlags().in(folder).run(org.openjdk.jcstress.Main.class, options(tests), new Progress(folder));
        Report report = new Report(System.out);
        List<TestResult> results = read(folder);
        for (String test : tests) {
            report.print(
                    test,
                    results.stream()
                            .filter(result -> result.getName().equals(test))
                            .toList());
        }
        return report.summary(tests.size()).exitCode();
    }

    /** Every combination of compilers, for two actors on one core and on two. */
    private static List<String> options(List<String> tests) {
        String pattern =
                "^(" + String.join("|", tests.stream().map(Pattern::quote).toList()) + ")$";
        List<String> options = new ArrayList<>(List.of("-t", pattern, "-r", "report"));
        options.addAll(List.of("-sc", "true", "-f", "1", "-iters", "3", "-time", "500"));
        options.addAll(List.of("-jvmArgs", String.join(" ", FLAGS)));
        return options;
    }

    private static List<TestResult> read(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            Path blob = files.filter(file -> file.toString().endsWith(".bin.gz"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("jcstress wrote no results; see " + folder));
            InProcessCollector results = new InProcessCollector();
            DiskReadCollector reader = new DiskReadCollector(blob.toString(), results);
            reader.dump();
            reader.close();
            return List.copyOf(results.getTestResults());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps what jcstress says, and says from time to time how far it is. */
    private static final class Progress implements Consumer<String> {

        private final Path log;
        private String last = "";

        Progress(Path folder) {
            log = folder.resolve("jcstress.log");
        }

        @Override
        public void accept(String line) {
            try {
                Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Matcher progress = PROGRESS.matcher(line.trim());
            if (progress.matches() && !line.equals(last)) {
                last = line;
                System.err.printf(
                        "  %s of %s runs passed, %s failed%n", progress.group(2), progress.group(1), progress.group(3));
            }
        }
    }
}
