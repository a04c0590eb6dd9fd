package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Responses;
import io.nopanic.lab.setup.Plain;
import java.util.List;

/** The incidents below each other, what each policy made of them beside each. */
final class IncidentTable {

    /** More than this nobody reads; those with the most failures are told of. */
    static final int MOST = 100;

    private final ReplayResult result;
    private final Lineup lineup;
    private final int[] numbers;

    IncidentTable(ReplayResult result, Lineup lineup) {
        this.result = result;
        numbers = numbers(result.facts());
        this.lineup = lineup;
    }

    /** When it was, how long, and how bad. */
    static String describe(LogFacts.IncidentFacts incident) {
        return Numbers.moment(incident.span().startNanos()) + ", "
                + Numbers.time(incident.span().lengthNanos()) + ", "
                + Numbers.percent(incident.failures(), incident.judged()) + " of "
                + Plain.count(incident.judged(), "call") + " failed"
                + (incident.slow() > 0 ? ", " + Numbers.percent(incident.slow(), incident.judged()) + " slow" : "");
    }

    /** How the report calls each incident: the first in time is 1. */
    static int[] numbers(LogFacts facts) {
        int[] inOrder = facts.worstIncidents(facts.incidents().size());
        int[] numbers = new int[inOrder.length];
        for (int place = 0; place < inOrder.length; place++) {
            numbers[inOrder[place]] = place + 1;
        }
        return numbers;
    }

    void write(Markup markup) {
        List<LogFacts.IncidentFacts> incidents = result.facts().incidents();
        boolean several = result.keys().size() > 1;
        markup.open("div", "class", "scroll", "tabindex", "0").open("table", "id", "incidents");
        Picture.caption(
                markup,
                "When each policy opened, counted from the start of the incident (and how many calls had begun by then); and, after the"
                        + " arrow, when it closed, counted from its end."
                        + (incidents.size() > MOST
                                ? " Of " + Numbers.count(incidents.size()) + " incidents, the " + MOST
                                        + " with the most failures; the others are in the JSON."
                                : ""));
        markup.open("thead").open("tr").element("th", "incident", "scope", "col");
        if (several) {
            markup.element("th", "with", "scope", "col", "class", "words");
        }
        markup.element("th", "length", "scope", "col")
                .element("th", "calls", "scope", "col")
                .element(
                        "th",
                        result.facts().slowAfterNanos().isPresent() ? "failed or slow" : "failed",
                        "scope",
                        "col");
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (entrant.isBreaker()) {
                markup.open("th", "scope", "col")
                        .element("span", entrant.tag(), "class", "letter")
                        .text(" " + entrant.name())
                        .close();
            }
        }
        markup.close().close().line().open("tbody");
        for (int i : result.facts().worstIncidents(MOST)) {
            row(markup, i, several);
        }
        markup.close().close().close().line();
    }

    private void row(Markup markup, int i, boolean several) {
        LogFacts.IncidentFacts incident = result.facts().incidents().get(i);
        markup.open("tr", "data-incident", String.valueOf(numbers[i]), "data-calls", String.valueOf(incident.calls()));
        markup.open("th", "scope", "row").element("span", String.valueOf(numbers[i]), "class", "number");
        markup.text(" " + Numbers.moment(incident.span().startNanos())).close();
        if (several) {
            markup.element("td", result.keys().get(incident.key()), "class", "words");
        }
        markup.element("td", Numbers.time(incident.span().lengthNanos()));
        markup.element("td", Numbers.count(incident.calls()));
        markup.open("td").text(Numbers.percent(incident.failures(), incident.judged()));
        if (incident.timeouts() > 0) {
            markup.element("small", Plain.count(incident.timeouts(), "timeout"));
        }
        if (result.facts().slowAfterNanos().isPresent()) {
            markup.element(
                    "small",
                    Numbers.percent(incident.slow(), incident.judged()) + " slow",
                    "data-slow",
                    String.valueOf(incident.slow()));
        }
        markup.close();
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (entrant.isBreaker()) {
                response(markup, entrant.result().responses(), i);
            }
        }
        markup.close().line();
    }

    private static void response(Markup markup, Responses responses, int i) {
        long recoveryNanos = responses.recoveryNanos(i);
        String closed = recoveryNanos < 0 ? "" : "\u2192 " + Numbers.time(recoveryNanos);
        if (responses.isDetected(i)) {
            markup.open("td", "data-delay-nanos", String.valueOf(responses.delayNanos(i)));
            markup.text(Numbers.time(responses.delayNanos(i)));
            markup.element(
                    "small", Plain.count(responses.delayCalls(i), "call") + (closed.isEmpty() ? "" : " " + closed));
        } else {
            markup.open("td", "class", "quiet").text(responses.isAlreadyOpen(i) ? "open before" : "missed");
            if (!closed.isEmpty()) {
                markup.element("small", closed);
            }
        }
        markup.close();
    }
}
