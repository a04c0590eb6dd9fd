package io.nopanic.lab.report.html;

import java.util.ArrayList;
import java.util.List;

/**
 * Where on a line a value lies. Values beyond the ends are drawn at the ends.
 *
 * @param log whether equal ratios, rather than equal differences, are equally far apart
 * @param from the value at {@code start}; more than zero if {@code log}
 * @param to the value at {@code end}, more than {@code from}
 */
record Scale(boolean log, double from, double to, double start, double end) {

    private static final double[] NICE = {1, 2, 5, 10};

    static Scale linear(double from, double to, double start, double end) {
        return new Scale(false, from, to > from ? to : from + 1, start, end);
    }

    static Scale log(double from, double to, double start, double end) {
        return new Scale(true, from, to > from ? to : from * 10, start, end);
    }

    double at(double value) {
        double share = log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
        return start + Math.max(0, Math.min(1, share)) * (end - start);
    }

    /** Round values to mark, about so many at the most. */
    List<Double> ticks(int most) {
        return log ? powers(most) : steps(most);
    }

    private List<Double> steps(int most) {
        double step = niceAbove((to - from) / most);
        List<Double> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-12) + 1e-12; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private List<Double> powers(int most) {
        int first = (int) Math.ceil(Math.log10(from) - 1e-9);
        int last = (int) Math.floor(Math.log10(to) + 1e-9);
        int every = Math.max(1, (int) Math.ceil((last - first + 1) / (double) most));
        List<Double> ticks = new ArrayList<>();
        for (int power = first; power <= last; power++) {
            if (Math.floorMod(power, every) == 0) {
                ticks.add(power(power, 1));
                if (last - first <= 1) {
                    addWithin(ticks, power(power, 2));
                    addWithin(ticks, power(power, 5));
                }
            }
        }
        if (last - first <= 1) {
            addWithin(ticks, power(first - 1, 5));
            addWithin(ticks, power(first - 1, 2));
        }
        return ticks;
    }

    private void addWithin(List<Double> ticks, double value) {
        if (value >= from && value <= to) {
            ticks.add(value);
        }
    }

    private static double power(int power, double times) {
        return Double.parseDouble((int) times + "e" + power);
    }

    /** The least of 1, 2 or 5 times a power of ten that is not less than a number above zero. */
    static double niceAbove(double number) {
        int power = (int) Math.floor(Math.log10(number));
        for (double factor : NICE) {
            double candidate = factor * Math.pow(10, power);
            if (candidate >= number * (1 - 1e-9)) {
                return candidate;
            }
        }
        return Math.pow(10, power + 1.0);
    }
}
