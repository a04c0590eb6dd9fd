package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The worst incidents from near: single calls as dots, and what each policy's breaker did meanwhile. */
final class IncidentZoom {

    /** How many there is room for. */
    private static final int MOST = 6;

    private static final double WIDTH = 460;
    private static final double LEFT = 104;
    private static final double RIGHT = 448;
    private static final double TOP = 16;
    private static final double BOTTOM = 126;
    private static final double STRIPS_TOP = 140;
    private static final double STRIP = 21;
    private static final double STRIP_HEIGHT = 12;
    private static final int COLUMNS = 215;
    private static final double LANE = 40;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int NAME = 10;
    private static final double SECOND = 1e9;

    private final ReplayResult result;
    private final Lineup lineup;
    private final int[] incidents;
    private final int[] numbers;
    private final List<Dots> dots = new ArrayList<>();

    IncidentZoom(ReplayResult result, Lineup lineup, CallLog log) {
        this.result = result;
        this.lineup = lineup;
        numbers = IncidentTable.numbers(result.facts());
        incidents = result.facts().worstIncidents(MOST);
        for (int i : incidents) {
            dots.add(new Dots(surroundings(i), result.facts().incidents().get(i).key()));
        }
        if (incidents.length > 0) {
            Dots.fill(log, dots);
        }
    }

    /** From a little before the incident until most breakers have closed again. */
    private Span surroundings(int i) {
        Span whole = result.survey().whole();
        Span span = result.facts().incidents().get(i).span();
        long beforeNanos = span.lengthNanos() / 4 + SECOND_NANOS;
        long recoveryNanos = lineup.entrants().stream()
                .mapToLong(entrant -> entrant.result().responses().recoveryNanos(i))
                .max()
                .orElse(0);
        long afterNanos = Math.max(
                beforeNanos, Math.min(recoveryNanos + recoveryNanos / 8, 2 * span.lengthNanos() + 60 * SECOND_NANOS));
        return new Span(
                Math.max(whole.startNanos(), span.startNanos() - beforeNanos),
                Math.min(whole.endNanos(), span.endNanos() + afterNanos));
    }

    void write(Markup markup) {
        markup.open("div", "class", "grid", "id", "zooms");
        for (int i = 0; i < incidents.length; i++) {
            markup.open("figure", "data-zoom", String.valueOf(numbers[incidents[i]]));
            picture(markup, incidents[i], dots.get(i));
            caption(markup, incidents[i], dots.get(i));
            markup.close().line();
        }
        markup.close();
    }

    private void caption(Markup markup, int i, Dots calls) {
        LogFacts.IncidentFacts incident = result.facts().incidents().get(i);
        markup.open("figcaption")
                .element("strong", "Incident " + numbers[i])
                .text(", " + IncidentTable.describe(incident));
        if (result.keys().size() > 1) {
            markup.text(", with " + Timeline.shortened(result.keys().get(incident.key()), 60));
        }
        markup.text(".");
        thinned(markup, calls.successes(), "successful");
        thinned(markup, calls.failures(), "failed");
        markup.close();
    }

    private static void thinned(Markup markup, Dots.Kind kind, String name) {
        if (kind.every() > 1) {
            markup.text(" Of " + name + " calls one in " + Numbers.count(kind.every()) + " is shown.");
        }
    }

