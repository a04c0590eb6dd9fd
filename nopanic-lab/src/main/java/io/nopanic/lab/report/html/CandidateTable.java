package io.nopanic.lab.report.html;

import io.nopanic.lab.predict.Line;
import io.nopanic.lab.replay.Interval;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.report.ExpectedTime;
import io.nopanic.lab.report.TuneWords;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.BreakerChoice;
import io.nopanic.lab.tune.BreakerChoice.Contender;
import io.nopanic.lab.tune.Candidate;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Snippet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The breakers that one was chosen from, the simplest kind first: what each cost, and why it is or is not the one. */
final class CandidateTable {

    private static final double SECOND_NANOS = 1e9;

    private final KeyTuning key;
    private final BreakerChoice choice;
    private final String place;
    private final Lineup lineup;

    CandidateTable(KeyTuning key, String place) {
        this.key = key;
        this.place = place;
        choice = key.breaker();
        List<Lineup.Entrant> entrants = new ArrayList<>();
        for (Candidate candidate : key.candidates()) {
            entrants.add(new Lineup.Entrant(
                    Lineup.tag(entrants.size()),
                    candidate.result(),
                    candidate.entry(),
                    candidate.current(),
                    candidate.result().spec() == choice.spec()));
        }
        lineup = new Lineup(
                new Ranking(
                        choice.failureCost(),
                        key.candidates().stream().map(Candidate::entry).toList(),
                        choice.selection().incidents()),
                List.copyOf(entrants));
    }

    /** All that are spoken of, each with its letter. */
    Lineup lineup() {
        return lineup;
    }

    /** What to take, in a sentence. */
    String verdict() {
        String set = "Set a breaker with " + String.join(", ", Snippet.properties(key)) + ": ";
        String seen = Plain.count(choice.selection().incidents(), "incident");
        if (!choice.selection().isFounded()) {
            return set + "the adaptive one, told what a failure costs, for with " + seen
                    + " in this log it is chance which was the cheapest.";
        }
        return set + "over " + seen + " it would have cost " + cost(Lineup.Entrant::first)
                + " per 10,000 calls, where none would have cost "
                + cost(entrant -> !entrant.isBreaker())
                + lineup.entrants().stream()
                        .filter(entrant -> entrant.own() && !entrant.first())
                        .map(entrant -> " and yours " + cost(entrant::equals))
                        .findFirst()
                        .orElse("")
                + ", failures outside of incidents apart. That is told afterwards: what the choice is worth is judged unseen, below.";
    }

    private String cost(Predicate<Lineup.Entrant> which) {
        return lineup.entrants().stream()
                .filter(which)
                .map(entrant -> Plain.rounded(incidentCost(entrant)))
                .findFirst()
                .orElseThrow();
    }

    private double incidentCost(Lineup.Entrant entrant) {
        return entrant.result().total().incidentCost(choice.failureCost());
    }

    /** The letter of a policy and its name. */
    static void tag(Markup markup, Lineup lineup, String name) {
        lineup.entrants().stream()
                .filter(entrant -> entrant.name().equals(name))
                .findFirst()
                .ifPresent(entrant -> markup.element("span", entrant.tag(), "class", "letter"));
        markup.text(" " + name);
    }

    void write(Markup markup) {
        boolean founded = choice.selection().isFounded();
        String costs = "Costs are per 10,000 calls: calls refused for nothing, and "
                + Plain.number(choice.failureCost()) + " for each failure sent.";
        if (founded) {
            costs += " In small print, where that lies for logs with as many incidents, with 95 % confidence. ";
            Page.table(markup, "candidates" + place, costs + TuneWords.COLUMNS);
            Page.headings(markup, "words", "the best of each kind");
            Page.headings(markup, "", "cost in incidents", "cost", "judged unseen", "above the best");
            Page.headings(markup, "words", "verdict");
        } else {
            Page.table(markup, "candidates" + place, costs);
            Page.headings(markup, "words", "breaker");
            Page.headings(markup, "", "cost in incidents", "cost");
        }
        Page.rows(markup);
        for (int i = 0; i < key.candidates().size(); i++) {
            row(markup, key.candidates().get(i), lineup.entrants().get(i));
        }
        Page.endTable(markup);
        if (!key.predictions().isEmpty()) {
            predictions(markup);
        }
    }

    private void row(Markup markup, Candidate candidate, Lineup.Entrant entrant) {
        Optional<Contender> contender = choice.contenders().stream()
                .filter(each -> each.judged().policy() == candidate.entry().policy())
                .findFirst();
        boolean founded = choice.selection().isFounded();
        boolean needed = contender.isPresent() || entrant.isMarked() || !entrant.isBreaker();
        if (!needed) {
            return;
        }
        markup.open("tr", "class", entrant.first() ? "own" : "", "data-policy", entrant.name());
        markup.open("th", "scope", "row")
                .element("span", entrant.tag(), "class", "letter")
                .text(" " + entrant.name());
        String kind = candidate.current()
                ? "yours"
                : contender.map(each -> each.family().toString()).orElse("");
        if (!kind.isEmpty()) {
            markup.element("small", kind);
        }
        markup.close();
        double cost = incidentCost(entrant);
        markup.element("td", Numbers.digits(cost), "data-incident-cost", Markup.exact(cost));
        Interval interval = candidate.entry().interval();
        markup.open("td", "data-cost", Markup.exact(candidate.entry().cost()))
                .text(Numbers.digits(candidate.entry().cost()));
        if (founded) {
            markup.element("small", Numbers.digits(interval.from()) + " to " + Numbers.digits(interval.to()));
        }
        markup.close();
        if (founded) {
            judged(markup, contender, entrant);
        }
        markup.close().line();
    }

    private static void judged(Markup markup, Optional<Contender> contender, Lineup.Entrant entrant) {
        if (contender.isEmpty()) {
            for (String style : List.of("quiet", "quiet", "quiet words")) {
                markup.element("td", Numbers.NOTHING, "class", style);
            }
            return;
        }
        double above = contender.get().judged().aboveBest();
        markup.element("td", Numbers.digits(contender.get().judged().leftOutCost()));
        markup.element(
                "td",
                Numbers.digits(above)
                        + (above == 0
                                ? ""
                                : " \u00b1 "
                                        + Numbers.digits(
                                                contender.get().judged().standardError())));
        String word = entrant.first()
                ? "\u25CF recommended: the simplest within one standard error"
                : above == 0
                        ? "the cheapest, by less than a standard error"
                        : contender.get().judged().isAsGood()
                                ? "as good, but less simple"
                                : "dearer by more than a standard error";
        markup.element("td", word, "class", entrant.first() ? "best words" : "words");
    }

    /** Where there were too few incidents to tell it from the log. */
    private void predictions(Markup markup) {
        markup.element("p", TuneWords.formulas(key.predictions()));
        List<String> headings = new ArrayList<>(List.of("on average"));
        key.predictions().forEach(prediction -> headings.add(prediction.policy()));
        Page.table(markup, "expected" + place, "");
        Page.headings(markup, "", headings.toArray(new String[0]));
        Page.rows(markup);
        for (ExpectedTime time : ExpectedTime.of(key.predictions())) {
            markup.open("tr").element("th", time.name(), "scope", "row");
            time.lines()
                    .forEach(line ->
                            markup.element("td", line.map(CandidateTable::text).orElse(Numbers.NOTHING)));
            markup.close().line();
        }
        Page.endTable(markup);
    }

    private static String text(Line line) {
        double seconds = line.estimate().value();
        return Double.isFinite(seconds) ? Numbers.time(seconds * SECOND_NANOS) : "never";
    }
}
