package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Reaction;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Tally;
import io.nopanic.lab.report.Independence;
import io.nopanic.lab.setup.Plain;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What if: the policies below each other, what became of the calls beside each. */
final class SummaryTable {

    private final ReplayResult result;
    private final Lineup lineup;
    private final Independence independence;
    private final List<Column> columns;

    /**
     * One column.
     *
     * @param key its name for programs
     * @param value what is compared and, as it is, written into the page
     * @param text how people read it
     * @param less more about it, in lines of small print; may be empty
     * @param compared whether the least is marked as the best
     * @param needsTrips whether only a breaker that opened at all can be good at it
     */
    private record Column(
            String key,
            String heading,
            ToDoubleFunction<Lineup.Entrant> value,
            Function<Lineup.Entrant, String> text,
            Function<Lineup.Entrant, String> less,
            boolean compared,
            boolean needsTrips) {}

    SummaryTable(ReplayResult result, Lineup lineup, Independence independence) {
        this.result = result;
        this.lineup = lineup;
        this.independence = independence;
        columns = List.of(
                cost(), failuresSent(), wronglyRefused(), trips(), falseTrips(), delay(), missed(), recovery(), open());
    }

    void write(Markup markup) {
        markup.open("div", "class", "scroll", "tabindex", "0").open("table", "id", "what-if");
        Picture.caption(
                markup,
                "Each policy with the same calls. The best of a column is in bold with a dot; c is "
                        + Numbers.digits(lineup.ranking().cost())
                        + ". Formula: false trips a day if failures were independent of each other.");
        markup.open("thead").open("tr").element("th", "policy", "scope", "col");
        columns.forEach(column -> markup.element("th", column.heading, "scope", "col"));
        markup.close().close().line().open("tbody");
        lineup.entrants().forEach(entrant -> row(markup, entrant));
        markup.close().close().close().line();
    }

    private void row(Markup markup, Lineup.Entrant entrant) {
        markup.open("tr", "class", entrant.own() ? "own" : "", "data-policy", entrant.name());
        markup.open("th", "scope", "row")
                .element("span", entrant.tag(), "class", "letter")
                .text(" " + entrant.name());
        if (entrant.own()) {
            markup.element("small", "yours");
        }
        markup.close();
        for (Column column : columns) {
            double value = column.value.applyAsDouble(entrant);
            boolean best = isBest(column, entrant, value);
            markup.open("td", "class", best ? "best" : "", "data-" + column.key, Markup.exact(value));
            markup.text((best ? "\u25CF " : "") + column.text.apply(entrant));
            String less = column.less.apply(entrant);
            less.lines().forEach(line -> markup.element("small", line));
            markup.close();
        }
        markup.close().line();
    }

    /** Nobody is best where most are equal. */
    private boolean isBest(Column column, Lineup.Entrant entrant, double value) {
        if (!column.compared
                || Double.isNaN(value)
                || (column.needsTrips && entrant.result().total().trips() == 0)) {
            return false;
        }
        double[] rivals = lineup.entrants().stream()
                .filter(other -> !column.needsTrips || other.result().total().trips() > 0)
                .mapToDouble(column.value)
                .filter(other -> !Double.isNaN(other))
                .toArray();
        long better = Arrays.stream(rivals).filter(rival -> rival < value).count();
        long equal = Arrays.stream(rivals).filter(rival -> rival == value).count();
        return better == 0 && rivals.length > 1 && 2 * equal <= rivals.length;
    }

    // ---------------- columns

    private Column cost() {
        return new Column(
                "cost",
                "cost per 10,000 calls",
                entrant -> entrant.entry().cost(),
                entrant -> Numbers.digits(entrant.entry().cost()),
                entrant -> range(entrant.entry().interval()),
                lineup.ranking().isFounded(),
                false);
    }

    private static Column failuresSent() {
        return new Column(
                "failures-sent",
                "failures sent",
                entrant -> entrant.result().total().failuresSent(),
                entrant -> Numbers.count(entrant.result().total().failuresSent()),
                entrant -> Numbers.percent(
                                entrant.result().total().failuresSent(),
                                entrant.result().total().failures())
                        + " of all\n" + saved(entrant.result().total()),
                true,
                false);
    }

