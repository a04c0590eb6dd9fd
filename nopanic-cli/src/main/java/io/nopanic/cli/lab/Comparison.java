package io.nopanic.cli.lab;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nopanic.cli.terminal.Json;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Mix;
import io.nopanic.lab.traffic.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The adaptive breaker, told what a failure costs, against what others do when nothing is set; wins and losses alike. */
final class Comparison {

    private static final List<Double> COSTS = List.of(0.1, 1.0, 10.0);
    private static final List<String> ADAPTIVE = List.of("auto:0.1", "auto:1", "auto:10");
    private static final List<String> DEFAULTS = List.of("hystrix", "r4j", "polly", "nopanic-py", "gobreaker");
    private static final List<Mix> SHAPES = List.of(Mix.PARTIAL, Mix.FLAPPING, Mix.BURSTS, Mix.LONG, Mix.RAMP);

    private final Screen screen;
    private final Progress progress;
    private final long seed;

    /** One lot of traffic. */
    record Lot(Mix mix, double perSecond, int days) {}

    Comparison(Screen screen, Progress progress, long seed) {
        this.screen = screen;
        this.progress = progress;
        this.seed = seed;
    }

    private static List<Lot> lots() {
        List<Lot> lots = new ArrayList<>(List.of(
                new Lot(Mix.STANDARD, 1, 60),
                new Lot(Mix.STANDARD, 10, 20),
                new Lot(Mix.STANDARD, 100, 10),
                new Lot(Mix.STANDARD, 1000, 2)));
        for (Mix shape : SHAPES) {
            lots.add(new Lot(shape, 10, 20));
            lots.add(new Lot(shape, 100, shape == Mix.LONG ? 12 : 4));
        }
        return lots;
    }

    /**
     * One line: what a lot of traffic cost with one failure cost.
     *
     * @param auto what the adaptive breaker cost
     * @param others what the others cost, by their names
     * @param best which of them was the best, how many times as much the adaptive one cost, and whether that is more than chance; with few incidents nothing of it
     */
    record Row(
            String traffic,
            double perSecond,
            int days,
            int incidents,
            double c,
            double auto,
            Map<String, Double> others,
            Optional<Best> best) {

        static Row of(Lot lot, ReplayResult result, double c, PolicyResult auto, List<PolicyResult> others) {
            PolicyResult best = others.stream()
                    .min(Comparator.comparingDouble(other -> other.total().incidentCost(c)))
                    .orElseThrow();
            Map<String, Double> costs = new LinkedHashMap<>();
            others.forEach(other -> costs.put(other.spec().name(), other.total().incidentCost(c)));
            return new Row(
                    lot.mix.toString(),
                    lot.perSecond,
                    lot.days,
                    result.survey().incidents().count(),
                    c,
                    auto.total().incidentCost(c),
                    costs,
                    Best.of(result, auto, best, c));
        }

        String markdown() {
            List<String> cells = new ArrayList<>(List.of(
                    traffic,
                    Text.count((long) perSecond),
                    String.valueOf(days),
                    Text.count(incidents),
                    Plain.number(c),
                    Text.digits(auto)));
            others.values().forEach(cost -> cells.add(Text.digits(cost)));
            cells.add(best.map(Best::name).orElse("-"));
            cells.add(best.map(each -> String.format(Locale.ROOT, "%.2f", each.ratio()))
                    .orElse("-"));
            cells.add(best.map(Best::differs).orElse("too few incidents"));
            return "| " + String.join(" | ", cells) + " |";
        }

        void write(JsonGenerator json) throws IOException {
            json.writeStartObject();
            json.writeStringField("traffic", traffic);
            json.writeNumberField("callsPerSecond", perSecond);
            json.writeNumberField("days", days);
            json.writeNumberField("incidents", incidents);
            json.writeNumberField("failureCost", c);
            json.writeObjectFieldStart("per10000CallsInIncidents");
            json.writeNumberField("auto", auto);
            for (Map.Entry<String, Double> other : others.entrySet()) {
                json.writeNumberField(other.getKey(), other.getValue());
            }
            json.writeEndObject();
            if (best.isPresent()) {
                json.writeStringField("bestOther", best.get().name());
                json.writeNumberField("ratio", best.get().ratio());
                json.writeStringField("differs", best.get().differs());
            }
            json.writeEndObject();
        }
    }

    /**
     * The best of the others.
     *
     * @param ratio how many times as much the adaptive one cost
     * @param differs whether that is more than chance makes of it: no, cheaper or dearer
     */
    record Best(String name, double ratio, String differs) {

        static Optional<Best> of(ReplayResult result, PolicyResult auto, PolicyResult best, double c) {
            return result.isFounded()
                    ? Optional.of(new Best(
                            best.spec().name(),
                            auto.total().incidentCost(c) / best.total().incidentCost(c),
                            verdict(result.incidentDifference(auto, best, c))))
                    : Optional.empty();
        }

        private static String verdict(Interval aboveBest) {
            if (aboveBest.contains(0)) {
                return "no";
            }
            return aboveBest.to() < 0 ? "cheaper" : "dearer";
        }
    }

    void print() throws IOException, InterruptedException {
        screen.say("Cost per 10,000 calls: calls refused for nothing, and c times the failures sent in incidents. Seed "
                + seed
                + ". \"auto\" is the adaptive breaker with its failure cost set to c; \"differs\" says whether its difference to the"
                + " best of the others is more than chance makes of it (95 %, bootstrap over incidents and hours).");
        screen.out().println();
        screen.out()
                .println("| traffic | calls/s | days | incidents | c | auto | " + String.join(" | ", DEFAULTS)
                        + " | best other | auto : best | differs |");
        screen.out().println("|---|" + "---:|".repeat(5 + DEFAULTS.size()) + "---|---:|---|");
        for (Lot lot : lots()) {
            rows(lot).forEach(row -> screen.out().println(row.markdown()));
        }
    }

    void printJson() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Lot lot : lots()) {
            rows.addAll(rows(lot));
        }
        Json.print(screen, json -> {
            json.writeStringField("command", "simulate");
            json.writeNumberField("seed", seed);
            json.writeArrayFieldStart("comparison");
            for (Row row : rows) {
                row.write(json);
            }
            json.writeEndArray();
        });
    }

    private List<Row> rows(Lot lot) throws IOException, InterruptedException {
        List<PolicySpec> specs = new ArrayList<>();
        for (String name : ADAPTIVE) {
            specs.add(PolicyParser.parse(name));
        }
        for (String name : DEFAULTS) {
            specs.add(PolicyParser.parse(name));
        }
        Scenario scenario = lot.mix.scenario(
                new Scenario.Load(Arrivals.POISSON, lot.perSecond, Latency.NONE), Duration.ofDays(lot.days), seed);
        ReplayResult result = Replay.runWithoutTimelines(
                scenario.calls(),
                Survey.of(scenario),
                specs,
                progress.share(lot.mix + " at " + Text.count((long) lot.perSecond) + " calls/s"));
        progress.clear();
        List<PolicyResult> others =
                result.policies().subList(ADAPTIVE.size(), result.policies().size());
        return IntStream.range(0, COSTS.size())
                .mapToObj(
                        i -> Row.of(lot, result, COSTS.get(i), result.policies().get(i), others))
                .toList();
    }
}
