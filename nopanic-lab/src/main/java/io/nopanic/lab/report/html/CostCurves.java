package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.Tally;
import java.util.ArrayList;
import java.util.List;

/** What each policy costs against what a failure costs, as a multiple of the cheapest; and which is the cheapest from where to where. */
final class CostCurves {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 44;
    private static final double RIGHT = 330;
    private static final double TOP = 16;
    private static final double BOTTOM = 232;
    private static final double BAND_TOP = 272;
    private static final double LEAST_COST = 0.05;
    private static final double MOST_COST = 100;
    private static final double MOST_RATIO = 100;
    private static final int POINTS = 80;
    private static final int NAME = 13;
    private static final double NARROW = 16;

    private final String id;
    private final Lineup lineup;
    private final Scale x;

    /**
     * Where a policy is the cheapest.
     *
     * @param from from which cost of a failure on
     * @param to up to which
     */
    record Stretch(Lineup.Entrant cheapest, double from, double to) {}

    CostCurves(String id, Lineup lineup) {
        this.id = id;
        this.lineup = lineup;
        double c = lineup.ranking().cost();
        x = Scale.log(Math.min(LEAST_COST, c / 2), Math.max(MOST_COST, c * 2), LEFT, RIGHT);
    }

    private static double cost(Lineup.Entrant entrant, double c) {
        return entrant.result().total().cost(c);
    }

    private double least(double c) {
        return lineup.entrants().stream()
                .mapToDouble(entrant -> cost(entrant, c))
                .min()
                .orElse(0);
    }

    /** Whether there is anything to draw: somewhere no policy costs nothing. */
    boolean canDraw() {
        return least(x.from()) > 0 && least(x.to()) > 0;
    }

    /**
     * Who is the cheapest from where to where. Costs are straight lines in c, so that the cheapest of those that are equal is the one with
     * fewer failures from there on.
     */
    List<Stretch> stretches() {
        List<Stretch> stretches = new ArrayList<>();
        double from = x.from();
        while (from < x.to()) {
            Lineup.Entrant cheapest = cheapest(from);
            double to = x.to();
            for (Lineup.Entrant other : lineup.entrants()) {
                double crossing =
                        crossing(cheapest.result().total(), other.result().total());
                if (crossing > from && crossing < to) {
                    to = crossing;
                }
            }
            stretches.add(new Stretch(cheapest, from, to));
            from = to;
        }
        return stretches;
    }

    private Lineup.Entrant cheapest(double c) {
        Lineup.Entrant best = lineup.entrants().get(0);
        for (Lineup.Entrant entrant : lineup.entrants()) {
            double more = cost(entrant, c) - cost(best, c);
            double noise = 1e-9 * cost(best, c);
            boolean flatter = entrant.result().total().failuresSent()
                    < best.result().total().failuresSent();
            if (more < -noise || (more <= noise && flatter)) {
                best = entrant;
            }
        }
        return best;
    }

    /** From which c on the other one is cheaper; NaN if from none. */
    private static double crossing(Tally one, Tally other) {
        double fewer = one.failuresSent() - (double) other.failuresSent();
        return fewer <= 0 ? Double.NaN : (other.wronglyRefused() - (double) one.wronglyRefused()) / fewer;
    }

