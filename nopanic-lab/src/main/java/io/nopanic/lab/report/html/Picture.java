package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;

/** An SVG with what all pictures have: a name and a description for those who do not see it, grids, axes, and labels that keep clear of each other. */
final class Picture {

    private static final double LABEL_GAP = 15;

    private final Markup markup;

    /**
     * A label beside the end of a line.
     *
     * @param text what it says
     * @param style its class
     * @param x of the end
     * @param y of the end
     */
    record EndLabel(String text, String style, double x, double y) {}

    private Picture(Markup markup) {
        this.markup = markup;
    }

    /** Begins one, as large as this in its own units. */
    static Picture open(Markup markup, String id, double width, double height, String title, String description) {
        markup.open("div", "class", width > 600 ? "scroll wide" : "scroll", "tabindex", "0");
        markup.open(
                "svg",
                "id",
                id,
                "viewBox",
                "0 0 " + at(width) + " " + at(height),
                "role",
                "img",
                "aria-labelledby",
                id + "-t " + id + "-d");
        markup.element("title", title, "id", id + "-t");
        markup.element("desc", description, "id", id + "-d").line();
        return new Picture(markup);
    }

    /** A caption of a table that stays in sight when the table is moved sideways. */
    static void caption(Markup markup, String text) {
        markup.open("caption").element("span", text).close();
    }

    void close() {
        markup.close().close().line();
    }

    /** Lines across, with the values at their left. */
    void yAxis(Scale y, double left, double right, int most, DoubleFunction<String> label) {
        for (double tick : y.ticks(most)) {
            line("grid", left, y.at(tick), right, y.at(tick));
            text("tick end", left - 6, y.at(tick) + 4, label.apply(tick));
        }
    }

    /** Marks below, with the values under them. */
    void xAxis(Scale x, double top, double bottom, int most, DoubleFunction<String> label) {
        line("axis", x.start(), bottom, x.end(), bottom);
        for (double tick : x.ticks(most)) {
            line("grid", x.at(tick), top, x.at(tick), bottom);
            text("tick middle", x.at(tick), bottom + 16, label.apply(tick));
        }
    }

    void line(String style, double fromX, double fromY, double toX, double toY) {
        markup.leaf("path", "class", style, "d", "M" + at(fromX) + " " + at(fromY) + "L" + at(toX) + " " + at(toY));
    }

    void text(String style, double x, double y, String text) {
        markup.element("text", text, "class", style, "x", at(x), "y", at(y));
    }

    /** A rectangle; something that is narrower than a hair is drawn as a hair. */
    static String bar(double x, double y, double width, double height) {
        return "M" + at(x) + " " + at(y) + "h" + at(Math.max(0.6, width)) + "v" + at(height) + "h"
                + at(-Math.max(0.6, width)) + "z";
    }

    /** A policy's sign: its letter in a circle. */
    void tag(double x, double y, Lineup.Entrant entrant) {
        markup.open("g", "class", "tag" + (entrant.isMarked() ? " mine" : ""));
        markup.leaf("circle", "cx", at(x), "cy", at(y), "r", "8.5");
        text("middle", x, y + 4, entrant.tag());
        markup.close();
    }

    /** Labels at the right of lines, spread so that none covers another, each tied to its end. */
    void endLabels(List<EndLabel> labels, double x, double top, double bottom) {
        List<EndLabel> sorted =
                labels.stream().sorted(Comparator.comparingDouble(EndLabel::y)).toList();
        List<Double> places = spread(sorted.stream().map(EndLabel::y).toList(), top, bottom);
        for (int i = 0; i < sorted.size(); i++) {
            EndLabel label = sorted.get(i);
            double y = places.get(i);
            if (Math.abs(y - label.y) > 2 || x - label.x > 12) {
                line("leader", label.x + 2, label.y, x - 3, y);
            }
            text("label " + label.style, x, y + 4, label.text);
        }
    }

    /** Places as near to the wanted ones as a gap between each two allows; the wanted ones are sorted. */
    static List<Double> spread(List<Double> wanted, double top, double bottom) {
        double gap = Math.min(LABEL_GAP, wanted.size() < 2 ? LABEL_GAP : (bottom - top) / (wanted.size() - 1));
        List<Double> places = new ArrayList<>(wanted);
        double least = top;
        for (int i = 0; i < places.size(); i++) {
            places.set(i, Math.max(places.get(i), least));
            least = places.get(i) + gap;
        }
        double most = bottom;
        for (int i = places.size() - 1; i >= 0; i--) {
            places.set(i, Math.min(places.get(i), most));
            most = places.get(i) - gap;
        }
        return places;
    }
}
