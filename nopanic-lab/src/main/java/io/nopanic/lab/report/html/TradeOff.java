package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.replay.Reaction;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.theory.BreakEven;
import io.nopanic.lab.theory.CountWindow;
import io.nopanic.lab.theory.Cusum;
import io.nopanic.lab.theory.TimeWindow;
import java.util.ArrayList;
import java.util.List;

/** Opening soon against opening for nothing: what thresholds of each kind of rule make of it by the closed forms, and what the replayed policies did. */
final class TradeOff {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 44;
    private static final double RIGHT = 340;
    private static final double TOP = 16;
    private static final double BOTTOM = 262;
    private static final double RAREST = 1e-4;
    private static final double MOST_OFTEN = 1e3;
    private static final double FAR_BELOW = 1.5;
    private static final double FAR_ABOVE = 1.2;
    private static final int[] COUNTS = {20, 100};
    private static final int WINDOW_SECONDS = 10;
    private static final int MINIMUM_CALLS = 10;
    private static final int BUCKETS = 10;
    private static final int RATE_STEPS = 200;
    private static final int MOST_FAILURES = 40;
    private static final double HARDEST = 100;

    private final ReplayResult result;
    private final Lineup lineup;
    private final Traffic traffic;

    /** A threshold of a rule: how many false trips a day, and after how many calls it opens. */
    record Point(double perDay, double delayCalls) {}

    /** The thresholds of a rule, from the lowest on. */
    record Curve(String name, String style, List<Point> points) {}

    TradeOff(ReplayResult result, Lineup lineup, Traffic traffic) {
        this.result = result;
        this.lineup = lineup;
        this.traffic = traffic;
    }

    List<Curve> curves() {
        List<Curve> curves = new ArrayList<>();
        curves.add(new Curve("CUSUM", "line first", evidence()));
        for (int calls : COUNTS) {
            curves.add(new Curve(calls + " calls", "line dash" + (calls == COUNTS[0] ? 1 : 0), counted(calls)));
        }
        curves.add(new Curve(WINDOW_SECONDS + " s", "line dash2", timed()));
        return curves.stream().filter(curve -> curve.points.size() > 1).toList();
    }

    private List<Point> evidence() {
        Cusum steps = evidenceSteps();
        List<Point> points = new ArrayList<>();
        if (traffic.bad() <= steps.breakEvenRate() * FAR_ABOVE) {
            return points;
        }
        for (int failures = 1; failures <= MOST_FAILURES; failures++) {
            Cusum test = steps.withThreshold(steps.up() * failures);
            add(points, test.meanCalls(traffic.healthy()), test.meanCalls(traffic.bad()));
        }
        return points;
    }

    /** Whether there is anything to draw. */
    boolean canDraw() {
        return !curves().isEmpty()
                || lineup.entrants().stream().anyMatch(entrant -> calls(entrant).count() > 0);
    }

    /** Why there is no line of a rule, where there is none; else nothing. */
    String note() {
        double breakEven = evidenceSteps().breakEvenRate();
        return traffic.bad() > breakEven * FAR_ABOVE
                ? ""
                : " There is no line of a CUSUM: at your c it bears with up to " + Numbers.percent(breakEven)
                        + " failures, and incidents had " + Numbers.percent(traffic.bad()) + ".";
    }

    private Cusum evidenceSteps() {
        return new BreakEven(
                        Math.min(HARDEST, Math.max(1 / HARDEST, lineup.ranking().cost())))
                .steps();
    }

    private List<Point> counted(int calls) {
        List<Point> points = new ArrayList<>();
        for (int failures = 1; failures <= calls; failures++) {
            CountWindow window = new CountWindow(calls, failures);
            if (holds(window.rate())) {
                add(points, window.meanCalls(traffic.healthy()), window.fluidDelay(traffic.healthy(), traffic.bad()));
            }
        }
        return points;
    }

    private List<Point> timed() {
        List<Point> points = new ArrayList<>();
        if (traffic.callsPerSecond() * WINDOW_SECONDS < 2 * MINIMUM_CALLS) {
            return points;
        }
        for (int step = 1; step < RATE_STEPS; step++) {
            TimeWindow window = new TimeWindow(WINDOW_SECONDS, BUCKETS, MINIMUM_CALLS, (double) step / RATE_STEPS);
            if (holds(window.rate())) {
                add(
                        points,
                        window.meanCalls(traffic.callsPerSecond(), traffic.healthy()),
                        window.fluidDelaySeconds(traffic.healthy(), traffic.bad()) * traffic.callsPerSecond());
            }
        }
        return points;
    }

