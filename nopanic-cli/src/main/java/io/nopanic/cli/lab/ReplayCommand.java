package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.logs.ReadCalls;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.report.ReplayJson;
import io.nopanic.lab.setup.PolicySpec;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets breakers decide about the calls in a log. */
@Command(
        name = "replay",
        sortOptions = false,
        header = "Lets breakers decide about the calls in a log: what would they have done?",
        description = {
            "",
            "The breakers are those that run in production, on a clock that jumps from call to call. A call that they let in ends as the"
                    + " log has it; one that they refuse is counted as what it would have been. What a log needs to have, and what is a"
                    + " failure in it, docs/lab/logs.md says; what the numbers mean, docs/lab/replay.md.",
            "",
            PolicyArguments.HELP,
            ""
        },
        footer = {
            "",
            "Examples:",
            "  nopanic replay access.log",
            "  nopanic replay access.log.*.gz --by upstream --policy current.properties,auto --cost 10",
            "  nopanic replay calls.jsonl --json > result.json",
            "  nopanic replay access.log --policy current.properties,auto --out report.html",
            "",
            "Exit codes: 0 it went well, 1 more than 1 %% of the lines could not be read, or a file not to its end, 2 wrong usage"
        })
public final class ReplayCommand implements Callable<Integer> {

    private static final String POLICIES = "none,auto,nopanic,r4j,hystrix,polly";

    private final Screen screen;

    @Spec
    private CommandSpec spec;

    @Mixin
    private LogArguments log = new LogArguments();

    @Mixin
    private PolicyArguments policies = new PolicyArguments();

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

    /** A command that writes to this screen. */
    public ReplayCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Progress progress = json ? Progress.none(screen) : Progress.on(screen);
        List<PolicySpec> specs;
        double cost;
        ReadCalls read;
        try {
            specs = policies.policies(POLICIES);
            cost = policies.cost();
            html.check();
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
            progress.show("looking for incidents ...");
            ReplayResult result = Replay.run(calls.log(), Survey.of(calls.log()), specs, progress.share("replaying"));
            progress.clear();
            print(result, report, cost);
            html.write(screen, progress, report.about(log.title(), cost), result, calls.log());
            return calls.report().failing() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        }
    }

    private void print(ReplayResult result, ReadReportText report, double cost) {
        if (json) {
            Json.print(screen, generator -> {
                generator.writeStringField("command", "replay");
                report.write(generator);
                ReplayJson.write(generator, result, cost);
            });
        } else {
            new ReplayText(screen, result, cost).print();
        }
    }
}
