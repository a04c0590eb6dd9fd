package io.nopanic.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** How errors are told: what is wrong in one line, and what to do about it in another. */
final class Complaints {

    private Complaints() {}

    static int aboutUsage(ParameterException wrong, String... arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + wrong.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            err.println("Try '" + name + " --help'.");
        }
        return CommandLine.ExitCode.USAGE;
    }

    /** An environment that does not play along is told in a line; anything else is a fault of this program, which needs its stack trace. */
    static int aboutFailure(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            err.println(name + ": " + failure.getMessage());
        } else if (failure instanceof InterruptedException) {
            err.println(name + ": interrupted");
        } else {
            err.println(name + ": this should not have happened:");
            failure.printStackTrace(err);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
