package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Trip;
import io.nopanic.lab.theory.CountWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Threshold against window: after how many calls a window over the last so many calls opens, where one false trip a day is the limit, and where the
 * policies are. By the closed forms.
 */
final class WindowMap {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 44;
    private static final double RIGHT = 384;
    private static final double TOP = 22;
    private static final double BOTTOM = 268;
    private static final int[] WINDOWS = {10, 20, 50, 100, 200, 500, 1000};
    private static final double[] RATES = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

    /** By how much the failure rate of an incident has to be above the threshold for the formula to hold. */
    private static final double FAR_ABOVE = 1.2;

    private final Lineup lineup;
    private final Traffic traffic;
    private final double cellWidth = (RIGHT - LEFT) / WINDOWS.length;
    private final Scale y = Scale.linear(0.05, 0.95, BOTTOM, TOP);

    /** One combination; {@code delayCalls} is NaN where it would hardly open. */
    private record Cell(int column, CountWindow window, double rate, double delayCalls, boolean safe) {}

    WindowMap(Lineup lineup, Traffic traffic) {
        this.lineup = lineup;
        this.traffic = traffic;
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (int column = 0; column < WINDOWS.length; column++) {
            for (double rate : RATES) {
                CountWindow window = CountWindow.ofRate(WINDOWS[column], rate);
                boolean opens = traffic.bad() >= FAR_ABOVE * window.rate() && traffic.healthy() < window.rate();
                double delay = opens ? window.fluidDelay(traffic.healthy(), traffic.bad()) : Double.NaN;
                cells.add(new Cell(column, window, rate, delay, isSafe(window)));
            }
        }
        return cells;
    }

    /** Whether it has at most one false trip a day. */
    private boolean isSafe(CountWindow window) {
        return traffic.healthy() < window.rate() && window.meanCalls(traffic.healthy()) >= traffic.callsPerDay();
    }

