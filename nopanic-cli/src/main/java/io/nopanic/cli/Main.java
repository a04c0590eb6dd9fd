package io.nopanic.cli;

import io.nopanic.cli.demo.DemoCommand;
import io.nopanic.cli.lab.PredictCommand;
import io.nopanic.cli.lab.ReplayCommand;
import io.nopanic.cli.lab.SimulateCommand;
import io.nopanic.cli.lab.TuneCommand;
import io.nopanic.cli.load.LoadCommand;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.time.Time;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The entry point. */
public final class Main {

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(Screen.ofProcess(), Time.system(), arguments));
    }

    /**
     * Runs the command line and returns its exit code.
     *
     * @param time what the demonstration runs on; the load is always measured in real time
     */
    static int run(Screen screen, Time time, String... arguments) {
        CommandLine commandLine = new CommandLine(new NopanicCommand())
                .addSubcommand(new DemoCommand(screen, time))
                .addSubcommand(new LoadCommand(screen))
                .addSubcommand(new PredictCommand(screen))
                .addSubcommand(new SimulateCommand(screen))
                .addSubcommand(new ReplayCommand(screen))
                .addSubcommand(new TuneCommand(screen, new InputStreamReader(System.in, StandardCharsets.UTF_8)))
                .setOut(screen.out())
                .setErr(screen.err())
                .setColorScheme(Help.defaultColorScheme(screen.ansi()))
                .setParameterExceptionHandler(Complaints::aboutUsage)
                .setExecutionExceptionHandler(Complaints::aboutFailure);
        int code = commandLine.execute(arguments);
        screen.out().flush();
        screen.err().flush();
        return code;
    }
}