    private static String saved(Tally tally) {
        return tally.savedNanos() == 0
                ? Numbers.count(tally.saved()) + " saved"
                : Numbers.count(tally.saved()) + " saved,\n" + Numbers.time(tally.savedNanos()) + " stuck";
    }

    private static Column wronglyRefused() {
        return new Column(
                "wrongly-refused",
                "refused for nothing",
                entrant -> entrant.result().total().wronglyRefused(),
                entrant -> Numbers.count(entrant.result().total().wronglyRefused()),
                entrant -> Numbers.percent(
                                entrant.result().total().wronglyRefused(),
                                entrant.result().total().calls())
                        + " of calls",
                true,
                true);
    }

    private static Column trips() {
        return new Column(
                "trips",
                "trips",
                entrant -> entrant.result().total().trips(),
                entrant -> Numbers.count(entrant.result().total().trips()),
                entrant -> Plain.count(entrant.result().total().flaps(), "flap") + "\n" + probes(entrant),
                false,
                true);
    }

    private static String probes(Lineup.Entrant entrant) {
        long failed = entrant.result().total().probesFailed();
        long all = entrant.result().total().probesSucceeded() + failed;
        return all == 0 ? "" : Plain.count(all, "probe") + ",\n" + Numbers.count(failed) + " failed";
    }

    private Column falseTrips() {
        return new Column(
                "false-trips",
                "false trips",
                entrant -> entrant.result().total().falseTrips(),
                entrant -> Numbers.count(entrant.result().total().falseTrips()),
                this::falseTripsPerDay,
                true,
                true);
    }

    private String falseTripsPerDay(Lineup.Entrant entrant) {
        String counted = result.falseTripsPerDay(entrant.result())
                .map(perDay -> Numbers.rough(perDay.from()) + " to " + Numbers.rough(perDay.to()) + " a day")
                .orElse("");
        OptionalDouble formula = independence.falseTripsPerDay(entrant.result());
        return formula.isPresent() ? counted + "\nformula: " + Independence.perDay(formula.getAsDouble()) : counted;
    }

    private Column delay() {
        return new Column(
                "delay-nanos",
                "opens after (median)",
                entrant -> reaction(entrant).delayNanos().median(),
                entrant -> Numbers.time(reaction(entrant).delayNanos().median()),
                entrant -> reaction(entrant).delayCalls().count() == 0
                        ? ""
                        : Plain.count(Math.round(reaction(entrant).delayCalls().median()), "call")
                                + "\n9 in 10: "
                                + Numbers.time(reaction(entrant).delayNanos().p90()),
                true,
                true);
    }

    private Column missed() {
        return new Column(
                "missed",
                "incidents missed",
                entrant -> reaction(entrant).missed(),
                entrant -> Numbers.count(reaction(entrant).missed()),
                entrant -> "of " + Numbers.count(reaction(entrant).incidents()),
                true,
                true);
    }

    private Column recovery() {
        return new Column(
                "recovery-nanos",
                "closes after the end (median)",
                entrant -> reaction(entrant).recoveryNanos().median(),
                entrant -> Numbers.time(reaction(entrant).recoveryNanos().median()),
                entrant -> reaction(entrant).recoveryNanos().count() == 0
                        ? ""
                        : "9 in 10: "
                                + Numbers.time(reaction(entrant).recoveryNanos().p90()),
                true,
                true);
    }

    private Column open() {
        double all = (double) result.survey().whole().lengthNanos()
                * Math.max(1, result.keys().size());
        ToDoubleFunction<PolicyResult> share = policy -> policy.total().notClosedNanos() / Math.max(1, all);
        return new Column(
                "not-closed",
                "time not closed",
                entrant -> share.applyAsDouble(entrant.result()),
                entrant -> Numbers.percent(share.applyAsDouble(entrant.result())),
                entrant -> "",
                false,
                true);
    }

    private Reaction reaction(Lineup.Entrant entrant) {
        return result.reaction(entrant.result());
    }

    private static String range(Interval interval) {
        return Numbers.digits(interval.from()) + " to " + Numbers.digits(interval.to());
    }
}
