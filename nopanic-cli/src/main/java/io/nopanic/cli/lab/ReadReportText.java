package io.nopanic.cli.lab;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.logs.ReadReport;
import io.nopanic.lab.report.html.HtmlReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tells what was read of a log, and what was not. */
final class ReadReportText {

    private static final double PERCENT = 100;

    private static final String SAMPLED =
            "rates of calls, and rates of failures if failures were preferred, are not those of the dependency.";

    private final ReadReport report;

    ReadReportText(ReadReport report) {
        this.report = report;
    }

    void print(Screen screen) {
        sentences().forEach(screen::say);
        screen.out().println();
    }

    /** What a page of HTML says about it. */
    HtmlReport.About about(String title, double cost) {
        List<String> notes = new ArrayList<>(sentences());
        notes.addAll(faults());
        return new HtmlReport.About(
                title,
                cost,
                notes,
                report.examples().stream().map(String::valueOf).toList());
    }

    private List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        sentences.add(Text.of(report.lines(), "line") + " (" + report.format()
                + (report.formatWasFound() ? ", as found out from the first" : "") + "): "
                + Text.of(report.calls(), "call")
                + ", " + Text.of(report.dropped(), "line") + " dropped, " + Text.count(report.unparsable())
                + " unparsable.");
        for (Map.Entry<String, Long> dropped : report.droppedByReason().entrySet()) {
            sentences.add("Dropped: " + Text.count(dropped.getValue()) + " " + dropped.getKey() + ".");
        }
        if (report.refused() > 0) {
            sentences.add("Something refused calls while this was recorded: " + Text.count(report.refused())
                    + ", which were never sent. How they would have ended nobody knows, so a replay is without them: incidents look shorter and with"
                    + " fewer calls than they were.");
        }
        if (report.spreadLines() > 0) {
            sentences.add(Text.of(report.spreadLines(), "line")
                    + " had a time in whole seconds; calls are given a random place in that second.");
        }
        if (report.outOfOrder() > 0) {
            sentences.add(Text.count(report.outOfOrder()) + " lines were out of order, by up to "
                    + Text.time(report.mostLateNanos()) + "; they were put in order.");
        }
        if (report.longestGapNanos() > 0) {
            sentences.add("The longest time without a call was " + Text.time(report.longestGapNanos()) + ".");
        }
        if (report.emptyLines() > 0) {
            sentences.add(
                    Text.count(report.emptyLines()) + " lines were blank, names of columns, or not meant to be calls.");
        }
        if (report.withoutDuration() > 0) {
            sentences.add(
                    Text.count(report.withoutDuration())
                            + " calls are without a duration; they count as having ended when they began, and say nothing of slow ones.");
        }
        if (report.lost() > 0) {
            sentences.add(Text.count(report.lost()) + " calls are missing, as the log says itself.");
        }
        report.samplingHints()
                .forEach(hint -> sentences.add("This log looks like a sample of the calls (" + hint + "); " + SAMPLED));
        if (report.maybeSampled()) {
            sentences.add(
                    "Traces are often a sample of the calls, and nothing here says whether these are. If they are, "
                            + SAMPLED);
        }
        return sentences;
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>(report.damages());
        if (report.clockJumps() > 0) {
            faults.add("the clock was set back " + Text.count(report.clockJumps()) + " times, by up to "
                    + Text.time(report.largestClockJumpNanos()) + "; calls from before and after are mixed");
        }
        return faults;
    }

    /** What is wrong with the log, for standard error. */
    void complain(Screen screen, String command) {
        if (report.unparsable() > 0) {
            screen.err()
                    .println(command + ": " + Text.count(report.unparsable()) + " lines ("
                            + Text.digits(PERCENT * report.unparsableShare())
                            + " %) are not what the format says; the first:");
            report.examples().forEach(line -> screen.err().println("  " + line));
        }
        faults().forEach(fault -> screen.err().println(command + ": " + fault));
    }

    void write(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("read");
        json.writeStringField("format", report.format());
        json.writeBooleanField("formatWasFound", report.formatWasFound());
        json.writeNumberField("lines", report.lines());
        json.writeNumberField("emptyLines", report.emptyLines());
        json.writeNumberField("calls", report.calls());
        json.writeNumberField("withoutDuration", report.withoutDuration());
        json.writeObjectFieldStart("dropped");
        for (Map.Entry<String, Long> dropped : report.droppedByReason().entrySet()) {
            json.writeNumberField(dropped.getKey(), dropped.getValue());
        }
        json.writeEndObject();
        json.writeNumberField("refused", report.refused());
        json.writeNumberField("unparsable", report.unparsable());
        write(
                json,
                "unparsableExamples",
                report.examples().stream().map(String::valueOf).toList());
        json.writeNumberField("spreadLines", report.spreadLines());
        json.writeNumberField("outOfOrder", report.outOfOrder());
        json.writeNumberField("mostLateNanos", report.mostLateNanos());
        json.writeNumberField("clockJumps", report.clockJumps());
        json.writeNumberField("largestClockJumpNanos", report.largestClockJumpNanos());
        json.writeNumberField("longestGapNanos", report.longestGapNanos());
        json.writeNumberField("lost", report.lost());
        write(json, "samplingHints", report.samplingHints());
        json.writeBooleanField("maybeSampled", report.maybeSampled());
        write(json, "damages", report.damages());
        json.writeBooleanField("reliable", !report.failing());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
