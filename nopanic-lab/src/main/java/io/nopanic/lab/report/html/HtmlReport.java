package io.nopanic.lab.report.html;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Span;
import io.nopanic.lab.report.Caveats;
import io.nopanic.lab.report.Incidents;
import io.nopanic.lab.report.Independence;
import io.nopanic.lab.report.Verdict;
import io.nopanic.lab.setup.Plain;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * The result of a replay as one page of HTML with pictures, which loads nothing else and is complete without a script. The same result makes the same
 * bytes.
 */
public final class HtmlReport {

    /** What every page begins with. */
    public static final String BEGIN = "<!DOCTYPE html>\n";

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final About about;
    private final ReplayResult result;
    private final CallLog log;
    private final DoubleConsumer progress;
    private final Independence independence;
    private final Markup markup;
    private final Lineup lineup;

    /**
     * What the page is about, beside the result.
     *
     * @param title its heading, such as the names of the files
     * @param cost what a failure costs that is sent, in wrongly refused calls
     * @param notes what has to be said of where the calls come from
     * @param unreadable the first lines of the log that could not be read
     */
    public record About(String title, double cost, List<String> notes, List<String> unreadable) {

        /** Keeps copies. */
        public About {
            notes = List.copyOf(notes);
            unreadable = List.copyOf(unreadable);
        }
    }

    private HtmlReport(About about, ReplayResult result, CallLog log, DoubleConsumer progress) {
        this.about = about;
        this.result = result;
        this.log = log;
        this.progress = progress;
        independence = new Independence(result);
        lineup = Lineup.of(result, about.cost());
        markup = Page.begin(about.title());
    }

    /**
     * The page, as text.
     *
     * @param log the calls that were replayed; read once more for the single calls of incidents, and replayed for pictures of other settings
     * @param progress is told from time to time which share of that replay is done, 0 to 1
     */
    public static String of(About about, ReplayResult result, CallLog log, DoubleConsumer progress) {
        return new HtmlReport(about, result, log, progress).page();
    }

    private String page() {
        patterns();
        header();
        markup.open("main").line();
        if (result.facts().calls() > 0) {
            summary();
            timeline();
            incidents();
            keys();
            section("settings", "Which settings suit", "");
            new SettingsSection(result, lineup, log, progress).write(markup);
            markup.close().line();
        }
        caveats();
        markup.close().line();
        return Page.end(
                markup,
                "Made by nopanic. The breakers that decided are those that run in production; times are UTC.",
                "report.js");
    }

    /** What fills the states of breakers, so that they differ without their colours. */
    private void patterns() {
        markup.open("svg", "class", "patterns", "width", "0", "height", "0", "aria-hidden", "true")
                .open("defs");
        markup.open(
                "pattern",
                "id",
                "stripes",
                "width",
                "5",
                "height",
                "5",
                "patternUnits",
                "userSpaceOnUse",
                "patternTransform",
                "rotate(45)");
        markup.leaf("path", "class", "open-ground", "d", "M0 0h5v5h-5z")
                .leaf("path", "class", "stripe", "d", "M0 0V5")
                .close();
        markup.open("pattern", "id", "points", "width", "4", "height", "4", "patternUnits", "userSpaceOnUse");
        markup.leaf("path", "class", "half-open-ground", "d", "M0 0h4v4h-4z")
                .leaf("circle", "class", "point", "cx", "2", "cy", "2", "r", "1")
                .close();
        markup.open(
                "pattern",
                "id",
                "hatch",
                "width",
                "6",
                "height",
                "6",
                "patternUnits",
                "userSpaceOnUse",
                "patternTransform",
                "rotate(-45)");
        markup.leaf("path", "class", "hatch", "d", "M0 0V6").close();
        markup.close().close().line();
    }

    private void header() {
        LogFacts facts = result.facts();
        markup.open("header").element("p", "nopanic \u00b7 what breakers would have done", "class", "over");
        markup.element("h1", about.title());
        markup.element(
                "p",
                facts.calls() == 0
                        ? "There are no calls in it."
                        : Plain.count(facts.calls(), "call") + when()
                                + Numbers.count(facts.failures()) + " failed ("
                                + Numbers.percent(facts.failures(), facts.calls()) + ")"
                                + (facts.slowAfterNanos().isPresent()
                                        ? ", " + Numbers.count(facts.slow()) + " of them by being slow. "
                                        : ". ")
                                + Incidents.count(result) + (result.survey().known() ? "" : " found") + "; "
                                + Plain.count(result.keys().size(), "breaker") + " under each policy.",
                "class",
                "facts");
        markup.close().line();
    }

