package io.nopanic.benchmarks;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.run.Jdks;
import io.nopanic.benchmarks.run.Measurement;
import io.nopanic.benchmarks.run.Plan;
import io.nopanic.benchmarks.run.Report;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "bench",
        sortOptions = false,
        header = "Measures what a guarded call costs: nopanic beside its peers, in one run.",
        description = {
            "",
            "Each contestant is measured in short processes of its own, in rounds, so that a machine that is busy at times is"
                    + " busy for all. What counts are the ratios within a run. At the end stands which targets are met."
                    + " A full run takes some hours and writes its tables into docs/performance.md.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  bench --quick",
            "  bench --quick --only '^breaker/|floor/nanoTime'",
            "  bench --list",
            "  bench --json > bench.json",
            "",
            "Exit codes: 0 all was measured, 1 something could not be, 2 wrong usage"
        })
final class BenchCommand implements Callable<Integer> {

    private static final int MOST_MINUTES = 1000;
    private static final Path PAGE = Path.of("docs", "performance.md");

    private final Screen screen;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description =
                    "Take about ten minutes only: what targets need, in few and short rounds. Writes no tables unless told to.")
    private boolean quick;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description =
                    "Begin rounds for so many minutes, 1 to 1000. Default: 3 rounds within 20 minutes for a quick run, else"
                            + " 5 within 150.")
    private @Nullable Integer minutes;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            defaultValue = "",
            description =
                    "Measure only what has this in its key, see --list. Besides calls there are the keys load/...,"
                            + " virtual/..., growth/..., retained and lab. Writes no tables unless told to.")
    private String only;

    @Option(
            names = "--write",
            description = "Write the tables of a quick run too; with --only, those of load, virtual threads, memory,"
                    + " growth and lab that it measured.")
    private boolean write;

    @Option(
            names = "--newer-java",
            paramLabel = "HOME",
            description = "A JDK, 24 or newer, for virtual threads. Default: the newest beside the one in use.")
    private @Nullable Path newerJava;

    @Option(names = "--list", description = "Show the keys of all calls that can be measured, and exit.")
    private boolean list;

    @Option(names = "--json", description = "Write all that was measured as JSON instead of tables.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    BenchCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Plan usual = quick ? Plan.quick(pattern()) : Plan.full(pattern());
        Plan plan = minutes == null ? usual : usual.lasting(checked(minutes));
        if (list) {
            plan.contestants().stream().map(Contestant::key).forEach(screen.out()::println);
            return ExitCode.OK;
        }
        if (plan.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only: nothing to measure has '" + only + "' in its key; --list shows all keys");
        }
        Path page = page();
        Progress line = json ? Progress.none(screen) : Progress.on(screen);
        Optional<Path> newerJdk = newerJdk();
        Measurement measurement = new Measurement(plan, newerJdk, progress(line));
        measurement.run();
        line.clear();
        Report report = new Report(plan, measurement.figures(), newerJdk);
        if (json) {
            report.printJson(screen, measurement.failures());
        } else {
            report.print(screen);
        }
        if (only.isEmpty() && (write || !quick)) {
            report.write(page);
        } else if (write) {
            report.writeOthers(page);
        }
        measurement.failures().forEach(failure -> screen.err().println("bench: " + failure));
        return measurement.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private int checked(int given) {
        if (given < 1 || given > MOST_MINUTES) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes is " + given + "; allowed: 1 to " + MOST_MINUTES);
        }
        return given;
    }

    private Pattern pattern() {
        try {
            return Pattern.compile(only);
        } catch (java.util.regex.PatternSyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--only: " + e.getDescription() + " in '" + only + "'", e);
        }
    }

    /** Found out before all that time is spent, not after. */
    private Path page() throws IOException {
        Path page = Path.of(System.getProperty("bench.root", "")).resolve(PAGE);
        if ((write || (only.isEmpty() && !quick)) && !Files.isWritable(page)) {
            throw new IOException("cannot write the tables into " + page.toAbsolutePath());
        }
        return page;
    }

    private Optional<Path> newerJdk() throws IOException {
        if (newerJava == null) {
            return Jdks.newer();
        }
        int version = Jdks.version(newerJava);
        if (version < Jdks.NEW) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--newer-java: " + newerJava + (version == 0 ? " is no JDK" : " is a JDK " + version) + "; "
                            + Jdks.NEW + " or newer is needed");
        }
        return Optional.of(newerJava);
    }

    /** A line that is written over on a terminal, else lines beside the results. */
    private Consumer<String> progress(Progress line) {
        return line.isShown() ? line::show : screen.err()::println;
    }
}
