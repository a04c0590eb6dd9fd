package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Health;
import io.nopanic.lab.traffic.Incident;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.lab.traffic.Shape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A dependency that stops answering, and how long rules take to notice: those that wait for calls to end, and those that count calls in flight. */
final class HungDependency {

    private static final double PER_SECOND = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final List<String> POLICIES = List.of(
            "auto",
            "auto;slow-after=1s",
            "auto;slow-after-learned=10s",
            "time:30s,50,10,15s",
            "time:30s,50,10,15s;slow-after=1s",
            "count:100,50,100,60s",
            "count:100,50,100,60s;slow-after=1s");

    private final Screen screen;
    private final long seed;

    HungDependency(Screen screen, long seed) {
        this.screen = screen;
        this.seed = seed;
    }

    private ReplayResult replay() throws IOException, InterruptedException {
        Scenario scenario = new Scenario(
                "hang",
                seed,
                Duration.ofMinutes(4),
                new Scenario.Load(Arrivals.POISSON, PER_SECOND, new Latency(Duration.ofMillis(20), 0.5)),
                Health.independent(0),
                List.of(new Incident(
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Shape.HANG,
                        1,
                        Optional.of(new Latency(TIMEOUT, 0)),
                        Incident.Details.DEFAULT)));
        List<PolicySpec> specs = new ArrayList<>();
        for (String policy : POLICIES) {
            specs.add(PolicyParser.parse(policy));
        }
        return Replay.run(scenario.calls(), Survey.of(scenario), specs, done -> {});
    }

    void printJson() throws IOException, InterruptedException {
        ReplayResult result = replay();
        Json.print(screen, json -> {
            json.writeStringField("command", "simulate");
            json.writeNumberField("seed", seed);
            json.writeArrayFieldStart("hang");
            for (PolicyResult policy : result.policies()) {
                json.writeStartObject();
                json.writeStringField("policy", policy.spec().name());
                json.writeBooleanField("detected", policy.responses().isDetected(0));
                json.writeNumberField("delayNanos", policy.responses().delayNanos(0));
                json.writeNumberField("delayCalls", policy.responses().delayCalls(0));
                json.writeNumberField("stuck", policy.total().failuresSent());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    void print() throws IOException, InterruptedException {
        ReplayResult result = replay();
        screen.say("After a minute of well-being none of " + Text.digits(PER_SECOND)
                + " calls per second is answered any more, and"
                + " each ends by its timeout of " + Text.time(TIMEOUT.toNanos())
                + ". With slow-after=1s a call counts as slow while it"
                + " is still in flight; with slow-after-learned=10s the breaker finds out by itself what is slow. Seed "
                + seed + ".");
        screen.out().println();
        Table table = new Table("", "opens after", "calls stuck by then", "stuck in all");
        for (PolicyResult policy : result.policies()) {
            table.row(
                    policy.spec().name(),
                    policy.responses().isDetected(0)
                            ? Text.time(policy.responses().delayNanos(0))
                            : "never",
                    policy.responses().isDetected(0)
                            ? Text.count(policy.responses().delayCalls(0))
                            : "-",
                    Text.count(policy.total().failuresSent()));
        }
        table.lines().forEach(screen.out()::println);
    }
}
