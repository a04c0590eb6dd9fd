package io.nopanic.stress.main;

import io.nopanic.stress.Mode;
import io.nopanic.stress.Names;
import io.nopanic.stress.Verdict;
import io.nopanic.stress.interleavings.Interleavings;
import io.nopanic.stress.linearizability.Linearizability;
import io.nopanic.stress.model.ModelCommand;
import io.nopanic.stress.mutations.Mutations;
import io.nopanic.stress.simulation.SimulationCommand;
import io.nopanic.stress.soak.SoakCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * What tests cannot show by example. Each part is a subcommand, whose exit code is that of its {@link Verdict}; without a
 * subcommand all of them run, one after the other. A further part is a further class in {@code subcommands}, which asks its parent whether it is to be quick.
 */
@Command(
        name = "stress/run",
        mixinStandardHelpOptions = true,
        description = "Looks for what tests cannot show by example. Without a command: everything.",
        subcommands = {
            Interleavings.class,
            Linearizability.class,
            ModelCommand.class,
            SimulationCommand.class,
            SoakCommand.class,
            Mutations.class
        })
public final class Main implements Callable<Integer>, Mode {

    /** Takes longer than all others together, and tests the tests; not a part of a quick run. */
    private static final String MUTATIONS = "mutations";

    @Option(
            names = "--quick",
            scope = ScopeType.INHERIT,
            description = "A few minutes, for every change; else thoroughly, for a night.")
    private boolean quick;

    @Spec
    private CommandSpec spec;

    @Override
    public boolean isQuick() {
        return quick;
    }

    @Override
    public Integer call() {
        Verdict all = Verdict.PASSED;
        List<String> notPassed = new ArrayList<>();
        for (String part : spec.subcommands().keySet()) {
            if (quick && part.equals(MUTATIONS)) {
                continue;
            }
            String[] args = quick ? new String[] {part, "--quick"} : new String[] {part};
            Verdict verdict = Verdict.of(run(args));
            all = all.and(verdict);
            if (verdict != Verdict.PASSED) {
                notPassed.add((verdict == Verdict.FAULT ? "FAILED: " : "UNSURE: ") + part);
            }
        }
        System.out.println(notPassed.isEmpty() ? "all passed" : String.join(System.lineSeparator(), notPassed));
        return all.exitCode();
    }

    /** Runs a command line; whatever goes wrong with the command itself is no fault found. */
    static int run(String... args) {
        CommandLine line = new CommandLine(new Main());
        line.setExitCodeExceptionMapper(thrown -> Verdict.UNJUDGED.exitCode());
        line.setExecutionExceptionHandler((thrown, command, parsed) -> {
            if (thrown instanceof Names.Unknown) {
                command.getErr().println(thrown.getMessage());
                return Verdict.UNJUDGED.exitCode();
            }
            throw thrown;
        });
        explainExitCodes(line);
        line.getSubcommands().values().forEach(Main::explainExitCodes);
        return line.execute(args);
    }

    private static void explainExitCodes(CommandLine line) {
        line.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(Verdict.exitCodes());
    }

    /** Runs the command line. */
    public static void main(String[] args) {
        System.exit(run(args));
    }
}