    private String when() {
        Span whole = result.survey().whole();
        return whole.lengthNanos() < SECOND_NANOS
                ? ", all within a second, at " + Numbers.moment(whole.startNanos()) + " UTC. "
                : " in " + Numbers.time(whole.lengthNanos()) + ", from " + Numbers.moment(whole.startNanos()) + " to "
                        + Numbers.moment(whole.endNanos()) + " UTC. ";
    }

    private void section(String id, String heading, String text) {
        Page.section(markup, id, heading);
        if (!text.isEmpty()) {
            markup.element("p", text);
        }
    }

    private void summary() {
        List<String> verdict = Verdict.of(result, lineup.ranking());
        markup.open("section", "id", "verdict", "aria-labelledby", "verdict-h")
                .element("h2", "Verdict", "id", "verdict-h");
        markup.element("p", verdict.get(0), "class", "verdict");
        verdict.subList(1, verdict.size()).forEach(line -> markup.element("p", line));
        new SummaryTable(result, lineup, independence).write(markup);
        markup.open("details").element("summary", "What the policies are").open("dl");
        for (Lineup.Entrant entrant : lineup.entrants()) {
            markup.element("dt", entrant.tag() + " " + entrant.name());
            markup.element("dd", entrant.result().spec().describe());
        }
        markup.close().close().close().line();
    }

    private void timeline() {
        if (result.survey().whole().lengthNanos() < SECOND_NANOS) {
            section("time", "Over time", "All calls began within a second, so there is nothing to draw over time.");
            markup.close().line();
            return;
        }
        section("time", "Over time", "");
        markup.open("figure");
        new Timeline(result, lineup).write(markup);
        markup.open("figcaption").open("span", "class", "legend");
        legend("closed", "closed");
        legend("open", "open");
        legend("half-open", "half-open");
        legend("band", "incident");
        markup.close();
        markup.text(
                " A bar in a strip is as high as the share of its time in which breakers were open; never so low that it cannot be seen.");
        if (lineup.entrants().stream()
                .anyMatch(entrant -> entrant.result().timeline().dropped() > 0)) {
            markup.text(" A policy that changed its state more than 100,000 times is drawn up to there only.");
        }
        markup.close().close().close().line();
    }

    private void legend(String style, String text) {
        markup.open("span").open("svg", "class", "key", "viewBox", "0 0 22 12", "aria-hidden", "true");
        markup.leaf("path", "class", style, "d", "M0 0h22v12h-22z");
        if (style.equals("band")) {
            markup.leaf("path", "class", "band-top", "d", "M0 0h22v4h-22z");
        }
        markup.close().text(" " + text).close();
    }

    private void incidents() {
        if (result.facts().incidents().isEmpty()) {
            section(
                    "incidents-section",
                    "Incidents",
                    "There were none, so that nothing can be said of how soon each policy notices one.");
            markup.close().line();
            return;
        }
        section("incidents-section", "Incidents", "");
        new IncidentTable(result, lineup).write(markup);
        markup.element("h3", "From near");
        markup.element(
                "p",
                "The incidents with the most failures. Crosses are calls that failed"
                        + (result.facts().slowAfterNanos().isPresent() ? " or were slow" : "")
                        + ", dots are calls that succeeded; below them what the"
                        + " breakers did.");
        new IncidentZoom(result, lineup, log).write(markup);
        markup.close().line();
    }

    private void keys() {
        if (result.keys().size() > 1) {
            section("keys-section", "Keys", "");
            new KeyTable(result, lineup).write(markup);
            markup.close().line();
        }
    }

    private void caveats() {
        section("caveats", "What this does not tell", "");
        markup.open("ul");
        about.notes().forEach(note -> markup.element("li", note));
        if (result.facts().calls() > 0) {
            Caveats.of(result, independence).forEach(caveat -> markup.element("li", caveat));
        }
        markup.close();
        unreadable(markup, about);
        markup.close().line();
    }

    /** The first lines that could not be read, if there are some. */
    static void unreadable(Markup markup, About about) {
        if (!about.unreadable().isEmpty()) {
            markup.element("h3", "Lines that could not be read").open("ol", "class", "lines");
            about.unreadable()
                    .forEach(line -> markup.open("li").element("code", line).close());
            markup.close();
        }
    }
}
