package io.nopanic.lab.report.html;

import io.nopanic.lab.theory.CountWindow;
import java.util.ArrayList;
import java.util.List;

/** After how many calls of an incident windows open, by the closed forms for independent failures. */
final class FormulaGrid implements WindowGrid {

    private final Traffic traffic;
    private final Limit limit;
    private final List<Cell> cells = new ArrayList<>();

    FormulaGrid(Traffic traffic, int keys) {
        this.traffic = traffic;
        limit = Limit.oneADay(keys);
        for (int column = 0; column < WINDOWS.size(); column++) {
            for (double rate : RATES) {
                CountWindow window = CountWindow.ofRate(WINDOWS.get(column), rate);
                boolean opens = traffic.bad() >= window.rate() && traffic.healthy() < window.rate();
                double delay = opens ? window.fluidDelay(traffic.healthy(), traffic.bad()) : Double.NaN;
                cells.add(new Cell(column, rate, delay, isSafe(window)));
            }
        }
    }

    private boolean isSafe(CountWindow window) {
        return traffic.healthy() < window.rate() && window.meanCalls(traffic.healthy()) >= traffic.callsPerDay();
    }

    @Override
    public List<Cell> cells() {
        return cells;
    }

    /** Between the lowest number of failures with fewer false trips and the next. */
    @Override
    public double limit(int column) {
        int calls = WINDOWS.get(column);
        int least = 1;
        while (least < calls && !isSafe(new CountWindow(calls, least))) {
            least++;
        }
        return (least - 0.5) / calls;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public String text(double value) {
        return Numbers.count(Math.round(Math.max(1, value)));
    }

    @Override
    public String key() {
        return "delay-calls";
    }

    @Override
    public String heading() {
        return "Calls until it opens, by window and threshold";
    }

    @Override
    public String sentence() {
        return "By formula: after how many calls of an incident a count window opens, on average, if failures are independent; a guess"
                + " where incidents fail little more often than the threshold. The log has too many calls, or keys, to try them all.";
    }

    @Override
    public String hatched() {
        return "incidents fail too seldom to open them, or ordinary calls often enough";
    }

    @Override
    public String best() {
        return "quickest";
    }
}
