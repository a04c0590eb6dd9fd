package io.nopanic.benchmarks.run;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.benchmarks.fork.Sample;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows what was measured: to people, to programs, and on the page about performance. */
public final class Report {

    private final Plan plan;
    private final Figures figures;
    private final Sheets sheets;
    private final Optional<String> newerJava;

    /**
     * A report of these figures.
     *
     * @param newerJdk where virtual threads were measured, if they were
     */
    public Report(Plan plan, Figures figures, Optional<Path> newerJdk) {
        this.plan = plan;
        this.figures = figures;
        newerJava = newerJdk.map(Jdks::describe);
        sheets = new Sheets(figures);
    }

    /** Prints all tables, the targets last. */
    public void print(Screen screen) {
        about().forEach(screen::say);
        screen.out().println();
        List<Sheet> all = new ArrayList<>(sheets.groups());
        all.addAll(List.of(
                sheets.load(),
                sheets.virtualCalls(),
                sheets.retained(),
                sheets.growth(),
                sheets.lab(),
                sheets.targets()));
        for (Sheet sheet : all) {
            if (!sheet.isEmpty()) {
                sheet.lines().forEach(screen.out()::println);
            }
        }
    }

    /** Writes the tables into the page. */
    public void write(Path page) throws IOException {
        String text = Files.readString(page);
        text = Page.replace(text, "about", about());
        text = Page.replace(text, "targets", sheets.targets().markdown());
        text = Page.replace(text, "calls", markdown(sheets.groups()));
        Files.writeString(page, withOthers(text));
    }

    /** Writes the tables of what is no single call, as far as it was measured. */
    public void writeOthers(Path page) throws IOException {
        Files.writeString(page, withOthers(Files.readString(page)));
    }

    private String withOthers(String page) {
        String own = Machine.java();
        String newer = newerJava.orElse("another Java");
        String text = replaced(page, "load", sheets.load(), own + "; virtual threads on " + newer);
        text = replaced(text, "virtual", sheets.virtualCalls(), newer);
        text = replaced(text, "memory", sheets.retained(), own);
        text = replaced(text, "growth", sheets.growth(), own);
        return replaced(text, "lab", sheets.lab(), own);
    }

    /** Each says of when it is, because a part may be written alone. */
    private String replaced(String page, String part, Sheet sheet, String java) {
        if (sheet.isEmpty()) {
            return page;
        }
        List<String> lines = new ArrayList<>(sheet.markdown());
        lines.add("");
        lines.add("Of " + Machine.date() + (plan.quick() ? ", quick" : "") + ", on " + java + ".");
        return Page.replace(page, part, lines);
    }

    private static List<String> markdown(List<Sheet> sheets) {
        List<String> lines = new ArrayList<>();
        for (Sheet sheet : sheets) {
            if (!sheet.isEmpty()) {
                if (!lines.isEmpty()) {
                    lines.add("");
                }
                lines.addAll(sheet.markdown());
            }
        }
        return lines;
    }

    private List<String> about() {
        return List.of((plan.quick() ? "A quick run" : "A full run") + " of " + Machine.date() + " on " + Machine.java()
                + ", " + Machine.processor() + "; " + rounds()
                + newerJava.map(java -> "; what is on a newer Java, on " + java).orElse("") + ".");
    }

    private String rounds() {
        int most = figures.results().samples().values().stream()
                .mapToInt(Map::size)
                .max()
                .orElse(0);
        return most == 1 ? "one round" : most + " rounds at most";
    }

    /** Writes everything as JSON. */
    public void printJson(Screen screen, List<String> failures) {
        Json.print(screen, json -> {
            json.writeBooleanField("quick", plan.quick());
            json.writeStringField("date", Machine.date());
            json.writeStringField("java", Machine.java());
            if (newerJava.isPresent()) {
                json.writeStringField("newerJava", newerJava.get());
            }
            json.writeStringField("machine", Machine.processor());
            json.writeArrayFieldStart("failures");
            for (String failure : failures) {
                json.writeString(failure);
            }
            json.writeEndArray();
            writeTargets(json);
            writeCalls(json);
            writeOthers(json);
        });
    }

    private void writeTargets(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("targets");
        for (Target target : Targets.all()) {
            json.writeStartObject();
            json.writeStringField("what", target.what());
            json.writeStringField("unit", target.unit());
            json.writeNumberField(target.atMost() ? "atMost" : "atLeast", target.limit());
            json.writeStringField("verdict", target.verdict(figures).toString());
            var figure = target.in(figures);
            if (figure.isPresent()) {
                json.writeNumberField("value", figure.get().value());
                if (figure.get().isKnown()) {
                    json.writeNumberField("low", figure.get().low());
                    json.writeNumberField("high", figure.get().high());
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeCalls(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("calls");
        for (var cell : figures.results().samples().entrySet()) {
            for (var round : cell.getValue().entrySet()) {
                Sample sample = round.getValue();
                json.writeStartObject();
                json.writeStringField("contestant", cell.getKey().contestant());
                json.writeNumberField("threads", cell.getKey().threads());
                json.writeNumberField("round", round.getKey());
                json.writeNumberField("cpuNanos", sample.cpuNanos());
                json.writeNumberField("wallNanos", sample.wallNanos());
                json.writeNumberField("callsPerSecond", sample.callsPerNano() * 1e9);
                json.writeNumberField("bytes", sample.bytes());
                json.writeNumberField("clockNanos", sample.clockNanos());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void writeOthers(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("loads");
        for (var load : figures.others().loads().entrySet()) {
            for (Others.Runs runs : load.getValue()) {
                write(json, load.getKey(), "load", runs);
            }
        }
        for (var load : figures.others().fresh().entrySet()) {
            write(json, load.getKey(), "fresh exceptions", load.getValue());
        }
        for (var load : figures.others().virtual().entrySet()) {
            write(json, load.getKey(), "virtual threads", load.getValue());
        }
        json.writeEndArray();
        json.writeObjectFieldStart("virtualCallsPerSecond");
        for (var calls : figures.others().virtualCalls().entrySet()) {
            json.writeNumberField(calls.getKey(), calls.getValue());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("retained");
        for (var held : figures.others().retained().entrySet()) {
            json.writeObjectFieldStart(held.getKey());
            json.writeNumberField("bytesBefore", held.getValue().before());
            json.writeNumberField("bytesAfter", held.getValue().after());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeObjectFieldStart("growth");
        for (var growth : figures.others().growth().entrySet()) {
            json.writeObjectFieldStart(growth.getKey());
            for (var size : growth.getValue().entrySet()) {
                json.writeNumberField(size.getKey().toString(), size.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeArrayFieldStart("lab");
        for (var command : figures.others().lab().entrySet()) {
            for (Others.Throughput run : command.getValue()) {
                json.writeStartObject();
                json.writeStringField("command", command.getKey());
                json.writeNumberField("calls", run.calls());
                json.writeNumberField("seconds", run.seconds());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, String contestant, String kind, Others.Runs runs) throws IOException {
        json.writeStartObject();
        json.writeStringField("contestant", contestant);
        json.writeStringField("kind", kind);
        json.writeArrayFieldStart("nanos");
        for (long nanos : runs.nanos()) {
            json.writeNumber(nanos);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
