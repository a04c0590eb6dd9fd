package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The keys with the most failures below each other, what each policy cost them beside each. */
final class KeyTable {

    private static final int MOST = 20;

    private final ReplayResult result;
    private final Lineup lineup;

    KeyTable(ReplayResult result, Lineup lineup) {
        this.result = result;
        this.lineup = lineup;
    }

    void write(Markup markup) {
        List<Tally> any = result.policies().get(0).byKey();
        markup.open("div", "class", "scroll", "tabindex", "0").open("table", "id", "keys");
        Picture.caption(
                markup,
                "Each key has a breaker of its own. The cost of each policy per 10,000 calls of the key, with c = "
                        + Numbers.digits(lineup.ranking().cost())
                        + (any.size() > MOST
                                ? "; the " + MOST + " with the most failures, of " + Numbers.count(any.size())
                                        + " keys, the others are in the JSON."
                                : "."));
        markup.open("thead").open("tr");
        List.of("key", "calls", "failed").forEach(heading -> markup.element("th", heading, "scope", "col"));
        for (Lineup.Entrant entrant : lineup.entrants()) {
            markup.open("th", "scope", "col")
                    .element("span", entrant.tag(), "class", "letter")
                    .text(" " + entrant.name())
                    .close();
        }
        markup.close().close().line().open("tbody");
        IntStream.range(0, any.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer key) -> -any.get(key).failures())
                        .thenComparingLong(key -> -any.get(key).calls()))
                .limit(MOST)
                .forEach(key -> row(markup, key, any.get(key)));
        markup.close().close().close().line();
    }

    private void row(Markup markup, int key, Tally tally) {
        double[] costs = lineup.entrants().stream()
                .mapToDouble(entrant ->
                        entrant.result().byKey().get(key).cost(lineup.ranking().cost()))
                .toArray();
        double least = IntStream.range(0, costs.length)
                .mapToDouble(i -> costs[i])
                .min()
                .orElse(0);
        boolean differ = IntStream.range(0, costs.length).anyMatch(i -> costs[i] > least);
        markup.open("tr", "data-key", result.keys().get(key));
        markup.element("th", result.keys().get(key), "scope", "row");
        markup.element("td", Numbers.count(tally.calls()));
        markup.element("td", Numbers.percent(tally.failures(), tally.calls()));
        for (double cost : costs) {
            boolean best = differ && cost == least;
            markup.element("td", (best ? "\u25CF " : "") + Numbers.digits(cost), "class", best ? "best" : "");
        }
        markup.close().line();
    }
}
