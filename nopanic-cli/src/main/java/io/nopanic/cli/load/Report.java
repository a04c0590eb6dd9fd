package io.nopanic.cli.load;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.time.Time;
import java.io.IOException;

/** Shows what was measured, to people as it comes and to programs at the end. */
final class Report {

    private final Screen screen;
    private final Plan plan;

    Report(Screen screen, Plan plan) {
        this.screen = screen;
        this.plan = plan;
    }

    void printPlan() {
        screen.say(Text.count(plan.threads()) + " threads make " + Text.count(plan.calls())
                + " calls each through one breaker; " + plan.failing() + " of the calls fail. The breaker "
                + describeBreaker() + ".");
        screen.say(
                "The calls do nothing: what is measured is the guard. The exception that the failing ones throw was made in"
                        + " advance and has no stack trace; the breaker counts it as a failure like any other.");
        screen.out().println();
    }

    private String describeBreaker() {
        return plan.breaker(Time.system()).describe();
    }

    void printLoads(Load.Result first, Load.Result second) {
        new Table("", "first run", "once more, warm")
                .row("time", Text.time(first.nanos()), Text.time(second.nanos()))
                .row("calls per second", callsPerSecond(first), callsPerSecond(second))
                .row(
                        "succeeded",
                        Text.count(first.tally().ok()),
                        Text.count(second.tally().ok()))
                .row(
                        "failed",
                        Text.count(first.tally().failed()),
                        Text.count(second.tally().failed()))
                .row(
                        "short-circuited",
                        Text.count(first.tally().shortCircuited()),
                        Text.count(second.tally().shortCircuited()))
                .row("the breaker is", state(first), state(second))
                .lines()
                .forEach(screen.out()::println);
        screen.out().println();
    }

    private String callsPerSecond(Load.Result result) {
        return Text.count(Math.round(result.callsPerSecond(plan)));
    }

    private static String state(Load.Result result) {
        return result.breaker().state().toString();
    }

    void printMemory(Memory memory) {
        screen.say("A breaker holds " + Text.bytes(memory.before()) + " when it is new, and "
                + Text.bytes(memory.after()) + " after a million calls, " + Text.count(memory.callsInWindow())
                + " of them in its window. (Measured: how much more of the heap is in use after a full collection with "
                + Memory.BREAKERS + " such breakers than without, divided by " + Memory.BREAKERS + ".)");
        screen.out().println();
    }

    void printNaive(Measured.Naive naive) {
        screen.say(
                "A naive breaker keeps a log of its calls and reads it whole when one fails. After a million calls it holds "
                        + Text.bytes(naive.bytes()) + ". The same calls through both, one thread:");
        screen.out().println();
        Table table = new Table("calls", "naive", "per call", "nopanic", "per call", "naive : nopanic");
        for (Growth.Step step : naive.steps()) {
            table.row(
                    Text.count(step.calls()),
                    Text.time(step.naiveNanos()),
                    Text.time((double) step.naiveNanos() / step.calls()),
                    Text.time(step.ourNanos()),
                    Text.time((double) step.ourNanos() / step.calls()),
                    Text.digits((double) step.naiveNanos() / step.ourNanos()) + " : 1");
        }
        table.lines().forEach(screen.out()::println);
        screen.out().println();
        screen.say(conclusion(naive.steps().get(naive.steps().size() - 1)));
    }

    private String conclusion(Growth.Step last) {
        if (plan.failingCalls() == 0) {
            return "No call failed, so the naive breaker never had to read its log.";
        }
        double times = (double) plan.totalCalls() / last.calls();
        return "Twice the calls, four times the time: the naive breaker would need "
                + Text.time(last.naiveNanos() * times * times) + " for the " + Text.count(plan.totalCalls())
                + " calls of the load (extrapolated, not measured).";
    }

    void printJson(Measured measured, boolean asExpected) {
        Json.print(screen, json -> {
            json.writeStringField("command", "load");
            json.writeBooleanField("asExpected", asExpected);
            json.writeNumberField("threads", plan.threads());
            json.writeNumberField("callsPerThread", plan.calls());
            json.writeStringField("failing", plan.failing().toString());
            json.writeStringField("policy", plan.policy().toString());
            json.writeStringField("breaker", describeBreaker());
            json.writeArrayFieldStart("runs");
            write(json, measured.first());
            write(json, measured.second());
            json.writeEndArray();
            write(json, measured.memory());
            if (measured.naive() != null) {
                write(json, measured.naive());
            }
        });
    }

    private void write(JsonGenerator json, Load.Result result) throws IOException {
        json.writeStartObject();
        json.writeNumberField("nanos", result.nanos());
        json.writeNumberField("callsPerSecond", Math.round(result.callsPerSecond(plan)));
        json.writeNumberField("ok", result.tally().ok());
        json.writeNumberField("failed", result.tally().failed());
        json.writeNumberField("shortCircuited", result.tally().shortCircuited());
        json.writeStringField("state", result.breaker().state().name());
        json.writeNumberField("callsInWindow", result.breaker().counts().calls());
        json.writeNumberField("failuresInWindow", result.breaker().counts().failures());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Memory memory) throws IOException {
        json.writeObjectFieldStart("memory");
        json.writeNumberField("bytesBefore", memory.before());
        json.writeNumberField("bytesAfter", memory.after());
        json.writeNumberField("calls", Memory.CALLS);
        json.writeNumberField("callsInWindow", memory.callsInWindow());
        json.writeStringField(
                "measured",
                "heap in use after a full collection, difference over " + Memory.BREAKERS + " breakers, divided by it");
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Measured.Naive naive) throws IOException {
        json.writeObjectFieldStart("naive");
        json.writeNumberField("bytesAfter", naive.bytes());
        json.writeArrayFieldStart("growth");
        for (Growth.Step step : naive.steps()) {
            json.writeStartObject();
            json.writeNumberField("calls", step.calls());
            json.writeNumberField("naiveNanos", step.naiveNanos());
            json.writeNumberField("nopanicNanos", step.ourNanos());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
