package io.nopanic.lab.report.html;

import static io.nopanic.lab.report.html.Markup.at;
import static io.nopanic.lab.report.html.WindowGrid.RATES;
import static io.nopanic.lab.report.html.WindowGrid.WINDOWS;

import io.nopanic.lab.report.html.WindowGrid.Cell;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Trip;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Threshold against window: what a window over the last so many calls is worth, from where on there are few false trips, and where the policies are.
 */
final class WindowMap {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 320;
    private static final double LEFT = 44;
    private static final double RIGHT = 384;
    private static final double TOP = 22;
    private static final double BOTTOM = 268;
    /** How far from a letter a number has to be to be read. */
    private static final double NUMBER_WIDTH = 22;

    private final Lineup lineup;
    private final Traffic traffic;
    private final WindowGrid grid;
    private final double cellWidth = (RIGHT - LEFT) / WINDOWS.size();
    private final Scale y = Scale.linear(0.05, 0.95, BOTTOM, TOP);

    private record Place(double x, double y, Lineup.Entrant entrant) {}

    WindowMap(Lineup lineup, Traffic traffic, WindowGrid grid) {
        this.lineup = lineup;
        this.traffic = traffic;
        this.grid = grid;
    }

    void write(Markup markup) {
        Picture picture = Picture.open(
                markup, "window-map", WIDTH, HEIGHT, grid.heading(), grid.sentence() + " " + grid.recommendation());
        List<Cell> cells = grid.cells();
        DoubleSummaryStatistics values = cells.stream()
                .mapToDouble(cell -> Math.log1p(cell.value()))
                .filter(value -> !Double.isNaN(value))
                .summaryStatistics();
        cells.forEach(cell -> shade(markup, cell, values));
        for (int column = 0; column < WINDOWS.size(); column++) {
            picture.text("tick middle", x(column) + cellWidth / 2, BOTTOM + 16, Numbers.count(WINDOWS.get(column)));
        }
        for (double rate : RATES) {
            picture.text("tick end", LEFT - 6, y.at(rate) + 4, Numbers.percent(rate));
        }
        picture.text("tick middle", (LEFT + RIGHT) / 2, BOTTOM + 34, "window, in calls");
        picture.text("tick", 2, TOP - 8, "threshold");
        limit(markup, picture);
        List<Place> places = places();
        cells.stream()
                .filter(cell -> !isTaken(places, x(cell.column()) + cellWidth / 2, y.at(cell.rate()), NUMBER_WIDTH))
                .forEach(cell -> number(picture, cell));
        grid.recommended()
                .ifPresent(cell -> markup.leaf(
                        "rect",
                        "class",
                        "ring",
                        "x",
                        at(x(cell.column()) + 2),
                        "y",
                        at(y.at(cell.rate()) - height() / 2 + 2),
                        "width",
                        at(cellWidth - 4),
                        "height",
                        at(height() - 4),
                        "rx",
                        "5"));
        places.forEach(place -> picture.tag(place.x, place.y, place.entrant));
        picture.close();
    }

    private double x(int column) {
        return LEFT + column * cellWidth;
    }

    private static double height() {
        return (BOTTOM - TOP) / RATES.size();
    }

    private void shade(Markup markup, Cell cell, DoubleSummaryStatistics values) {
        boolean opens = !Double.isNaN(cell.value());
        double range = Math.max(1e-9, values.getMax() - values.getMin());
        double shade = opens ? 0.04 + 0.36 * (Math.log1p(cell.value()) - values.getMin()) / range : 0;
        double top = y.at(cell.rate()) - height() / 2;
        markup.leaf(
                "path",
                "data-window",
                String.valueOf(WINDOWS.get(cell.column())),
                "data-threshold",
                Markup.exact(cell.rate()),
                "data-" + grid.key(),
                Markup.exact(cell.value()),
                "class",
                opens ? "heat" : "never",
                "fill-opacity",
                opens ? String.format(Locale.ROOT, "%.2f", shade) : "1",
                "d",
                Picture.bar(x(cell.column()) + 0.5, top + 0.5, cellWidth - 1, height() - 1));
    }

    private void number(Picture picture, Cell cell) {
        if (!Double.isNaN(cell.value())) {
            picture.text(
                    cell.safe() ? "middle" : "cell middle unsafe",
                    x(cell.column()) + cellWidth / 2,
                    y.at(cell.rate()) + 4,
                    grid.text(cell.value()));
        }
    }

    /** From where on there are few false trips. */
    private void limit(Markup markup, Picture picture) {
        StringBuilder path = new StringBuilder();
        double lastY = BOTTOM;
        for (int column = 0; column < WINDOWS.size(); column++) {
            lastY = y.at(grid.limit(column));
            path.append(column == 0 ? "M" : "V").append(column == 0 ? at(x(0)) + " " + at(lastY) : at(lastY));
            path.append('H').append(at(x(column) + cellWidth));
        }
        markup.leaf("path", "class", "limit-halo", "d", path.toString());
        markup.leaf("path", "class", "limit", "d", path.toString());
        double at = Math.min(lastY, BOTTOM - 14);
        picture.text("strong", RIGHT + 6, at - 3, grid.limit().upper);
        picture.text("strong", RIGHT + 6, at + 11, grid.limit().lower);
    }

    /** Where the letters of policies with a window are; none on top of another. */
    private List<Place> places() {
        List<Place> taken = new ArrayList<>();
        for (Lineup.Entrant entrant : lineup.entrants()) {
            Trip.Rates rates = rates(entrant);
            if (rates == null) {
                continue;
            }
            double x = column(calls(rates.window()));
            double rateY = y.at(rates.failureRate());
            double aside = x > (LEFT + RIGHT) / 2 ? -18 : 18;
            while (isTaken(taken, x, rateY, 17)) {
                x += aside;
            }
            taken.add(new Place(x, rateY, entrant));
        }
        return taken;
    }

    private static boolean isTaken(List<Place> places, double x, double y, double distance) {
        return places.stream().anyMatch(other -> Math.hypot(other.x - x, other.y - y) < distance);
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
        for (int column = 0; column + 1 < WINDOWS.size(); column++) {
            if (calls <= WINDOWS.get(column + 1)) {
                double share = Math.log(calls / WINDOWS.get(column))
                        / Math.log((double) WINDOWS.get(column + 1) / WINDOWS.get(column));
                return x(column) + cellWidth / 2 + Math.max(-0.3, share) * cellWidth;
            }
        }
        return RIGHT - cellWidth * 0.2;
    }
}
