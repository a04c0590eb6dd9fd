package io.nopanic.lab.report.html;

import io.nopanic.lab.report.RecommendedValue;
import io.nopanic.lab.report.TuneWords;
import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.BreakerChoice;
import io.nopanic.lab.tune.Certainty;
import io.nopanic.lab.tune.FailureCost;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.Snippet;
import io.nopanic.lab.tune.Tuning;
import java.util.List;
import java.util.Map;

/** What is recommended for the calls of a log as one page of HTML, which loads nothing else and is complete without a script. */
public final class TuneReport {

    private final HtmlReport.About about;
    private final Tuning tuning;
    private final Markup markup;

    private TuneReport(HtmlReport.About about, Tuning tuning) {
        this.about = about;
        this.tuning = tuning;
        markup = Page.begin(about.title());
    }

    /** The page, as text. */
    public static String of(HtmlReport.About about, Tuning tuning) {
        return new TuneReport(about, tuning).page();
    }

    private String page() {
        markup.open("header").element("p", "nopanic \u00b7 what to set", "class", "over");
        markup.element("h1", about.title());
        markup.element("p", "Recommended from recorded calls, " + cost() + ".", "class", "facts");
        markup.close().line().open("main").line();
        if (tuning.keys().size() > 1) {
            keys();
        }
        for (int i = 0; i < tuning.keys().size(); i++) {
            key(tuning.keys().get(i), "-" + (i + 1));
        }
        caveats();
        markup.close().line();
        return Page.end(
                markup,
                "Made by nopanic. The breakers that were compared are those that run in production.",
                "tune.js");
    }

    private String cost() {
        return TuneWords.ifOneFailureCosts(tuning.wishes().failureCost());
    }

    private void keys() {
        Page.section(markup, "keys-section", "Keys");
        Page.table(
                markup, "keys", "Each key has a breaker of its own. " + String.join(" ", TuneWords.otherKeys(tuning)));
        Page.headings(markup, "", "key", "calls", "incidents", "timeout", "bulkhead");
        Page.headings(markup, "words", "breaker");
        Page.rows(markup);
        for (int i = 0; i < tuning.keys().size(); i++) {
            KeyTuning key = tuning.keys().get(i);
            markup.open("tr").open("th", "scope", "row").element("a", key.key(), "href", "#key-" + (i + 1));
            markup.close();
            markup.element("td", Numbers.count(key.facts().calls()));
            markup.element("td", Numbers.count(key.facts().incidents().size()));
            markup.element("td", key.timeout().value().map(Durations::text).orElse(Numbers.NOTHING));
            markup.element("td", key.bulkhead().value().map(String::valueOf).orElse(Numbers.NOTHING));
            markup.element("td", key.breaker().spec().name(), "class", "words")
                    .close()
                    .line();
        }
        Page.endTable(markup);
        markup.close().line();
    }

    // ---------------- one key

    private void key(KeyTuning key, String place) {
        CandidateTable candidates = new CandidateTable(key, place);
        Page.section(markup, "key" + place, tuning.keys().size() == 1 ? "Recommendation" : key.key());
        markup.element("p", candidates.verdict(), "class", "verdict");
        markup.element(
                "p",
                Plain.count(key.facts().calls(), "call") + ", "
                        + Plain.count(key.facts().failures(), "failure")
                        + TuneWords.slowAmong(key.facts()) + ", "
                        + Plain.count(key.facts().incidents().size(), "incident")
                        + ". The breaker " + key.breaker().spec().describe() + ".");
        values(key, place);
        markup.element("h3", "To paste");
        code("java" + place, "Java", Snippet.java(key));
        code("properties" + place, "The breaker as properties, for --policy", Snippet.properties(key));

        markup.element("h3", "Breakers compared");
        candidates.write(markup);
        markup.open("ul");
        key.breaker().why().forEach(line -> markup.element("li", line));
        markup.close().line();
        answers(key, candidates.lineup(), place);
        pictures(key, candidates.lineup(), place);
        markup.close().line();
    }

