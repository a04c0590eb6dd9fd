package io.nopanic.cli.lab;

import io.nopanic.cli.options.DurationConverter;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.logs.ReadCalls;
import io.nopanic.lab.report.TuneJson;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.tune.FailureCost;
import io.nopanic.lab.tune.Tuner;
import io.nopanic.lab.tune.Tuning;
import io.nopanic.lab.tune.Wishes;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Recommends settings for the calls in a log. */
@Command(
        name = "tune",
        sortOptions = false,
        header = "Recommends settings for the calls in a log, and says how sure it is of each.",
        description = {
            "",
            "A breaker, slowAfter, timeout, bulkhead, retries and hedge, as Java to paste and as properties for --policy. The breaker is"
                    + " the simplest that is not clearly dearer than the cheapest; with fewer than five incidents nothing is ranked. What a"
                    + " failure costs no log can tell: without --cost the question is put in words, and the answer to each answer is shown."
                    + " How each value is found, docs/lab/tune.md says.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  nopanic tune access.log --cost 3",
            "  nopanic tune calls.jsonl --by key --policy current.properties",
            "  nopanic tune access.log --capacity 500 --latency-slo 800ms",
            "  nopanic tune access.log --cost 10 --out report.html",
            "  nopanic tune calls.jsonl --json | jq -r '.keys[0].properties[]'",
            "",
            "Exit codes: 0 it went well, 1 more than 1 %% of the lines could not be read, or a file not to its end, 2 wrong usage"
        })
public final class TuneCommand implements Callable<Integer> {

    private final Screen screen;
    private final Reader answers;

    @Spec
    private CommandSpec spec;

    @Mixin
    private LogArguments log = new LogArguments();

    @Option(
            names = "--cost",
            paramLabel = "C",
            description =
                    "What a failure costs: one that is sent is as bad as so many calls refused for nothing. 0.05 to 100. Default: asked on a"
                            + " terminal, else 1.")
    private @Nullable Double cost;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description = "The breaker that is in use: a file of properties, a preset or a form, as for replay.")
    private @Nullable String policy;

    @Option(
            names = "--capacity",
            paramLabel = "N",
            description = "How many calls per second the dependency can serve, if you know.")
    private @Nullable Double capacity;

    @Option(
            names = "--latency-slo",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long a caller waits for an answer at most; no timeout is longer.")
    private @Nullable Duration latencySlo;

    @Mixin
    private ReportArguments html = new ReportArguments();

    @Option(names = "--json", description = "Write the result as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    /**
     * A command that writes to this screen.
     *
     * @param answers what is typed at a terminal when something is asked there
     */
    public TuneCommand(Screen screen, Reader answers) {
        this.screen = screen;
        this.answers = answers;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Progress progress = json ? Progress.none(screen) : Progress.on(screen);
        Wishes wishes;
        ReadCalls read;
        try {
            Optional<BreakerSpec> current = current();
            html.check();
            wishes = wishes(cost == null ? FailureCost.EQUAL.refusedCalls() : cost, current);
            if (cost == null && !json && screen.terminal()) {
                wishes = wishes(new CostQuestion(screen, answers).ask(), current);
            }
            read = log.open(progress);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try (ReadCalls calls = read) {
            ReadReportText report = new ReadReportText(calls.report());
            if (!json) {
                report.print(screen);
            }
            report.complain(screen, spec.qualifiedName());
            if (calls.log().size() == 0) {
                screen.err().println(spec.qualifiedName() + ": there are no calls in it");
                return CommandLine.ExitCode.SOFTWARE;
            }
            Tuning tuning = Tuner.run(calls.log(), wishes, done -> progress.show("replaying ... " + done));
            progress.clear();
            print(tuning, report);
            html.write(screen, report.about(log.title(), wishes.failureCost()), tuning);
            return calls.report().failing() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        }
    }

    private Optional<BreakerSpec> current() throws IOException {
        if (policy == null) {
            return Optional.empty();
        }
        if (PolicyParser.parse(policy) instanceof BreakerSpec breaker) {
            return Optional.of(breaker);
        }
        throw new IllegalArgumentException(
                "--policy is '" + policy + "', allowed is a breaker; leave it out if there is none");
    }

    private Wishes wishes(double failureCost, Optional<BreakerSpec> current) {
        return new Wishes(
                failureCost,
                current,
                capacity == null ? OptionalDouble.empty() : OptionalDouble.of(capacity),
                Optional.ofNullable(latencySlo));
    }

    private void print(Tuning tuning, ReadReportText report) {
        if (json) {
            Json.print(screen, generator -> {
                generator.writeStringField("command", "tune");
                report.write(generator);
                TuneJson.write(generator, tuning);
            });
        } else {
            new TuneText(screen, tuning, cost == null).print();
        }
    }
}
