package io.nopanic.lab.report.html;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Span;
import io.nopanic.lab.report.Incidents;
import io.nopanic.lab.setup.Plain;
import java.util.ArrayList;
import java.util.List;

/** The whole log on one axis of time: how often calls failed, how many there were, and what each policy's breakers did. */
final class Timeline {

    private static final double WIDTH = 960;
    private static final double LEFT = 140;
    private static final double RIGHT = 16;
    private static final double FAILURES_TOP = 30;
    private static final double FAILURES_HEIGHT = 96;
    private static final double CALLS_TOP = 152;
    private static final double CALLS_HEIGHT = 56;
    private static final double STRIPS_TOP = 234;
    private static final double STRIP = 24;
    private static final double STRIP_HEIGHT = 14;
    private static final int BUCKETS = 250;
    private static final int TICKS = 7;
    private static final double LABEL_WIDTH = 8;

    private final ReplayResult result;
    private final Lineup lineup;
    private final Span whole;
    private final double bottom;
    private final List<LogFacts.Bucket> buckets;
    private final double bucketNanos;

    Timeline(ReplayResult result, Lineup lineup) {
        this.result = result;
        this.lineup = lineup;
        whole = result.survey().whole();
        bottom = STRIPS_TOP + STRIP * lineup.entrants().size();
        LogFacts.Series series = result.facts().series();
        buckets = aggregated(series.buckets());
        bucketNanos = (double) series.bucketNanos() * series.buckets().size() / buckets.size();
    }

    private static List<LogFacts.Bucket> aggregated(List<LogFacts.Bucket> fine) {
        int each = Math.max(1, (fine.size() + BUCKETS - 1) / BUCKETS);
        List<LogFacts.Bucket> coarse = new ArrayList<>();
        for (int from = 0; from < fine.size(); from += each) {
            long calls = 0;
            long failures = 0;
            for (LogFacts.Bucket bucket : fine.subList(from, Math.min(fine.size(), from + each))) {
                calls += bucket.calls();
                failures += bucket.failures();
            }
            coarse.add(new LogFacts.Bucket(calls, failures));
        }
        return coarse;
    }

    private double x(long nanos) {
        double share = (double) (nanos - whole.startNanos()) / Math.max(1, whole.lengthNanos());
        return LEFT + Math.max(0, Math.min(1, share)) * (WIDTH - LEFT - RIGHT);
    }

    void write(Markup markup) {
        Picture picture = Picture.open(
                markup,
                "timeline",
                WIDTH,
                bottom + 28,
                "Failure rate, calls per second and states of the breakers over time",
                "From " + Numbers.moment(whole.startNanos()) + " to " + Numbers.moment(whole.endNanos()) + " UTC, with "
                        + Incidents.count(result)
                        + " as bands and one strip for each policy.");
        incidents(markup, picture);
        for (TimeTicks.Tick tick : TimeTicks.between(whole.startNanos(), whole.endNanos(), TICKS)) {
            picture.line("grid", x(tick.nanos()), FAILURES_TOP, x(tick.nanos()), bottom);
            boolean last = x(tick.nanos()) > WIDTH - RIGHT - 40;
            picture.text(
                    last ? "tick end" : "tick middle", last ? WIDTH - 2 : x(tick.nanos()), bottom + 18, tick.label());
        }
        failures(markup, picture);
        calls(markup, picture);
        strips(markup, picture);
        picture.close();
    }

    /** Those that are in the table as bands; if there are more, the others as ticks only. */
    private void incidents(Markup markup, Picture picture) {
        List<LogFacts.IncidentFacts> all = result.facts().incidents();
        int[] numbers = IncidentTable.numbers(result.facts());
        double freeFrom = LEFT;
        for (int i : result.facts().worstIncidents(IncidentTable.MOST)) {
            markup.open("g", "class", "incident", "data-incident", String.valueOf(numbers[i]));
            markup.element("title", "Incident " + numbers[i] + ": " + IncidentTable.describe(all.get(i)));
            markup.leaf(
                    "path", "class", "band", "d", band(all.get(i).span(), FAILURES_TOP - 6, bottom - FAILURES_TOP + 6));
            markup.leaf("path", "class", "band-top", "d", band(all.get(i).span(), FAILURES_TOP - 10, 4));
            double middle =
                    (x(all.get(i).span().startNanos()) + x(all.get(i).span().endNanos())) / 2;
            String number = String.valueOf(numbers[i]);
            if (middle >= freeFrom) {
                picture.text("tick middle", middle, FAILURES_TOP - 14, number);
                freeFrom = middle + 6 + LABEL_WIDTH * number.length();
            }
            markup.close();
        }
        if (all.size() > IncidentTable.MOST) {
            StringBuilder ticks = new StringBuilder();
            all.forEach(incident -> ticks.append(band(incident.span(), FAILURES_TOP - 10, 4)));
            markup.leaf("path", "class", "band-top", "d", ticks.toString());
        }
    }

