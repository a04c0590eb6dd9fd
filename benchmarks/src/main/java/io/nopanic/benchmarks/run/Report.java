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
        int most = figures.results().samples().most();
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
        for (var cell : figures.results().samples().keys()) {
            for (var round : figures.results().samples().byRound(cell).entrySet()) {
                Sample sample = round.getValue();
                json.writeStartObject();
                json.writeStringField("contestant", cell.contestant());
                json.writeNumberField("threads", cell.threads());
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
        writeRuns(json, "load", figures.others().loads());
        writeRuns(json, "fresh exceptions", figures.others().fresh());
        writeRuns(json, "virtual threads", figures.others().virtual());
        json.writeEndArray();
        json.writeArrayFieldStart("virtualCalls");
        for (String key : figures.others().virtualCalls().keys()) {
            for (var round : figures.others().virtualCalls().byRound(key).entrySet()) {
                begin(json, key, round.getKey());
                json.writeNumberField("callsPerSecond", round.getValue());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeObjectFieldStart("retained");
        for (var held : figures.others().retained().entrySet()) {
            json.writeObjectFieldStart(held.getKey());
            json.writeNumberField("bytesBefore", held.getValue().before());
            json.writeNumberField("bytesAfter", held.getValue().after());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeArrayFieldStart("growth");
        for (String key : figures.others().growth().keys()) {
            for (var round : figures.others().growth().byRound(key).entrySet()) {
                begin(json, key, round.getKey());
                json.writeObjectFieldStart("nanosByCalls");
                for (var size : round.getValue().entrySet()) {
                    json.writeNumberField(size.getKey().toString(), size.getValue());
                }
                json.writeEndObject();
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("lab");
        for (Others.LabCommand command : figures.others().lab().keys()) {
            for (var round : figures.others().lab().byRound(command).entrySet()) {
                begin(json, command.name(), round.getKey());
                json.writeNumberField("calls", command.calls());
                json.writeNumberField("seconds", round.getValue());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void begin(JsonGenerator json, String what, int round) throws IOException {
        json.writeStartObject();
        json.writeStringField("contestant", what);
        json.writeNumberField("round", round);
    }

    private static void writeRuns(JsonGenerator json, String kind, Rounds<String, Others.Runs> runs)
            throws IOException {
        for (String key : runs.keys()) {
            for (var round : runs.byRound(key).entrySet()) {
                begin(json, key, round.getKey());
                json.writeStringField("kind", kind);
                json.writeArrayFieldStart("nanos");
                for (long nanos : round.getValue().nanos()) {
                    json.writeNumber(nanos);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
        }
    }
}