    private void picture(Markup markup, int i, Dots calls) {
        Span span = calls.span();
        Span incident = result.facts().incidents().get(i).span();
        double bottom = STRIPS_TOP + STRIP * lineup.entrants().size();
        Picture picture = Picture.open(
                markup,
                "zoom-" + numbers[i],
                WIDTH,
                bottom + 38,
                "Incident " + numbers[i] + " from near",
                "Single calls, and the state of each policy's breaker, from before the incident to after it.");
        Scale x = Scale.linear(
                (span.startNanos() - incident.startNanos()) / SECOND,
                (span.endNanos() - incident.startNanos()) / SECOND,
                LEFT,
                RIGHT);
        double from = x.at(0);
        markup.leaf(
                "path",
                "class",
                "band",
                "d",
                Picture.bar(from, TOP - 8, x.at(incident.lengthNanos() / SECOND) - from, bottom - TOP + 8));
        picture.xAxis(x, TOP - 8, bottom, 6, Numbers::digits);
        picture.text("tick middle", (LEFT + RIGHT) / 2, bottom + 32, "seconds from the start of the incident");
        dots(markup, picture, calls, x, incident.startNanos());
        double top = STRIPS_TOP;
        for (Lineup.Entrant entrant : lineup.entrants()) {
            picture.tag(9, top + STRIP_HEIGHT / 2, entrant);
            picture.text("name", 23, top + STRIP_HEIGHT - 2, Timeline.shortened(entrant.name(), NAME));
            States.of(
                            entrant.result(),
                            span,
                            COLUMNS,
                            result.facts().incidents().get(i).key())
                    .draw(markup, LEFT, RIGHT - LEFT, top, STRIP_HEIGHT);
            top += STRIP;
        }
        picture.close();
    }

    /** By how long calls took, if that is known; else failed ones in a lane above the others, each a little apart from its neighbours. */
    private static void dots(Markup markup, Picture picture, Dots calls, Scale x, long originNanos) {
        long longestNanos = calls.longestNanos();
        if (longestNanos > 0) {
            double least = Math.max(1, Math.max(longestNanos / 1e4, shortest(calls)));
            Scale y = Scale.log(least / 1.5, longestNanos * 1.2, BOTTOM, TOP);
            picture.yAxis(y, LEFT, RIGHT, 4, Numbers::time);
            picture.text("name", 0, TOP + 4, "took");
            draw(
                    markup,
                    calls,
                    x,
                    originNanos,
                    dot -> y.at(Math.max(y.from(), (double) dot.durationNanos())),
                    dot -> y.at(Math.max(y.from(), (double) dot.durationNanos())));
        } else {
            picture.text("name", 0, TOP + LANE / 2 + 4, "failed");
            picture.text("name", 0, BOTTOM - LANE / 2 + 4, "succeeded");
            draw(markup, calls, x, originNanos, dot -> TOP + LANE * scatter(dot), dot -> BOTTOM - LANE * scatter(dot));
        }
    }

    private static double shortest(Dots calls) {
        return calls.successes().dots().stream()
                .mapToLong(Dots.Dot::durationNanos)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(1);
    }

    /** Spreads calls that have the same height, alike each time. */
    private static double scatter(Dots.Dot dot) {
        return Math.floorMod(dot.startNanos() / 1_000_003L * 0x9E3779B1L, 1000L) / 1000.0;
    }

    private static void draw(
            Markup markup,
            Dots calls,
            Scale x,
            long originNanos,
            ToDoubleFunction<Dots.Dot> failed,
            ToDoubleFunction<Dots.Dot> succeeded) {
        StringBuilder circles = new StringBuilder();
        for (Dots.Dot dot : calls.successes().dots()) {
            circles.append('M')
                    .append(at(x.at((dot.startNanos() - originNanos) / SECOND)))
                    .append(' ')
                    .append(at(succeeded.applyAsDouble(dot)))
                    .append("h0");
        }
        StringBuilder crosses = new StringBuilder();
        for (Dots.Dot dot : calls.failures().dots()) {
            crosses.append('M')
                    .append(at(x.at((dot.startNanos() - originNanos) / SECOND) - 2))
                    .append(' ')
                    .append(at(failed.applyAsDouble(dot) - 2))
                    .append("l4 4m0-4l-4 4");
        }
        markup.leaf("path", "class", "ok-dots", "d", circles.toString());
        markup.leaf("path", "class", "failed-dots", "d", crosses.toString());
    }
}
