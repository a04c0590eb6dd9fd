package io.nopanic.cli.lab;

import io.nopanic.cli.options.DurationConverter;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.logs.LogOptions;
import io.nopanic.lab.logs.LogSources;
import io.nopanic.lab.logs.ReadCalls;
import io.nopanic.lab.logs.format.Classifier;
import io.nopanic.lab.logs.format.Formats;
import io.nopanic.lab.logs.format.KeyBy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The log that a command is about, and how to read it. */
final class LogArguments {

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Logs, also packed with gzip; - is the standard input. Several are read as one.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "What the lines look like: " + Formats.NAMES + ". Default: found out from the first lines.")
    private @Nullable String format;

    @Option(
            names = "--by",
            paramLabel = "KEY",
            defaultValue = "none",
            description =
                    "A breaker for each key, host, upstream or path1 (the first part of the path); or one for all, none. Default"
                            + " ${DEFAULT-VALUE}.")
    private String by = "none";

    @Option(
            names = "--fail",
            paramLabel = "TERMS",
            defaultValue = Classifier.DEFAULT_FAIL,
            description =
                    "What is a failure: status codes, classes of them, timeout, io, error, cancelled, or names of errors. Default"
                            + " ${DEFAULT-VALUE}.")
    private String fail = Classifier.DEFAULT_FAIL;

    @Option(
            names = "--ignore",
            paramLabel = "TERMS",
            defaultValue = Classifier.DEFAULT_IGNORE,
            description = "What says nothing about the dependency, in the same terms. Default ${DEFAULT-VALUE}.")
    private String ignore = Classifier.DEFAULT_IGNORE;

    @Option(
            names = "--slow",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "A call that is answered after this time or later counts as failed. Default: none does.")
    private @Nullable Duration slow;

    /** The names of the logs. */
    String title() {
        return files.size() == 1 ? files.get(0) : files.get(0) + " and " + (files.size() - 1) + " more";
    }

    /**
     * Reads the log.
     *
     * @throws IllegalArgumentException if an option is none that can be
     */
    ReadCalls open(Progress progress) throws IOException {
        if (slow != null && slow.isZero()) {
            throw new IllegalArgumentException("--slow is 0, allowed is a duration of more than 0");
        }
        LogOptions options =
                told(progress).withClassifier(Classifier.of(fail, ignore)).withBy(KeyBy.named(by));
        ReadCalls calls = LogSources.open(files, format == null ? options : options.withFormat(format));
        progress.clear();
        return slow == null ? calls : new ReadCalls(new SlowCalls(calls.log(), slow), calls.report());
    }

    /** How to read a log where nothing is said of that, telling how far it is. */
    static LogOptions told(Progress progress) {
        return LogOptions.standard()
                .withProgress(lines -> progress.show("reading ... " + Text.count(lines) + " lines"));
    }
}
