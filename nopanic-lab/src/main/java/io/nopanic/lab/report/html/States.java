package io.nopanic.lab.report.html;

import io.nopanic.events.CircuitState;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Span;
import io.nopanic.lab.replay.StateTimeline;
import java.util.Arrays;

/** Which part of each column of a picture the breakers of a policy were open, and half-open. */
final class States {

    private static final int STEPS = 4;

    private final double[] open;
    private final double[] halfOpen;
    private final Span span;

    private States(Span span, int columns) {
        this.span = span;
        open = new double[columns];
        halfOpen = new double[columns];
    }

    /** Those of all keys, as the mean over them. */
    static States of(PolicyResult policy, Span span, int columns) {
        return of(policy, span, columns, -1);
    }

    /** Those of one key; of all if it is less than zero. */
    static States of(PolicyResult policy, Span span, int columns, int onlyKey) {
        States states = new States(span, columns);
        int keys = policy.byKey().size();
        long[] sinceNanos = new long[keys];
        CircuitState[] state = new CircuitState[keys];
        Arrays.fill(sinceNanos, span.startNanos());
        Arrays.fill(state, CircuitState.CLOSED);
        double weight = onlyKey < 0 ? 1.0 / Math.max(1, keys) : 1;
        for (StateTimeline.Change change : policy.timeline().changes()) {
            int key = change.key();
            if (onlyKey < 0 || key == onlyKey) {
                states.add(state[key], sinceNanos[key], change.nanos(), weight);
                sinceNanos[key] = change.nanos();
                state[key] = change.state();
            }
        }
        // What comes after the changes that were left out is not known; it is drawn as closed.
        if (policy.timeline().dropped() == 0) {
            for (int key = 0; key < keys; key++) {
                states.add(state[key], sinceNanos[key], span.endNanos(), weight);
            }
        }
        return states;
    }

    private void add(CircuitState state, long fromNanos, long toNanos, double weight) {
        double[] into = state == CircuitState.OPEN ? open : state == CircuitState.HALF_OPEN ? halfOpen : null;
        double width = (double) Math.max(1, span.lengthNanos()) / open.length;
        double from = Math.max(0, (fromNanos - span.startNanos()) / width);
        double to = Math.min(open.length, (toNanos - span.startNanos()) / width);
        if (into == null || to < from || toNanos < span.startNanos() || fromNanos > span.endNanos()) {
            return;
        }
        for (int column = (int) from; column < Math.min(open.length, Math.ceil(to)); column++) {
            into[column] += weight * (Math.min(to, column + 1.0) - Math.max(from, column));
        }
    }

    double open(int column) {
        return open[column];
    }

    double halfOpen(int column) {
        return halfOpen[column];
    }

    /**
     * Draws them as a strip: a line while closed, above it a bar as high as the share of the column.
     *
     * @param left where the first column begins
     * @param width of all columns
     */
    void draw(Markup markup, double left, double width, double top, double height) {
        markup.leaf("path", "class", "closed", "d", Picture.bar(left, top, width, height));
        StringBuilder openBars = new StringBuilder();
        StringBuilder halfBars = new StringBuilder();
        double each = width / open.length;
        int column = 0;
        while (column < open.length) {
            int next = column + 1;
            double openHeight = openHeight(column, height);
            double halfHeight = halfOpenHeight(column, height);
            while (next < open.length
                    && openHeight(next, height) == openHeight
                    && halfOpenHeight(next, height) == halfHeight) {
                next++;
            }
            double x = left + column * each;
            if (openHeight > 0) {
                openBars.append(Picture.bar(x, top + height - openHeight, (next - column) * each, openHeight));
            }
            if (halfHeight > 0) {
                halfBars.append(
                        Picture.bar(x, top + height - openHeight - halfHeight, (next - column) * each, halfHeight));
            }
            column = next;
        }
        path(markup, "open", openBars);
        path(markup, "half-open", halfBars);
    }

    /** Leaves room for the other state, if there is some of it. */
    private double openHeight(int column, double height) {
        double most = halfOpen[column] > 0 ? height - height / STEPS : height;
        return Math.min(most, visible(open[column], height));
    }

    private double halfOpenHeight(int column, double height) {
        return Math.min(height - openHeight(column, height), visible(halfOpen[column], height));
    }

    /** In quarters, so that much of it is alike and takes little space; something is never nothing. */
    private static double visible(double share, double height) {
        return share <= 0 ? 0 : Math.max(1, Math.round(STEPS * Math.min(1, share))) * height / STEPS;
    }

    private static void path(Markup markup, String style, StringBuilder bars) {
        if (!bars.isEmpty()) {
            markup.leaf("path", "class", style, "d", bars.toString());
        }
    }
}
