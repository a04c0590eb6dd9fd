package io.nopanic.cli.lab;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.predict.Comparison;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Shows the formulas beside the production breaker. */
record CheckReport(Screen screen, long seed, List<Comparison> comparisons) {

    boolean allHold() {
        return broken() == 0;
    }

    private long broken() {
        return comparisons.stream().filter(one -> !one.holds()).count();
    }

    void print() {
        Table table = new Table("", "formula", "simulated", "off by", "bound");
        for (Comparison one : comparisons) {
            table.row(
                    one.what(),
                    number(one.formula()),
                    number(one.simulated()),
                    off(one),
                    one.bound().text() + (one.holds() ? " ok" : " BROKEN"));
        }
        Iterator<String> lines = table.lines().iterator();
        screen.out().println(lines.next());
        String policy = "";
        for (Comparison one : comparisons) {
            if (!one.policy().equals(policy)) {
                policy = one.policy();
                screen.out().println(policy);
            }
            screen.out().println(lines.next());
        }
        screen.out().println();
        screen.say(
                allHold()
                        ? "All " + comparisons.size() + " bounds hold (seed " + seed + ")."
                        : broken() + " of " + comparisons.size() + " bounds are broken (seed " + seed + ").");
    }

    /** What is less than 1 is a share. */
    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return value < 1 ? Text.share(value) : Text.digits(value);
    }

    private static String off(Comparison one) {
        return Double.isInfinite(one.off()) ? "-" : String.format(Locale.ROOT, "%+.1f%%", 100 * one.off());
    }

    void printJson() {
        Json.print(screen, json -> {
            json.writeStringField("command", "predict");
            json.writeNumberField("seed", seed);
            json.writeBooleanField("allHold", allHold());
            json.writeArrayFieldStart("comparisons");
            for (Comparison one : comparisons) {
                write(json, one);
            }
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, Comparison one) throws IOException {
        json.writeStartObject();
        json.writeStringField("policy", one.policy());
        json.writeStringField("what", one.what());
        PredictReport.writeNumber(json, "formula", one.formula());
        json.writeStringField("bound", one.bound().text());
        PredictReport.writeNumber(json, "simulated", one.simulated());
        PredictReport.writeNumber(json, "low", one.interval().low());
        PredictReport.writeNumber(json, "high", one.interval().high());
        json.writeBooleanField("holds", one.holds());
        json.writeEndObject();
    }
}
