package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.report.html.HtmlReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the report of a command goes, if one is wanted. */
final class ReportArguments {

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a report with pictures too: one HTML file that needs no other (docs/lab/report.md).")
    private @Nullable Path out;

    /** Complains before anything is done about a place where no file can be written. */
    void check() {
        if (out == null) {
            return;
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(out) || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--out is '" + out + "', allowed is a file in a folder that is there");
        }
        if (!Files.isWritable(Files.exists(out) ? out : folder)) {
            throw new IllegalArgumentException("--out is '" + out + "', allowed is a file that may be written");
        }
    }

    /** Writes it. */
    void write(Screen screen, HtmlReport.About about, ReplayResult result, CallLog log) throws IOException {
        if (out == null) {
            return;
        }
        try {
            HtmlReport.write(out, about, result, log);
        } catch (IOException e) {
            throw new IOException("the report cannot be written to '" + out + "': " + e, e);
        }
        screen.err().println("The report is in " + out + ".");
    }
}
