package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.report.ReplayJson;
import io.nopanic.lab.report.html.HtmlReport;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Mix;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.lab.traffic.ScenarioReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets breakers decide about invented traffic. */
@Command(
        name = "simulate",
        sortOptions = false,
        header = "Lets breakers decide about invented traffic: what would they have done, and what does it cost?",
        description = {
            "",
            "The breakers are those that run in production, on a clock that jumps from call to call. The traffic is a mix of incidents with"
                    + " a seed, or what a file says (docs/lab/simulate.md). The same seed is the same calls on every machine.",
            "",
            PolicyArguments.HELP,
            ""
        },
        footer = {
            "",
            "Examples:",
            "  nopanic simulate",
            "  nopanic simulate --mix flapping --rate 10 --days 5 --policy auto,r4j,consecutive:5,30s",
            "  nopanic simulate scenario.json --cost 10 --json > result.json",
            "  nopanic simulate --mix long --out report.html",
            "  nopanic simulate --latency 30ms --write nginx:access.log",
            "  nopanic simulate --arrivals access.log --mix partial",
            "  nopanic simulate --compare         the adaptive breaker against the defaults of others",
            "  nopanic simulate --hang            what a dependency costs that does not answer",
            "",
            "Exit codes: 0 it went well, 1 it did not, 2 wrong usage"
        })
public final class SimulateCommand implements Callable<Integer> {

    private static final String POLICIES = "none,auto,nopanic,r4j,hystrix,polly";
    private static final double MAX_DAYS = 3650;

    private final Screen screen;

    @Spec
    private CommandSpec spec;

    @Mixin
    private PolicyArguments policies = new PolicyArguments();

    @Mixin
    private ReportArguments report = new ReportArguments();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "A scenario, in JSON; instead of --mix and what goes with it.")
    private @Nullable Path file;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "standard",
            converter = MixConverter.class,
            description =
                    "Incidents: standard, healthy, partial, flapping, bursts, long or ramp. Default ${DEFAULT-VALUE}.")
    private Mix mix;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "Calls per second, on average. Default ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "2",
            description = "How long, in days. Default ${DEFAULT-VALUE}.")
    private double days;

    @Option(
            names = "--arrivals",
            paramLabel = "LOG",
            description =
                    "Let calls come when those of a log did, instead of --rate and --days. - is the standard input.")
    private @Nullable String arrivals;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            defaultValue = "0ms",
            description = "How long calls take, in the median (lognormal, sigma 0.5). Default: no time.")
    private String latency;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all that is random. Default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--write",
            paramLabel = "FORMAT:FILE",
            description =
                    "Write the calls as the log of another program too: alb, csv, envoy, envoy-json, jsonl, nginx or otlp, as in"
                            + " nginx:access.log. Best with --latency.")
    private @Nullable String write;

    @Option(
            names = "--compare",
            description =
                    "Print, as a Markdown table, what the adaptive breaker costs and what the defaults of others do.")
    private boolean compare;

    @Option(
            names = "--hang",
            description =
                    "Print how long it takes to notice that no call is answered, with and without counting calls in flight.")
    private boolean hang;

    @Option(names = "--json", description = "Write the result as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    /** A command that writes to this screen. */
    public SimulateCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String[] traffic = {"--policy", "--write", "--out", "--mix", "--rate", "--days", "--arrivals", "--latency"};
        refuseTogether("--compare", "--hang");
        refuseTogether("--compare", traffic);
        refuseTogether("--hang", traffic);
        refuseTogether("--arrivals", "--rate", "--days");
        if (file != null) {
            for (String option :
                    List.of("--compare", "--hang", "--mix", "--rate", "--days", "--arrivals", "--latency", "--seed")) {
                refuse(option, "FILE, which says that itself");
            }
        }
        Progress progress = json ? Progress.none(screen) : Progress.on(screen);
        if (compare) {
            compare(new Comparison(screen, progress, seed));
        } else if (hang) {
            hang(new HungDependency(screen, seed));
        } else {
            simulate(progress);
        }
        return CommandLine.ExitCode.OK;
    }

    private void compare(Comparison comparison) throws IOException, InterruptedException {
        if (json) {
            comparison.printJson();
        } else {
            comparison.print();
        }
    }

    private void hang(HungDependency hung) throws IOException, InterruptedException {
        if (json) {
            hung.printJson();
        } else {
            hung.print();
        }
    }

    private void refuseTogether(String option, String... others) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            for (String other : others) {
                refuse(other, option);
            }
        }
    }

    private void refuse(String option, String beside) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            throw new ParameterException(spec.commandLine(), option + " has no meaning beside " + beside);
        }
    }

    private void simulate(Progress progress) throws IOException, InterruptedException {
        List<PolicySpec> specs;
        double cost;
        Optional<WrittenLog> log;
        SimulatedTraffic made;
        try {
            specs = policies.policies(POLICIES);
            cost = policies.cost();
            report.check();
            log = Optional.ofNullable(write).map(WrittenLog::of);
            made = traffic(progress);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try (SimulatedTraffic traffic = made) {
            if (!json) {
                screen.say(describe(traffic));
                screen.out().println();
            }
            if (log.isPresent()) {
                progress.show("writing ...");
                log.get().write(traffic.calls());
                progress.clear();
            }
            ReplayResult result =
                    Replay.run(traffic.calls(), Survey.of(traffic.scenario()), specs, progress.share("simulating"));
            progress.clear();
            print(result, traffic.scenario(), cost);
            report.write(
                    screen,
                    progress,
                    new HtmlReport.About(
                            "Simulation: " + traffic.scenario().name(), cost, List.of(describe(traffic)), List.of()),
                    result,
                    traffic.calls());
        }
    }

    private void print(ReplayResult result, Scenario scenario, double cost) {
        if (json) {
            Json.print(screen, generator -> {
                generator.writeStringField("command", "simulate");
                generator.writeStringField("scenario", scenario.name());
                generator.writeNumberField("seed", scenario.seed());
                ReplayJson.write(generator, result, cost);
            });
        } else {
            new ReplayText(screen, result, cost).print();
        }
    }

    private SimulatedTraffic traffic(Progress progress) throws IOException {
        if (file != null) {
            return SimulatedTraffic.of(ScenarioReader.read(file));
        }
        Duration median = Durations.parse("--latency", latency);
        Latency taken = median.isZero() ? Latency.NONE : new Latency(median, 0.5);
        if (arrivals != null) {
            return SimulatedTraffic.at(arrivals, mix, taken, seed, progress);
        }
        if (!(days > 0 && days <= MAX_DAYS)) {
            throw new IllegalArgumentException(
                    "--days is " + days + ", allowed is a number above 0, up to " + MAX_DAYS);
        }
        return SimulatedTraffic.of(mix.scenario(
                new Scenario.Load(Arrivals.POISSON, rate, taken), Duration.ofNanos((long) (days * 86_400e9)), seed));
    }

    private String describe(SimulatedTraffic traffic) {
        Scenario scenario = traffic.scenario();
        String what = Arrays.stream(Mix.values())
                .filter(each -> file == null && each == mix)
                .findFirst()
                .map(each -> "mix '" + each + "' (" + each.describe() + ")")
                .orElse("scenario '" + scenario.name() + "'");
        return "Invented traffic: " + what + ", seed " + scenario.seed() + ", "
                + traffic.comes() + ", healthy calls fail at "
                + 100 * scenario.health().failureRate() + " %, latency "
                + scenario.load().latency().describe() + ".";
    }
}
