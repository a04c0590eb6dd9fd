package io.nopanic.cli.lab;

import io.nopanic.cli.options.DurationConverter;
import io.nopanic.cli.options.Share;
import io.nopanic.cli.options.ShareConverter;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.predict.Check;
import io.nopanic.lab.predict.Comparison;
import io.nopanic.lab.predict.Conditions;
import io.nopanic.lab.predict.Predictor;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicyParser;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what a breaker does at given rates. */
@Command(
        name = "predict",
        sortOptions = false,
        header = "Says what a circuit breaker will do at given rates, before it runs.",
        description = {
            "",
            "How often it opens for nothing, how late it opens when it matters, how long it stays open and what that costs; and"
                    + " warns of settings that are known to go wrong. Each value says what it is worth: exact, approximate with"
                    + " a bound, or simulated with the production breaker under virtual time. Failures are taken to be"
                    + " independent; where they come in bursts, false trips are far more frequent.",
            "",
            "With --check it compares its formulas with the production breaker instead, which takes less than a minute.",
            ""
        },
        footer = {
            "",
            "Policies: a preset (nopanic, nopanic-py, hystrix, r4j, polly, failsafe, gobreaker, auto), a file of properties, or one of",
            "  count:WINDOW,PERCENT,MINIMUM,OPEN    count:100,50,100,60s",
            "  time:WINDOW,PERCENT,MINIMUM,OPEN     time:30s,50,10,15s",
            "  consecutive:FAILURES,OPEN            consecutive:5,30s",
            "  auto:COST                            auto:10",
            "each with options, as in 'consecutive:5,1s;growth=2/30s;probes=3'.",
            "",
            "Examples:",
            "  nopanic predict --policy count:100,50,100,60s --rate 10",
            "  nopanic predict --policy hystrix --rate 1 --bad 80%% --outage 10m",
            "  nopanic predict --policy auto --rate 100 --latency 200ms --bulkhead 8 \\",
            "      --timeout 30s --slow-after 1s",
            "  nopanic predict --policy r4j --rate 10 --json | jq '.lines[].name'",
            "  nopanic predict --check",
            "",
            "Exit codes: 0 it went well, 1 a bound does not hold (--check), 2 wrong usage"
        })
public final class PredictCommand implements Callable<Integer> {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Screen screen;

    @Spec
    private CommandSpec spec;

    @Option(names = "--policy", paramLabel = "POLICY", description = "The circuit breaker; see below.")
    private @Nullable String policy;

    @Option(names = "--rate", paramLabel = "N", description = "Calls per second, more than 0, at most 1000000.")
    private @Nullable Double rate;

    @Option(
            names = "--healthy",
            paramLabel = "SHARE",
            defaultValue = "1%",
            converter = ShareConverter.class,
            description = "Which share of the calls fails when all is well. Default 1%%.")
    private Share healthy;

    @Option(
            names = "--bad",
            paramLabel = "SHARE",
            defaultValue = "100%",
            converter = ShareConverter.class,
            description = "Which share fails in an outage. Default 100%%.")
    private Share bad;

    @Option(
            names = "--outage",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "How long an outage lasts. Default ${DEFAULT-VALUE}.")
    private Duration outage;

    @Option(
            names = "--up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long all is well between outages, on average.")
    private @Nullable Duration up;

    @Option(
            names = "--cost",
            paramLabel = "N",
            description = "How many calls refused for nothing are as bad as one failed call that was sent. 0.01 to 100;"
                    + " default that of the policy, or 1.")
    private @Nullable Double cost;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long a call takes, on average.")
    private @Nullable Duration latency;

    @Option(names = "--bulkhead", paramLabel = "N", description = "How many calls there can be at a time.")
    private @Nullable Integer bulkhead;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "When a call that hangs is given up.")
    private @Nullable Duration timeout;

    @Option(
            names = "--slow-after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "When a call in flight counts as failed. Default: as the policy says.")
    private @Nullable Duration slowAfter;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where random numbers come from. Default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--check", description = "Compare the formulas with the production breaker.")
    private boolean check;

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "3000000",
            description = "How many calls to simulate for each line of --check. 10000 to 1000000000, default"
                    + " ${DEFAULT-VALUE}.")
    private long calls;

    @Option(names = "--json", description = "Write the result as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // its being there is all
    private boolean help;

    /** A command that writes to this screen. */
    public PredictCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws IOException {
        if (check) {
            return check();
        }
        if (policy == null || rate == null) {
            throw wrong((policy == null ? "--policy" : "--rate") + " is missing");
        }
        PredictReport report = new PredictReport(screen);
        try {
            if (!(PolicyParser.parse(policy) instanceof BreakerSpec breaker)) {
                throw wrong("--policy: '" + policy + "' is no breaker; there is nothing to predict");
            }
            report.print(Predictor.predict(breaker, conditions(rate), seed), json);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        return CommandLine.ExitCode.OK;
    }

    private ParameterException wrong(@Nullable String complaint) {
        return new ParameterException(spec.commandLine(), String.valueOf(complaint));
    }

    private Conditions conditions(double callsPerSecond) {
        return new Conditions(
                callsPerSecond,
                healthy.value(),
                bad.value(),
                seconds(outage).orElseThrow(),
                seconds(up),
                cost == null ? OptionalDouble.empty() : OptionalDouble.of(cost),
                seconds(latency),
                seconds(timeout),
                seconds(slowAfter),
                bulkhead == null ? OptionalInt.empty() : OptionalInt.of(bulkhead));
    }

    private static OptionalDouble seconds(@Nullable Duration duration) {
        return duration == null ? OptionalDouble.empty() : OptionalDouble.of(duration.toNanos() / NANOS_PER_SECOND);
    }

    private int check() {
        Progress progress = json ? Progress.none(screen) : Progress.on(screen);
        List<Comparison> comparisons;
        try {
            comparisons = Check.run(seed, calls, progress::show);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        progress.clear();
        CheckReport report = new CheckReport(screen, seed, comparisons);
        if (json) {
            report.printJson();
        } else {
            report.print();
        }
        return report.allHold() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
