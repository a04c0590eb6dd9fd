package io.nopanic.cli.lab;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Table;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Reaction;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Tally;
import io.nopanic.lab.report.Caveats;
import io.nopanic.lab.report.Incidents;
import io.nopanic.lab.report.Independence;
import io.nopanic.lab.report.Verdict;
import io.nopanic.lab.setup.Plain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Writes the result of a replay as tables. */
final class ReplayText {

    private static final double[] COSTS = {0.1, 1, 10};
    private static final int MOST_KEYS = 10;
    private static final int MOST_INCIDENTS = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final double PERCENT = 100;
    private static final double PER_CALLS = 10_000;

    private final Screen screen;
    private final ReplayResult result;
    private final double cost;
    private final Independence independence;

    ReplayText(Screen screen, ReplayResult result, double cost) {
        this.screen = screen;
        this.result = result;
        this.cost = cost;
        independence = new Independence(result);
    }

    void print() {
        facts();
        incidents();
        calls();
        saved();
        costs();
        trips();
        reactions();
        if (result.keys().size() > 1) {
            keys();
        }
        Verdict.of(result, result.ranking(cost)).forEach(this::paragraph);
        Caveats.of(result, independence).forEach(this::paragraph);
    }

    private void paragraph(String text) {
        screen.say(text);
        screen.out().println();
    }

    private void facts() {
        LogFacts facts = result.facts();
        long lengthNanos = result.survey().whole().lengthNanos();
        paragraph(Text.of(facts.calls(), "call")
                + (lengthNanos < SECOND_NANOS ? " within a second" : " in " + Text.time(lengthNanos)) + ", "
                + Text.count(facts.failures())
                + " of them failed ("
                + percent(facts.failures(), facts.calls()) + ")"
                + (facts.slowAfterNanos().isPresent() ? ", " + Text.count(facts.slow()) + " of them by being slow" : "")
                + (facts.incidents().isEmpty()
                        ? "; there were no incidents."
                        : ", " + Text.count(failuresInIncidents())
                                + (facts.slowAfterNanos().isPresent() ? " of all failures in " : " of these in ")
                                + Incidents.count(result) + "."));
    }

    /** The worst ones; those of a simulation are known to whoever made them up. */
    private void incidents() {
        LogFacts facts = result.facts();
        if (result.survey().known() || facts.incidents().isEmpty()) {
            return;
        }
        boolean several = result.keys().size() > 1;
        boolean slowOnes = facts.slowAfterNanos().isPresent();
        List<String> headings = new ArrayList<>(List.of(
                facts.incidents().size() > MOST_INCIDENTS ? "worst incidents (UTC)" : "incidents (UTC)",
                "lasted",
                "calls"));
        headings.add(slowOnes ? "failed or slow" : "failed");
        headings.add("timeouts");
        if (slowOnes) {
            headings.add("slow");
        }
        if (several) {
            headings.add("key");
        }
        Table table = new Table(headings.toArray(new String[0]));
        for (int i : facts.worstIncidents(MOST_INCIDENTS)) {
            LogFacts.IncidentFacts incident = facts.incidents().get(i);
            List<String> row = new ArrayList<>(List.of(
                    Text.moment(incident.span().startNanos()),
                    Text.time(incident.span().lengthNanos()),
                    Text.count(incident.calls()),
                    percent(incident.failures(), incident.judged()),
                    percent(incident.timeouts(), incident.judged())));
            if (slowOnes) {
                row.add(percent(incident.slow(), incident.judged()));
            }
            if (several) {
                row.add(result.keys().get(incident.key()));
            }
            table.row(row.toArray(new String[0]));
        }
        print(table);
    }

    private long failuresInIncidents() {
        return result.facts().incidents().stream()
                .mapToLong(LogFacts.IncidentFacts::failures)
                .sum();
    }

    private void calls() {
        Table table = new Table("calls", "sent", "refused", "wrongly refused", "failures sent");
        for (PolicyResult policy : result.policies()) {
            Tally tally = policy.total();
            table.row(
                    policy.spec().name(),
                    Text.count(tally.sent()),
                    percent(tally.refused(), tally.calls()),
                    percent(tally.wronglyRefused(), tally.calls()),
                    Text.count(tally.failuresSent()));
        }
        print(table);
    }

    private void saved() {
        long inIncidents = failuresInIncidents();
        long allNanos = result.survey().whole().lengthNanos() * result.keys().size();
        Table table =
                new Table("saved", "failures", "of those in incidents", "stuck for", "not closed for", "of the time");
        for (PolicyResult policy : result.policies()) {
            Tally tally = policy.total();
            table.row(
                    policy.spec().name(),
                    Text.count(tally.saved()),
                    percent(inIncidents - tally.incidentFailuresSent(), inIncidents),
                    span(tally.savedNanos()),
                    span(tally.notClosedNanos()),
                    percent(tally.notClosedNanos(), allNanos));
        }
        print(table);
    }

    private static String span(long nanos) {
        return nanos == 0 ? "-" : Text.time(nanos);
    }

