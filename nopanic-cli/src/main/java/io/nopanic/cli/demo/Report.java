package io.nopanic.cli.demo;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.ToIntFunction;

/** Shows a {@link Lesson}, to people and to programs. */
final class Report {

    private final Screen screen;
    private final Lesson lesson;

    Report(Screen screen, Lesson lesson) {
        this.screen = screen;
        this.lesson = lesson;
    }

    void print() {
        PrintWriter out = screen.out();
        Timeline timeline = new Timeline(screen, List.of(lesson.without(), lesson.with()));
        out.println(timeline.legendOfCalls());
        out.println();
        out.println("Without a breaker");
        out.println(timeline.scale());
        out.println(timeline.calls(lesson.without()));
        out.println();
        out.println("With a breaker");
        out.println(timeline.scale());
        out.println(timeline.calls(lesson.with()));
        out.println(timeline.states(lesson.with()));
        out.println(timeline.legendOfStates());
        out.println();
        table().lines().forEach(out::println);
        out.println();
        screen.say(conclusion());
    }

    private Table table() {
        Table table = new Table("", "without", "with a breaker");
        table.row(
                "total time",
                Text.time(lesson.without().totalNanos()),
                Text.time(lesson.with().totalNanos()));
        table.row(
                "of this the caller waited",
                Text.time(lesson.without().waitedNanos()),
                Text.time(lesson.with().waitedNanos()));
        count(table, "calls that reached the server", Run::reached);
        count(table, "calls that succeeded", run -> run.count(MadeCall.Outcome.OK));
        count(table, "calls that failed", run -> run.count(MadeCall.Outcome.FAILED));
        count(table, "calls that were short-circuited", run -> run.count(MadeCall.Outcome.SHORT_CIRCUITED));
        return table;
    }

    private void count(Table table, String what, ToIntFunction<Run> counter) {
        table.row(
                what,
                String.valueOf(counter.applyAsInt(lesson.without())),
                String.valueOf(counter.applyAsInt(lesson.with())));
    }

    private String conclusion() {
        Run with = lesson.with();
        return Script.CONSECUTIVE_FAILURES + " failures in a row opened the breaker for " + Script.OPEN_TIME.toMillis()
                + " ms, and each probe that failed opened it again. While it was open the server was left alone, and callers had"
                + " an answer after " + Text.time(with.medianNanos(MadeCall.Outcome.SHORT_CIRCUITED))
                + " instead of a failure after " + Text.time(with.medianNanos(MadeCall.Outcome.FAILED))
                + " (medians).";
    }

    void printJson() {
        Json.print(screen, json -> {
            json.writeStringField("command", "demo");
            json.writeBooleanField("asExpected", lesson.holds());
            json.writeNumberField("beatNanos", Script.BEAT.toNanos());
            json.writeNumberField("consecutiveFailures", Script.CONSECUTIVE_FAILURES);
            json.writeNumberField("openNanos", Script.OPEN_TIME.toNanos());
            write(json, "withoutBreaker", lesson.without());
            write(json, "withBreaker", lesson.with());
        });
    }

    private static void write(JsonGenerator json, String name, Run run) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("totalNanos", run.totalNanos());
        json.writeNumberField("waitedNanos", run.waitedNanos());
        json.writeNumberField("reached", run.reached());
        json.writeNumberField("ok", run.count(MadeCall.Outcome.OK));
        json.writeNumberField("failed", run.count(MadeCall.Outcome.FAILED));
        json.writeNumberField("shortCircuited", run.count(MadeCall.Outcome.SHORT_CIRCUITED));
        json.writeArrayFieldStart("calls");
        for (MadeCall call : run.calls()) {
            json.writeStartObject();
            json.writeStringField("outcome", name(call.outcome()));
            json.writeNumberField("startNanos", call.startNanos());
            json.writeNumberField("endNanos", call.endNanos());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("stateChanges");
        for (Run.Change change : run.changes()) {
            json.writeStartObject();
            json.writeNumberField("atNanos", change.atNanos());
            json.writeStringField("to", change.to().name());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String name(MadeCall.Outcome outcome) {
        return switch (outcome) {
            case OK -> "ok";
            case FAILED -> "failed";
            case SHORT_CIRCUITED -> "shortCircuited";
        };
    }
}