    /** The quickest of those with at most one false trip a day; of the equally quick ones that with the higher threshold. */
    private static Optional<Cell> recommended(List<Cell> cells) {
        Cell best = null;
        for (Cell cell : cells) {
            if (cell.safe && (best == null || cell.delayCalls <= best.delayCalls)) {
                best = Double.isNaN(cell.delayCalls) ? best : cell;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The recommended window and threshold in words. */
    String recommendation() {
        return recommended(cells())
                .map(cell -> "The quickest with at most one false trip a day: " + Numbers.percent(cell.window.rate())
                        + " of the last " + WINDOWS[cell.column] + " calls (ring).")
                .orElse("None of these both opens and has at most one false trip a day.");
    }

    void write(Markup markup) {
        Picture picture = Picture.open(
                markup,
                "window-map",
                WIDTH,
                HEIGHT,
                "Calls until it opens, by window and threshold",
                "Each cell: after how many calls of an incident a count window opens, on average, if failures are independent. "
                        + recommendation());
        List<Cell> cells = cells();
        double slowest = cells.stream()
                .mapToDouble(Cell::delayCalls)
                .filter(d -> !Double.isNaN(d))
                .max()
                .orElse(1);
        cells.forEach(cell -> shade(markup, cell, slowest));
        for (int column = 0; column < WINDOWS.length; column++) {
            picture.text("tick middle", x(column) + cellWidth / 2, BOTTOM + 16, Numbers.count(WINDOWS[column]));
        }
        for (double rate : RATES) {
            picture.text("tick end", LEFT - 6, y.at(rate) + 4, Numbers.percent(rate));
        }
        picture.text("tick middle", (LEFT + RIGHT) / 2, BOTTOM + 34, "window, in calls");
        picture.text("tick", 2, TOP - 8, "threshold");
        limit(markup, picture);
        cells.forEach(cell -> number(picture, cell));
        recommended(cells)
                .ifPresent(cell -> markup.leaf(
                        "rect",
                        "class",
                        "ring",
                        "x",
                        at(x(cell.column) + 2),
                        "y",
                        at(y.at(cell.rate) - height() / 2 + 2),
                        "width",
                        at(cellWidth - 4),
                        "height",
                        at(height() - 4),
                        "rx",
                        "5"));
        policies(picture);
        picture.close();
    }

    private double x(int column) {
        return LEFT + column * cellWidth;
    }

    private static double height() {
        return (BOTTOM - TOP) / RATES.length;
    }

    private void shade(Markup markup, Cell cell, double slowest) {
        boolean opens = !Double.isNaN(cell.delayCalls);
        double shade = opens ? 0.04 + 0.36 * Math.log1p(cell.delayCalls) / Math.log1p(slowest) : 0;
        double top = y.at(cell.rate) - height() / 2;
        markup.leaf(
                "path",
                "data-window",
                String.valueOf(WINDOWS[cell.column]),
                "data-threshold",
                Markup.exact(cell.rate),
                "data-delay-calls",
                Markup.exact(cell.delayCalls),
                "class",
                opens ? "heat" : "never",
                "fill-opacity",
                opens ? String.format(Locale.ROOT, "%.2f", shade) : "1",
                "d",
                Picture.bar(x(cell.column) + 0.5, top + 0.5, cellWidth - 1, height() - 1));
    }

    private void number(Picture picture, Cell cell) {
        if (!Double.isNaN(cell.delayCalls)) {
            picture.text(
                    cell.safe ? "middle" : "cell middle unsafe",
                    x(cell.column) + cellWidth / 2,
                    y.at(cell.rate) + 4,
                    Numbers.count(Math.round(Math.max(1, cell.delayCalls))));
        }
    }

    /** Where there is one false trip a day: for each window, between the lowest number of failures with fewer and the next. */
    private void limit(Markup markup, Picture picture) {
        StringBuilder path = new StringBuilder();
        double lastY = BOTTOM;
        for (int column = 0; column < WINDOWS.length; column++) {
            int n = WINDOWS[column];
            int least = 1;
            while (least < n && !isSafe(new CountWindow(n, least))) {
                least++;
            }
            lastY = y.at((least - 0.5) / n);
            path.append(column == 0 ? "M" : "V").append(column == 0 ? at(x(0)) + " " + at(lastY) : at(lastY));
            path.append('H').append(at(x(column) + cellWidth));
        }
        markup.leaf("path", "class", "limit-halo", "d", path.toString());
        markup.leaf("path", "class", "limit", "d", path.toString());
        double at = Math.min(lastY, BOTTOM - 14);
        picture.text("strong", RIGHT + 6, at - 3, "1 false");
        picture.text("strong", RIGHT + 6, at + 11, "trip a day");
    }

    private void policies(Picture picture) {
        List<double[]> taken = new ArrayList<>();
        for (Lineup.Entrant entrant : lineup.entrants()) {
            Trip.Rates rates = rates(entrant);
            if (rates == null) {
                continue;
            }
            double[] place = {column(calls(rates.window())), y.at(rates.failureRate())};
            double aside = place[0] > (LEFT + RIGHT) / 2 ? -18 : 18;
            while (taken.stream().anyMatch(other -> Math.hypot(other[0] - place[0], other[1] - place[1]) < 17)) {
                place[0] += aside;
            }
            taken.add(place);
            picture.tag(place[0], place[1], entrant);
        }
    }

    private static Trip.@Nullable Rates rates(Lineup.Entrant entrant) {
        if (!(entrant.result().spec() instanceof BreakerSpec spec)) {
            return null;
        }
        Trip trip = spec.trip();
        return trip instanceof Trip.Rates rates ? rates : trip instanceof Trip.Either either ? either.rates() : null;
    }

    private double calls(Trip.Window window) {
        return window instanceof Trip.Window.Calls calls
                ? calls.count()
                : ((Trip.Window.Lasting) window).length().toNanos() / 1e9 * traffic.callsPerSecond();
    }

    /** Between the middles of the columns by the logarithm; beyond them at the edge. */
    private double column(double calls) {
        for (int column = 0; column + 1 < WINDOWS.length; column++) {
            if (calls <= WINDOWS[column + 1]) {
                double share =
                        Math.log(calls / WINDOWS[column]) / Math.log((double) WINDOWS[column + 1] / WINDOWS[column]);
                return x(column) + cellWidth / 2 + Math.max(-0.3, share) * cellWidth;
            }
        }
        return RIGHT - cellWidth * 0.2;
    }
}
