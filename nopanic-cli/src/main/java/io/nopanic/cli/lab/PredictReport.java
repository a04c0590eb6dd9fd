package io.nopanic.cli.lab;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Screen.Colour;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.predict.Conditions;
import io.nopanic.lab.predict.Estimate;
import io.nopanic.lab.predict.Interval;
import io.nopanic.lab.predict.Line;
import io.nopanic.lab.predict.Line.Topic;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.predict.Unit;
import io.nopanic.lab.predict.Worth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Shows a prediction. */
record PredictReport(Screen screen) {

    private static final double NANOS_PER_SECOND = 1e9;

    void print(Prediction prediction, boolean asJson) {
        if (asJson) {
            printJson(prediction);
            return;
        }
        screen.say("The breaker " + prediction.description() + ".");
        List<String> bounds = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            List<Line> lines = prediction.lines().stream()
                    .filter(line -> line.topic() == topic)
                    .toList();
            if (!lines.isEmpty()) {
                screen.out().println();
                screen.say(heading(topic, prediction.conditions()));
                Table table = new Table("", "", "");
                lines.forEach(line -> table.row(line.name(), value(line), worth(line, bounds)));
                table.lines().stream().skip(1).forEach(screen.out()::println);
            }
        }
        screen.out().println();
        for (int i = 0; i < bounds.size(); i++) {
            screen.say("[" + (i + 1) + "] " + bounds.get(i));
        }
        prediction.notes().forEach(note -> screen.say("Note: " + note + "."));
        if (!prediction.warnings().isEmpty()) {
            screen.out().println();
        }
        prediction
                .warnings()
                .forEach(warning -> screen.say(screen.paint(Colour.BAD, "Warning:") + " " + warning + "."));
    }

    private static String heading(Topic topic, Conditions conditions) {
        return switch (topic) {
            case HEALTHY ->
                "While " + Text.share(conditions.healthy()) + " of " + number(conditions.callsPerSecond())
                        + " calls per second fail:";
            case BAD -> "From when " + Text.share(conditions.bad()) + " of them fail:";
            case OUTAGE -> "In an outage of " + time(conditions.outageSeconds()) + ":";
            case HANGING ->
                "If calls hang until the timeout of "
                        + time(conditions.timeoutSeconds().orElse(0)) + ":";
            case BULKHEAD ->
                "Behind a bulkhead, if a call takes "
                        + time(conditions.latencySeconds().orElse(0)) + " on average:";
        };
    }

    // ---------------- values

    private static String value(Line line) {
        return value(line.unit(), line.estimate().value());
    }

    private static String value(Unit unit, double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return switch (unit) {
            case SECONDS -> time(value);
            case SHARE -> Text.share(value);
            case CALLS, COUNT -> number(value);
        };
    }

    private static String time(double seconds) {
        return seconds == 0 ? "0 s" : Text.time(seconds * NANOS_PER_SECOND);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9 ? Text.count((long) value) : Text.digits(value);
    }

    /** What the value is worth, in a word or by its interval, and where the bound stands. */
    private static String worth(Line line, List<String> bounds) {
        Estimate estimate = line.estimate();
        String bound = estimate.worth() == Worth.SIMULATED
                ? "simulated, " + estimate.bound() + "; in this interval with a certainty of 95 %"
                : estimate.bound();
        if (!bounds.contains(bound)) {
            bounds.add(bound);
        }
        String word = estimate.interval()
                .map(interval -> value(line.unit(), interval.low()) + " to " + value(line.unit(), interval.high()))
                .orElse(estimate.worth().name().toLowerCase(Locale.ROOT));
        return word + " [" + (bounds.indexOf(bound) + 1) + "]";
    }

    // ---------------- JSON

    private void printJson(Prediction prediction) {
        Json.print(screen, json -> {
            json.writeStringField("command", "predict");
            json.writeStringField("policy", prediction.policy());
            json.writeStringField("description", prediction.description());
            write(json, prediction.conditions());
            json.writeArrayFieldStart("lines");
            for (Line line : prediction.lines()) {
                write(json, line);
            }
            json.writeEndArray();
            writeTexts(json, "warnings", prediction.warnings());
            writeTexts(json, "notes", prediction.notes());
        });
    }

    private static void write(JsonGenerator json, Conditions conditions) throws IOException {
        json.writeObjectFieldStart("conditions");
        json.writeNumberField("callsPerSecond", conditions.callsPerSecond());
        json.writeNumberField("healthy", conditions.healthy());
        json.writeNumberField("bad", conditions.bad());
        writeNanos(json, "outageNanos", OptionalDouble.of(conditions.outageSeconds()));
        writeNanos(json, "upNanos", conditions.upSeconds());
        writeNanos(json, "latencyNanos", conditions.latencySeconds());
        writeNanos(json, "timeoutNanos", conditions.timeoutSeconds());
        writeNanos(json, "slowAfterNanos", conditions.slowAfterSeconds());
        if (conditions.failureCost().isPresent()) {
            json.writeNumberField("failureCost", conditions.failureCost().getAsDouble());
        }
        if (conditions.bulkhead().isPresent()) {
            json.writeNumberField("bulkhead", conditions.bulkhead().getAsInt());
        }
        json.writeEndObject();
    }

    private static void writeNanos(JsonGenerator json, String name, OptionalDouble seconds) throws IOException {
        if (seconds.isPresent()) {
            json.writeNumberField(name, Math.round(seconds.getAsDouble() * NANOS_PER_SECOND));
        }
    }

    private static void write(JsonGenerator json, Line line) throws IOException {
        double scale = line.unit() == Unit.SECONDS ? NANOS_PER_SECOND : 1;
        json.writeStartObject();
        json.writeStringField("topic", line.topic().name());
        json.writeStringField("key", line.key());
        json.writeStringField("name", line.name());
        writeNumber(json, "value", line.estimate().value() * scale);
        json.writeStringField(
                "unit",
                line.unit() == Unit.SECONDS ? "NANOSECONDS" : line.unit().name());
        json.writeStringField("worth", line.estimate().worth().name());
        json.writeStringField("bound", line.estimate().bound());
        if (line.estimate().interval().isPresent()) {
            Interval interval = line.estimate().interval().get();
            writeNumber(json, "low", interval.low() * scale);
            writeNumber(json, "high", interval.high() * scale);
        }
        json.writeEndObject();
    }

    /** JSON has no infinity: never is {@code null}. */
    static void writeNumber(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
