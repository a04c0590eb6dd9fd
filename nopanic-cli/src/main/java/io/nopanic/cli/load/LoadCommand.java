package io.nopanic.cli.load;

import io.nopanic.cli.options.Share;
import io.nopanic.cli.options.ShareConverter;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Puts load on a breaker and shows what that costs. */
@Command(
        name = "load",
        sortOptions = false,
        header = "Puts load on one circuit breaker: what does it cost, in time and in memory?",
        description = {
            "",
            "Many threads make calls through one shared breaker; a share of the calls fails, and the breaker has to stay closed."
                    + " The calls themselves do nothing. The load runs twice, first in a cold JVM and then warm. Then the"
                    + " memory of a breaker is measured, new and after a million calls in its window.",
            "",
            "Last, the same calls go through a naive breaker, one that keeps a log of its calls and reads it whole when one fails,"
                    + " at growing sizes and beside ours, for about 5 seconds. Its time grows with the square of the calls.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  nopanic load",
            "  nopanic load --threads 8 --calls 1000000 --no-naive",
            "  nopanic load --failing 25%% --policy count-window",
            "  nopanic load --json > load.json",
            "",
            "Exit codes: 0 all outcomes add up and the breaker stayed closed, 1 they do not or it did not, 2 wrong usage"
        })
public final class LoadCommand implements Callable<Integer> {

    private static final int MAX_THREADS = 1024;
    private static final long MAX_CALLS = 100_000_000;
    private static final double MAX_FAILING = 0.9;

    private final Screen screen;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "32",
            description = "How many threads call at once. 1 to 1024, default ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many calls each thread makes. 1 to 100000000, default ${DEFAULT-VALUE}.")
    private long calls;

    @Option(
            names = "--failing",
            paramLabel = "SHARE",
            defaultValue = "1/3",
            converter = ShareConverter.class,
            description = "Which share of the calls fails, as 1/3, 0.25 or 25%%. 0 to 0.9, default ${DEFAULT-VALUE}."
                    + " The breaker's threshold lies halfway between this and 1.")
    private Share failing;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            defaultValue = "time-window",
            converter = PolicyConverter.class,
            description =
                    "What the breaker judges: time-window (30 s), count-window (the last 1000 calls, more with many"
                            + " threads) or consecutive (failures in a row). Default ${DEFAULT-VALUE}.")
    private PolicyKind policy;

    @Option(names = "--no-naive", description = "Leave the naive breaker out.")
    private boolean withoutNaive;

    @Option(names = "--json", description = "Write what was measured as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    /** A command that writes to this screen. */
    public LoadCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws InterruptedException {
        check("--threads", threads, 1, MAX_THREADS);
        check("--calls", calls, 1, MAX_CALLS);
        if (failing.value() > MAX_FAILING) {
            throw new ParameterException(spec.commandLine(), "--failing: " + failing + " is not between 0 and 0.9");
        }
        Plan plan = new Plan(threads, calls, failing, policy);
        Report report = new Report(screen, plan);
        Measured measured = json ? measureSilently(plan) : measureAndPrint(plan, report);
        List<String> faults = new ArrayList<>(measured.first().faults(plan));
        faults.addAll(measured.second().faults(plan));
        if (json) {
            report.printJson(measured, faults.isEmpty());
        }
        faults.forEach(fault -> screen.err().println("nopanic load: " + fault));
        return faults.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void check(String option, long value, long from, long to) {
        if (value < from || value > to) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " is not between " + from + " and " + to);
        }
    }

    private Measured measureSilently(Plan plan) throws InterruptedException {
        Progress progress = Progress.none(screen);
        return new Measured(
                Load.run(plan, progress),
                Load.run(plan, progress),
                Memory.measure(plan, progress),
                naive(plan, progress));
    }

    private Measured measureAndPrint(Plan plan, Report report) throws InterruptedException {
        report.printPlan();
        Progress progress = Progress.on(screen);
        Load.Result first = Load.run(plan, progress);
        Load.Result second = Load.run(plan, progress);
        progress.clear();
        report.printLoads(first, second);
        Memory memory = Memory.measure(plan, progress);
        progress.clear();
        report.printMemory(memory);
        Measured.Naive naive = naive(plan, progress);
        progress.clear();
        if (naive != null) {
            report.printNaive(naive);
        }
        return new Measured(first, second, memory, naive);
    }

    private Measured.@Nullable Naive naive(Plan plan, Progress progress) {
        if (withoutNaive) {
            return null;
        }
        progress.show("the naive breaker");
        return new Measured.Naive(Memory.measureNaive(plan), Growth.measure(plan, Growth.LIMIT_NANOS, progress));
    }

    private static final class PolicyConverter implements ITypeConverter<PolicyKind> {
        @Override
        public PolicyKind convert(String text) {
            for (PolicyKind kind : PolicyKind.values()) {
                if (kind.toString().equals(text.toLowerCase(Locale.ROOT))) {
                    return kind;
                }
            }
            throw new TypeConversionException("'" + text + "' is none of time-window, count-window, consecutive");
        }
    }
}
