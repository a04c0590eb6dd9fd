package io.nopanic.lab.report.html;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.ReplayResult;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/** The pictures that help to choose: a policy, a window and a threshold, limits of time. */
final class SettingsSection {

    private final ReplayResult result;
    private final Lineup lineup;
    private final Traffic traffic;
    private final CallLog log;
    private final DoubleConsumer progress;

    SettingsSection(ReplayResult result, Lineup lineup, CallLog log, DoubleConsumer progress) {
        this.result = result;
        this.lineup = lineup;
        this.log = log;
        this.progress = progress;
        traffic = Traffic.of(result);
    }

    void write(Markup markup) {
        CostCurves costs = new CostCurves("cost-curves", lineup);
        LatencyTail latency = LatencyTail.of(result, lineup);
        markup.open("div", "class", "grid");
        if (costs.canDraw()) {
            figure(
                    markup,
                    "Which policy suits which cost",
                    costs::write,
                    "Cost as a multiple of the cheapest policy: where lines cross, another one is better."
                            + costs.note());
        }
        if (traffic.isKnown()) {
            toChoose(markup);
        }
        if (latency.canDraw()) {
            figure(
                    markup,
                    "How long calls take",
                    latency::write,
                    "Share of the calls that succeeded outside of incidents and took longer. The marks are what tune recommends for them, and what"
                            + " policies have set.");
        }
        markup.close();
        basis(
                markup,
                traffic.isKnown()
                        ? "What is by formula takes failures to be independent of each other, and goes by the log: "
                                + traffic.describe() + "."
                        : "There are no pictures by formula: the log has too few calls, or no failures, to say how often calls fail.");
        if (!latency.canDraw()) {
            basis(markup, "There is no picture of latencies: the log does not tell how long calls took.");
        }
    }

    private void toChoose(Markup markup) {
        WindowGrid grid = ReplayedGrid.of(result, lineup, log, progress)
                .orElseGet(() -> new FormulaGrid(traffic, result.keys().size()));
        WindowMap map = new WindowMap(lineup, traffic, grid);
        figure(
                markup,
                "Window and threshold",
                map::write,
                grid.sentence() + " " + grid.recommendation()
                        + " From the line upwards all are " + grid.limit().words + ". Hatched: " + grid.hatched()
                        + ". Letters: policies with a window; those of seconds at the calls they hold on average.");
        TradeOff tradeOff = new TradeOff(result, lineup, traffic);
        if (tradeOff.canDraw()) {
            figure(
                    markup,
                    "Soon, or only when needed",
                    tradeOff::write,
                    "Left and down is better. Lines: thresholds by formula, lowest at the label. Letters: the policies as replayed; at"
                            + " the left edge those without a false trip." + tradeOff.note());
        }
    }

    private static void basis(Markup markup, String text) {
        markup.element("p", text, "class", "basis");
    }

    /** A picture with a heading above it and words below. */
    static void figure(Markup markup, String heading, Consumer<Markup> picture, String caption) {
        markup.open("figure").element("h3", heading);
        picture.accept(markup);
        markup.element("figcaption", caption).close().line();
    }
}
