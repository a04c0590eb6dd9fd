package io.nopanic.benchmarks;

import io.nopanic.cli.terminal.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** The entry point. */
public final class Main {

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(Screen.ofProcess(), arguments));
    }

    /** Runs the command line and returns its exit code. */
    static int run(Screen screen, String... arguments) {
        CommandLine commandLine = new CommandLine(new BenchCommand(screen))
                .setOut(screen.out())
                .setErr(screen.err())
                .setColorScheme(Help.defaultColorScheme(screen.ansi()))
                .setParameterExceptionHandler(Main::aboutUsage)
                .setExecutionExceptionHandler((failure, command, parsed) -> aboutFailure(failure, screen.err()));
        int code = commandLine.execute(arguments);
        screen.out().flush();
        screen.err().flush();
        return code;
    }

    private static int aboutUsage(ParameterException wrong, String... arguments) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println("bench: " + wrong.getMessage());
        err.println("Try 'bench --help'.");
        return ExitCode.USAGE;
    }

    private static int aboutFailure(Exception failure, PrintWriter err) {
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            err.println("bench: " + failure.getMessage());
        } else if (failure instanceof InterruptedException) {
            err.println("bench: interrupted");
        } else {
            err.println("bench: this should not have happened:");
            failure.printStackTrace(err);
        }
        return ExitCode.SOFTWARE;
    }
}
