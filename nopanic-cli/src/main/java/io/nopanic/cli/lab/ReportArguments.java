package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.report.html.HtmlReport;
import io.nopanic.lab.report.html.TuneReport;
import io.nopanic.lab.tune.Tuning;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the report of a command goes, if one is wanted. */
final class ReportArguments {

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a report with pictures too: one HTML file that needs no other (docs/lab/report.md).")
    private @Nullable Path out;

    /** Complains before anything is done about a place where no report can be written, or where something else is. */
    void check() throws IOException {
        if (out == null) {
            return;
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(out) || !Files.isDirectory(folder)) {
            throw refused("a file in a folder that is there");
        }
        if (!Files.isWritable(Files.exists(out) ? out : folder)) {
            throw refused("a file that may be written");
        }
        if (Files.exists(out) && !isReport(out)) {
            throw refused("a new file, or a page of HTML to write over; it is there, and is neither");
        }
    }

    private IllegalArgumentException refused(String allowed) {
        return new IllegalArgumentException("--out is '" + out + "', allowed is " + allowed);
    }

    private static boolean isReport(Path file) throws IOException {
        byte[] begin = HtmlReport.BEGIN.getBytes(StandardCharsets.UTF_8);
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(begin.length), begin);
        }
    }

    /** Writes that of a replay. */
    void write(Screen screen, Progress progress, HtmlReport.About about, ReplayResult result, CallLog log)
            throws IOException {
        write(screen, () -> {
            String page = HtmlReport.of(about, result, log, progress.share("drawing"));
            progress.clear();
            return page;
        });
    }

    /** Writes that of recommendations. */
    void write(Screen screen, HtmlReport.About about, Tuning tuning) throws IOException {
        write(screen, () -> TuneReport.of(about, tuning));
    }

    private void write(Screen screen, Supplier<String> page) throws IOException {
        if (out == null) {
            return;
        }
        try {
            Files.writeString(out, page.get(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException("the report cannot be written to '" + out + "': " + e, e);
        }
        screen.err().println("The report is in " + out + ".");
    }
}