    private String band(Span span, double top, double height) {
        double from = x(span.startNanos());
        return Picture.bar(from, top, Math.max(1.5, x(span.endNanos()) - from), height);
    }

    private void failures(Markup markup, Picture picture) {
        double highest = buckets.stream()
                .filter(bucket -> bucket.calls() > 0)
                .mapToDouble(bucket -> (double) bucket.failures() / bucket.calls())
                .max()
                .orElse(0);
        double bottomOfPanel = FAILURES_TOP + FAILURES_HEIGHT;
        Scale y = Scale.linear(0, Math.min(1, Scale.niceAbove(Math.max(0.01, highest))), bottomOfPanel, FAILURES_TOP);
        picture.yAxis(y, LEFT, WIDTH - RIGHT, 4, Numbers::percent);
        picture.text("name", 0, FAILURES_TOP + 12, "failed");
        StringBuilder bars = new StringBuilder();
        for (int i = 0; i < buckets.size(); i++) {
            LogFacts.Bucket bucket = buckets.get(i);
            if (bucket.failures() > 0) {
                double top = y.at((double) bucket.failures() / bucket.calls());
                bars.append(bar(i, top, bottomOfPanel));
            }
        }
        markup.leaf(
                "path",
                "class",
                "failures",
                "data-failures",
                String.valueOf(result.facts().failures()),
                "d",
                bars.toString());
    }

    private void calls(Markup markup, Picture picture) {
        double perSecond = 1e9 / bucketNanos;
        double highest =
                buckets.stream().mapToLong(LogFacts.Bucket::calls).max().orElse(0) * perSecond;
        double bottomOfPanel = CALLS_TOP + CALLS_HEIGHT;
        Scale y = Scale.linear(0, Scale.niceAbove(Math.max(1e-9, highest)), bottomOfPanel, CALLS_TOP);
        picture.yAxis(y, LEFT, WIDTH - RIGHT, 3, Numbers::digits);
        picture.text("name", 0, CALLS_TOP + 12, "calls a second");
        StringBuilder bars = new StringBuilder();
        for (int i = 0; i < buckets.size(); i++) {
            if (buckets.get(i).calls() > 0) {
                bars.append(bar(i, y.at(buckets.get(i).calls() * perSecond), bottomOfPanel));
            }
        }
        markup.leaf(
                "path",
                "class",
                "calls",
                "data-calls",
                String.valueOf(result.facts().calls()),
                "d",
                bars.toString());
    }

    private String bar(int bucket, double top, double bottomOfPanel) {
        double from = x(whole.startNanos() + Math.round(bucket * bucketNanos));
        double to = x(whole.startNanos() + Math.round((bucket + 1) * bucketNanos));
        return Picture.bar(from, top, to - from, bottomOfPanel - top);
    }

    private void strips(Markup markup, Picture picture) {
        double top = STRIPS_TOP;
        for (Lineup.Entrant entrant : lineup.entrants()) {
            markup.open(
                    "g",
                    "class",
                    "strip",
                    "data-policy",
                    entrant.name(),
                    "data-trips",
                    String.valueOf(entrant.result().total().trips()));
            markup.element(
                    "title",
                    entrant.name() + ": " + Plain.count(entrant.result().total().trips(), "trip"));
            picture.tag(9, top + STRIP_HEIGHT / 2, entrant);
            picture.text("name", 24, top + STRIP_HEIGHT - 2, shortened(entrant.name(), 15));
            States.of(entrant.result(), whole, BUCKETS).draw(markup, LEFT, WIDTH - LEFT - RIGHT, top, STRIP_HEIGHT);
            markup.close().line();
            top += STRIP;
        }
    }

    /** A name that is too long ends in dots; in full it is in the table. */
    static String shortened(String name, int most) {
        int length = name.codePointCount(0, name.length());
        return length <= most ? name : name.substring(0, name.offsetByCodePoints(0, most - 1)) + "\u2026";
    }
}
