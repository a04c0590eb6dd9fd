package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
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
import java.util.List;
import java.util.Locale;

/** The adaptive breaker, told what a failure costs, against what others do when nothing is set; as a Markdown table, wins and losses alike. */
final class Comparison {

    private static final List<Double> COSTS = List.of(0.1, 1.0, 10.0);
    private static final List<String> ADAPTIVE = List.of("auto:0.1", "auto:1", "auto:10");
    private static final List<String> DEFAULTS = List.of("hystrix", "r4j", "polly", "nopanic-py", "gobreaker");
    private static final List<Mix> SHAPES = List.of(Mix.PARTIAL, Mix.FLAPPING, Mix.BURSTS, Mix.LONG, Mix.RAMP);

    private final Screen screen;
    private final Progress progress;
    private final long seed;

    /** One lot of traffic. */
    private record Lot(Mix mix, double perSecond, int days) {}

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
        List<PolicySpec> specs = new ArrayList<>();
        for (String name : ADAPTIVE) {
            specs.add(PolicyParser.parse(name));
        }
        for (String name : DEFAULTS) {
            specs.add(PolicyParser.parse(name));
        }
        for (Lot lot : lots()) {
            print(lot, specs);
        }
    }

    private void print(Lot lot, List<PolicySpec> specs) throws InterruptedException {
        Scenario scenario = lot.mix.scenario(
                new Scenario.Load(Arrivals.POISSON, lot.perSecond, Latency.NONE), Duration.ofDays(lot.days), seed);
        ReplayResult result = Replay.run(
                scenario.calls(),
                Survey.of(scenario),
                specs,
                done -> progress.show(lot.mix + " at " + Text.count((long) lot.perSecond) + " calls/s ... "
                        + Math.round(100 * done) + " %"));
        progress.clear();
        for (int i = 0; i < COSTS.size(); i++) {
            print(lot, result, COSTS.get(i), result.policies().get(i));
        }
    }

    private void print(Lot lot, ReplayResult result, double c, PolicyResult auto) {
        List<PolicyResult> others =
                result.policies().subList(ADAPTIVE.size(), result.policies().size());
        PolicyResult best = others.stream()
                .min(Comparator.comparingDouble(other -> other.total().incidentCost(c)))
                .orElseThrow();
        StringBuilder row = new StringBuilder();
        row.append("| ").append(lot.mix);
        cell(row, Text.count((long) lot.perSecond));
        cell(row, String.valueOf(lot.days));
        cell(row, Text.count(result.survey().incidents().count()));
        cell(row, c < 1 ? String.valueOf(c) : String.valueOf((long) c));
        cell(row, Text.digits(auto.total().incidentCost(c)));
        others.forEach(other -> cell(row, Text.digits(other.total().incidentCost(c))));
        ranked(result, auto, best, c).forEach(each -> cell(row, each));
        screen.out().println(row.append(" |"));
    }

    /** Which of the others is the best, how far from it the adaptive one is, and whether that says anything; with few incidents nothing of it does. */
    static List<String> ranked(ReplayResult result, PolicyResult auto, PolicyResult best, double c) {
        if (!result.isFounded()) {
            return List.of("-", "-", "too few incidents");
        }
        return List.of(
                best.spec().name(),
                String.format(
                        Locale.ROOT,
                        "%.2f",
                        auto.total().incidentCost(c) / best.total().incidentCost(c)),
                verdict(result.incidentDifference(auto, best, c)));
    }

    private static void cell(StringBuilder row, String text) {
        row.append(" | ").append(text);
    }

    private static String verdict(Interval aboveBest) {
        if (aboveBest.contains(0)) {
            return "no";
        }
        return aboveBest.to() < 0 ? "cheaper" : "dearer";
    }
}
