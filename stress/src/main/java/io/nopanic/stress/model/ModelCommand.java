package io.nopanic.stress.model;

import io.nopanic.stress.Mode;
import io.nopanic.stress.Names;
import io.nopanic.stress.script.Campaign;
import io.nopanic.stress.script.RunOptions;
import io.nopanic.stress.script.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Models beside implementations. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        description =
                "Each policy beside a model so plain that one sees that it is right, and both given the same random operations in"
                        + " virtual time: do they ever differ? What differs is shortened and printed.")
public final class ModelCommand implements Callable<Integer> {

    private static final Duration QUICK = Duration.ofSeconds(24);
    private static final Duration THOROUGH = Duration.ofMinutes(20);

    @ParentCommand
    private Mode mode;

    @Mixin
    private RunOptions options = new RunOptions();

    @Parameters(
            paramLabel = "<policy>",
            description = "breaker, window, limiter, bulkhead, retry or budget. Default: all.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        List<Subject> all = List.of(
                new BreakerSubject(false),
                new BreakerSubject(true),
                new LimiterSubject(),
                new BulkheadSubject(),
                new RetrySubject(),
                new BudgetSubject());
        List<Subject> subjects =
                Names.choose(names, all, (subject, name) -> subject.name().equals(name));
        return new Campaign(subjects, false, System.out)
                .run(options, options.time(mode.isQuick(), QUICK, THOROUGH))
                .exitCode();
    }
}