    private boolean holds(double rate) {
        return rate >= FAR_BELOW * traffic.healthy() && traffic.bad() >= FAR_ABOVE * rate;
    }

    private void add(List<Point> points, double callsToFalseTrip, double delayCalls) {
        double perDay = traffic.callsPerDay() / callsToFalseTrip;
        if (perDay >= RAREST && perDay <= MOST_OFTEN) {
            points.add(new Point(perDay, Math.max(1, delayCalls)));
        }
    }

    void write(Markup markup) {
        List<Curve> curves = curves();
        double slowest = curves.stream()
                .flatMap(curve -> curve.points.stream())
                .mapToDouble(Point::delayCalls)
                .max()
                .orElse(10);
        for (Lineup.Entrant entrant : lineup.entrants()) {
            slowest = Math.max(
                    slowest, calls(entrant).count() == 0 ? 1 : calls(entrant).median());
        }
        Scale x = Scale.log(RAREST, MOST_OFTEN, LEFT, RIGHT);
        Scale y = Scale.log(1, Math.max(10, slowest * 1.2), BOTTOM, TOP);
        Picture picture = Picture.open(
                markup,
                "trade-off",
                WIDTH,
                HEIGHT,
                "Calls until it opens against false trips a day",
                "Lines: the thresholds of three kinds of rules by the closed forms, for independent failures. Letters: the replayed policies."
                        + " Left and down is better.");
        picture.yAxis(y, LEFT, RIGHT, 5, Numbers::digits);
        picture.xAxis(x, TOP, BOTTOM, 8, TradeOff::rate);
        picture.text("tick middle", (LEFT + RIGHT) / 2, BOTTOM + 34, "false trips a day");
        picture.text("tick", 2, TOP - 5, "calls until it opens");
        List<Picture.EndLabel> labels = new ArrayList<>();
        for (Curve curve : curves) {
            curve(markup, curve, x, y);
            Point last = curve.points.get(0);
            labels.add(new Picture.EndLabel(curve.name, curve.style, x.at(last.perDay), y.at(last.delayCalls)));
        }
        picture.endLabels(labels, RIGHT + 14, TOP + 8, BOTTOM);
        policies(picture, x, y);
        picture.close();
    }

    private static String rate(double perDay) {
        return perDay >= 1
                ? Numbers.count(Math.round(perDay))
                : perDay >= 0.01 ? Numbers.digits(perDay) : "10" + (perDay < 5e-4 ? "\u207b\u2074" : "\u207b\u00b3");
    }

    private static void curve(Markup markup, Curve curve, Scale x, Scale y) {
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        for (Point point : curve.points) {
            String place = at(x.at(point.perDay)) + " " + at(y.at(point.delayCalls));
            path.append(path.isEmpty() ? "M" : "L").append(place);
            dots.append('M').append(place).append("h0");
        }
        markup.open("g", "class", "curve", "data-rule", curve.name);
        markup.element("title", curve.name + ", one dot for each threshold");
        markup.leaf("path", "class", curve.style, "d", path.toString());
        markup.leaf("path", "class", "dots", "d", dots.toString()).close();
    }

    /** A policy that had no false trip is at the left edge. */
    private void policies(Picture picture, Scale x, Scale y) {
        List<double[]> taken = new ArrayList<>();
        for (Lineup.Entrant entrant : lineup.entrants()) {
            if (calls(entrant).count() == 0) {
                continue;
            }
            double perDay = entrant.result().total().falseTrips() / Math.max(1e-9, result.days());
            double[] place = {
                perDay == 0 ? LEFT + 11 : Math.max(LEFT + 11, x.at(perDay)),
                y.at(Math.max(1, calls(entrant).median()))
            };
            while (taken.stream().anyMatch(other -> Math.hypot(other[0] - place[0], other[1] - place[1]) < 17)) {
                place[0] += place[0] > RIGHT - 20 ? -18 : 18;
            }
            taken.add(place);
            picture.tag(place[0], place[1], entrant);
        }
    }

    private Reaction.Quantiles calls(Lineup.Entrant entrant) {
        return result.reaction(entrant.result()).delayCalls();
    }
}