    private void costs() {
        List<Double> costs = DoubleStream.concat(DoubleStream.of(COSTS), DoubleStream.of(cost))
                .distinct()
                .sorted()
                .boxed()
                .toList();
        List<String> headings = new ArrayList<>(List.of("cost per 10,000 calls"));
        costs.forEach(c -> headings.add("c = " + Plain.number(c)));
        Table table = new Table(headings.toArray(new String[0]));
        for (PolicyResult policy : result.policies()) {
            List<String> row = new ArrayList<>(List.of(policy.spec().name()));
            costs.forEach(c -> row.add(Text.digits(policy.total().cost(c))));
            table.row(row.toArray(new String[0]));
        }
        print(table);
        LogFacts facts = result.facts();
        paragraph(
                "Cost: calls refused for nothing, and c times the failures sent. "
                        + Text.digits(
                                PER_CALLS * (facts.failures() - failuresInIncidents()) / Math.max(1, facts.calls()))
                        + " failures per 10,000 calls are outside of incidents: nearly all of them are in every line, and hardly any could be avoided by a breaker.");
    }

    private void trips() {
        Table table = new Table("trips", "all", "false", "a day (95 %)", "formula", "flaps", "probes ok/failed");
        for (PolicyResult policy : result.policies()) {
            Tally tally = policy.total();
            OptionalDouble formula = independence.falseTripsPerDay(policy);
            table.row(
                    policy.spec().name(),
                    Text.count(tally.trips()),
                    Text.count(tally.falseTrips()),
                    result.falseTripsPerDay(policy)
                            .map(perDay -> Text.digits(perDay.from()) + " - " + Text.digits(perDay.to()))
                            .orElse("-"),
                    formula.isPresent() ? Independence.perDay(formula.getAsDouble()) : "-",
                    Text.count(tally.flaps()),
                    Text.count(tally.probesSucceeded()) + "/" + Text.count(tally.probesFailed()));
        }
        print(table);
        paragraph("\"a day\": how many false trips"
                + (result.tellsDays() ? "" : "; less than an hour is too short to say")
                + ". \"formula\": as many if failures were independent of each other; - where no formula can say.");
    }

    private void reactions() {
        if (result.facts().incidents().isEmpty()) {
            return;
        }
        Table table = new Table("incidents", "detected", "open", "missed", "after calls", "after", "closed again");
        for (PolicyResult policy : result.policies()) {
            Reaction reaction = result.reaction(policy);
            table.row(
                    policy.spec().name(),
                    Text.count(reaction.detected()),
                    Text.count(reaction.alreadyOpen()),
                    Text.count(reaction.missed()),
                    quantiles(reaction.delayCalls(), calls -> Text.count(Math.round(calls))),
                    quantiles(reaction.delayNanos(), Text::time),
                    quantiles(reaction.recoveryNanos(), Text::time));
        }
        print(table);
        paragraph(
                "Of the incidents with calls. \"open\": was not closed when it began. \"after\": from its beginning until the breaker opened,"
                        + " \"closed again\": from its end until it closed; the median, and in brackets what nine in ten are not above.");
    }

    private static String quantiles(Reaction.Quantiles quantiles, DoubleFunction<String> text) {
        return quantiles.count() == 0 ? "-" : text.apply(quantiles.median()) + " (" + text.apply(quantiles.p90()) + ")";
    }

    private void keys() {
        List<Tally> first = result.policies().get(0).byKey();
        int[] busiest = IntStream.range(0, first.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer key) -> -first.get(key).calls()))
                .limit(MOST_KEYS)
                .mapToInt(Integer::intValue)
                .toArray();
        table("trips by key", busiest, (tally, key) -> Text.count(tally.trips()));
        table("wrongly refused by key", busiest, (tally, key) -> percent(tally.wronglyRefused(), tally.calls()));
        table("failures sent by key", busiest, (tally, key) -> Text.count(tally.failuresSent()));
        if (busiest.length < first.size()) {
            paragraph((first.size() - busiest.length) + " more keys are in the JSON.");
        }
    }

    private void table(String heading, int[] keys, BiFunction<Tally, Integer, String> cell) {
        String[] headings = new String[result.policies().size() + 2];
        headings[0] = heading;
        headings[1] = "calls";
        for (int i = 0; i < result.policies().size(); i++) {
            headings[i + 2] = result.policies().get(i).spec().name();
        }
        Table table = new Table(headings);
        for (int key : keys) {
            String[] row = new String[headings.length];
            row[0] = result.keys().get(key);
            row[1] = Text.count(result.policies().get(0).byKey().get(key).calls());
            for (int i = 0; i < result.policies().size(); i++) {
                row[i + 2] = cell.apply(result.policies().get(i).byKey().get(key), key);
            }
            table.row(row);
        }
        print(table);
    }

    private void print(Table table) {
        table.lines().forEach(screen.out()::println);
        screen.out().println();
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : Text.digits(PERCENT * part / whole) + " %";
    }
}