    void write(Markup markup) {
        Picture picture = Picture.open(
                markup,
                id,
                WIDTH,
                HEIGHT,
                "Cost of each policy against what a failure costs",
                "Each policy's cost, divided by that of the cheapest, for a failure that costs from "
                        + Numbers.digits(x.from()) + " to " + Numbers.digits(x.to())
                        + " wrongly refused calls. Below, which policy is the cheapest where.");
        double highest = 1;
        for (int i = 0; i <= POINTS; i++) {
            double c = costAt(i);
            for (Lineup.Entrant entrant : lineup.entrants()) {
                highest = Math.max(highest, cost(entrant, c) / least(c));
            }
        }
        Scale y = Scale.log(1, Math.max(1.5, Math.min(MOST_RATIO, highest)), BOTTOM, TOP);
        picture.yAxis(y, LEFT, RIGHT, 5, ratio -> Numbers.digits(ratio) + "\u00d7");
        picture.xAxis(x, TOP, BOTTOM, 6, Numbers::digits);
        picture.text("tick middle", (LEFT + RIGHT) / 2, BOTTOM + 30, "c: what a failure costs, in refused calls");
        double you = x.at(lineup.ranking().cost());
        picture.line("mark", you, TOP - 6, you, BOTTOM);
        picture.text("tick middle strong", you, TOP - 6, "your c");
        List<Picture.EndLabel> labels = new ArrayList<>();
        for (int i = lineup.entrants().size() - 1; i >= 0; i--) {
            Lineup.Entrant entrant = lineup.entrants().get(i);
            String style = style(entrant, i);
            curve(markup, entrant, style, y);
            labels.add(new Picture.EndLabel(
                    entrant.tag() + " " + Timeline.shortened(entrant.name(), NAME),
                    style,
                    RIGHT,
                    y.at(cost(entrant, x.to()) / least(x.to()))));
        }
        picture.endLabels(labels, RIGHT + 16, TOP, BOTTOM);
        bands(markup, picture);
        picture.close();
    }

    private double costAt(int point) {
        return x.from() * Math.pow(x.to() / x.from(), (double) point / POINTS);
    }

    /** That it is chance which is the cheapest, if it is; else nothing. */
    String note() {
        return lineup.ranking().isFounded()
                ? ""
                : " With fewer than " + Ranking.ENOUGH_INCIDENTS + " incidents it is chance which was the cheapest.";
    }

    /** The class of a policy's line: those that stand out alike, the others by their dashes. */
    static String style(Lineup.Entrant entrant, int place) {
        return entrant.first() ? "line first" : entrant.own() ? "line mine" : "line dash" + place % 5;
    }

    private void curve(Markup markup, Lineup.Entrant entrant, String style, Scale y) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i <= POINTS; i++) {
            double c = costAt(i);
            path.append(i == 0 ? "M" : "L")
                    .append(at(x.at(c)))
                    .append(' ')
                    .append(at(y.at(cost(entrant, c) / least(c))));
        }
        double now = lineup.ranking().cost();
        markup.open(
                "g", "class", "curve", "data-policy", entrant.name(), "data-cost", Markup.exact(cost(entrant, now)));
        markup.element(
                "title", entrant.name() + ": " + Numbers.digits(cost(entrant, now)) + " per 10,000 calls at your c");
        markup.leaf("path", "class", style, "d", path.toString()).close();
    }

    private void bands(Markup markup, Picture picture) {
        picture.text("tick", LEFT, BAND_TOP + 8, "cheapest:");
        double top = BAND_TOP + 16;
        double freeFrom = 0;
        for (Stretch stretch : stretches()) {
            double from = x.at(stretch.from());
            double width = x.at(stretch.to()) - from;
            markup.open(
                    "g",
                    "class",
                    "stretch",
                    "data-policy",
                    stretch.cheapest().name(),
                    "data-from",
                    Markup.exact(stretch.from()),
                    "data-to",
                    Markup.exact(stretch.to()));
            markup.element("title", describe(stretch));
            markup.leaf(
                    "path",
                    "class",
                    stretch.cheapest().isMarked() ? "stretch-first" : "stretch-other",
                    "d",
                    Picture.bar(from, top, width, 22));
            double middle = from + width / 2;
            if (width >= NARROW && middle - NARROW / 2 >= freeFrom) {
                picture.tag(middle, top + 11, stretch.cheapest());
                freeFrom = middle + NARROW / 2;
            }
            markup.close();
        }
    }

    /** In words. */
    static String describe(Stretch stretch) {
        return stretch.cheapest().name() + " from c = " + Numbers.digits(stretch.from()) + " to "
                + Numbers.digits(stretch.to());
    }
}
