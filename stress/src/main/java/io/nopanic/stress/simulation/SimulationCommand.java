package io.nopanic.stress.simulation;

import io.nopanic.stress.Mode;
import io.nopanic.stress.script.Campaign;
import io.nopanic.stress.script.RunOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Whole pipelines in a simulated world. */
@Command(
        name = "simulation",
        mixinStandardHelpOptions = true,
        description =
                "Pipelines drawn at random, with many callers and every kind of fault, in virtual time and one thread: do the laws hold that hold"
                        + " whatever happens? Each history runs twice, and has to be the same both times.")
public final class SimulationCommand implements Callable<Integer> {

    private static final Duration QUICK = Duration.ofSeconds(24);
    private static final Duration THOROUGH = Duration.ofMinutes(10);

    /** What is reported once per policy is provoked here on purpose, and often. Held, so that its level stays. */
    private static final Logger NOPANIC = Logger.getLogger("io.nopanic");

    @ParentCommand
    private Mode mode;

    @Mixin
    private RunOptions options = new RunOptions();

    @Override
    public Integer call() {
        NOPANIC.setLevel(Level.OFF);
        return new Campaign(List.of(new SimulationSubject()), true, System.out)
                .run(options, options.time(mode.isQuick(), QUICK, THOROUGH))
                .exitCode();
    }
}