    private void values(KeyTuning key, String place) {
        Page.table(markup, "values" + place, "");
        Page.headings(markup, "", "beside the breaker", "set");
        Page.headings(markup, "words", "how sure", "why");
        Page.rows(markup);
        for (RecommendedValue value : RecommendedValue.of(key)) {
            Recommendation<?> from = value.recommendation();
            markup.open("tr", "data-value", value.name()).element("th", value.name(), "scope", "row");
            markup.element("td", value.value().orElse(Numbers.NOTHING), "class", "value");
            markup.open("td", "class", "words sure").text(from.certainty().toString());
            if (from.certainty() != Certainty.UNKNOWN) {
                markup.element("small", "from " + Plain.count(from.calls(), "call"));
            }
            markup.close()
                    .element("td", from.why() + ".", "class", "words why")
                    .close()
                    .line();
        }
        Page.endTable(markup);
    }

    private void code(String id, String heading, List<String> lines) {
        markup.open("figure", "class", "paste").element("figcaption", heading);
        markup.open("pre", "tabindex", "0")
                .element("code", String.join("\n", lines), "id", id)
                .close();
        markup.close().line();
    }

    private void answers(KeyTuning key, Lineup lineup, String place) {
        markup.element("h3", "If a failure costs something else");
        markup.element("p", TuneWords.OPEN_COST);
        Page.table(markup, "answers" + place, "");
        Page.headings(markup, "words", "one failure is as bad as", "breaker");
        Page.headings(markup, "", "cost per 10,000 calls");
        Page.rows(markup);
        for (Map.Entry<FailureCost, BreakerChoice> answer : key.byAnswer().entrySet()) {
            BreakerChoice choice = answer.getValue();
            boolean asked = choice.failureCost() == tuning.wishes().failureCost();
            markup.open("tr", "class", asked ? "own" : "").open("th", "scope", "row");
            markup.text(Plain.number(choice.failureCost()) + (choice.failureCost() == 1 ? " call" : " calls")
                    + " refused for nothing");
            markup.element("small", answer.getKey().words()).close();
            markup.open("td", "class", "words");
            CandidateTable.tag(markup, lineup, choice.spec().name());
            markup.close();
            markup.element(
                            "td",
                            choice.selection().isFounded()
                                    ? Numbers.digits(choice.selection().choice().cost())
                                    : Numbers.NOTHING)
                    .close()
                    .line();
        }
        Page.endTable(markup);
    }

    private void pictures(KeyTuning key, Lineup lineup, String place) {
        CostCurves costs = new CostCurves("cost-curves" + place, lineup);
        LatencyTail latency = LatencyTail.of(key, place);
        markup.open("div", "class", "grid pictures");
        if (costs.canDraw()) {
            SettingsSection.figure(
                    markup,
                    "Which breaker suits which cost",
                    costs::write,
                    "Cost as a multiple of the cheapest of these, afterwards. The thick line is the recommended one; letters as in the"
                            + " tables." + costs.note());
        }
        if (latency.canDraw()) {
            SettingsSection.figure(
                    markup,
                    "How long calls take",
                    latency::write,
                    "Share of the calls that succeeded outside of incidents and took longer. The marks are what is recommended above.");
        }
        markup.close().line();
        if (!latency.canDraw()) {
            markup.element(
                    "p",
                    "There is no picture of latencies: the log does not tell how long calls took.",
                    "class",
                    "basis");
        }
    }

    private void caveats() {
        Page.section(markup, "caveats", "What this does not tell");
        markup.open("ul");
        TuneWords.caveats(tuning).forEach(caveat -> markup.element("li", caveat));
        about.notes().forEach(note -> markup.element("li", note));
        markup.close();
        HtmlReport.unreadable(markup, about);
        markup.close().line();
    }
}
