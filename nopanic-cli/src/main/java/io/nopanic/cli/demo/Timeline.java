package io.nopanic.cli.demo;

import io.nopanic.cli.terminal.Screen;
import io.nopanic.cli.terminal.Screen.Colour;
import io.nopanic.events.CircuitState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Draws runs over time: a column is a fixed number of milliseconds, a call is a bar for the time it took and ends with a sign for how it ended. Signs that
 * would fall on each other are moved on by a column.
 */
final class Timeline {

    private static final int WIDTH = 78;
    private static final int MARK_EVERY = 10;
    private static final String INDENT = "  ";
    private static final long MILLI = 1_000_000;
    private static final long[] MILLIS_PER_COLUMN = {12, 14, 16, 18, 20, 24, 30, 40, 50, 75, 100, 150, 200, 500, 1000};

    private final Screen screen;
    private final long columnNanos;

    /** The finest scale on which the longest of the runs fits in. */
    Timeline(Screen screen, List<Run> runs) {
        this.screen = screen;
        long longestNanos = runs.stream().mapToLong(Run::totalNanos).max().orElse(0);
        columnNanos = MILLI
                * Arrays.stream(MILLIS_PER_COLUMN)
                        .filter(millis -> millis * MILLI * WIDTH > longestNanos)
                        .findFirst()
                        .orElse(longestNanos / MILLI / WIDTH + 1);
    }

    /** A sign, in Unicode and in ASCII, and the colour that repeats what it says. */
    private enum Sign {
        WAITING('\u2501', '=', Colour.FAINT),
        FAILED('\u2717', 'X', Colour.BAD),
        OK('\u25cf', 'o', Colour.GOOD),
        SHORT_CIRCUITED('\u25cb', '-', Colour.INSTEAD),
        CLOSED('\u2500', '_', Colour.GOOD),
        OPEN('\u2588', '#', Colour.INSTEAD),
        HALF_OPEN('\u2592', '?', Colour.FAINT),
        NOTHING(' ', ' ', Colour.FAINT);

        private final char unicode;
        private final char ascii;
        private final Colour colour;

        Sign(char unicode, char ascii, Colour colour) {
            this.unicode = unicode;
            this.ascii = ascii;
            this.colour = colour;
        }

        static Sign of(MadeCall.Outcome outcome) {
            return switch (outcome) {
                case OK -> OK;
                case FAILED -> FAILED;
                case SHORT_CIRCUITED -> SHORT_CIRCUITED;
            };
        }

        static Sign of(CircuitState state) {
            return switch (state) {
                case CLOSED, FORCED_CLOSED -> CLOSED;
                case OPEN, FORCED_OPEN -> OPEN;
                case HALF_OPEN -> HALF_OPEN;
            };
        }
    }

    /** What the signs of the calls mean. */
    String legendOfCalls() {
        return INDENT + word(Sign.OK, "answered") + "   " + word(Sign.FAILED, "failed") + "   "
                + word(Sign.SHORT_CIRCUITED, "short-circuited: answered from the cache") + "   "
                + word(Sign.WAITING, "waiting");
    }

    /** What the signs of the breaker mean. */
    String legendOfStates() {
        return INDENT + "breaker: " + word(Sign.CLOSED, "closed") + "   " + word(Sign.OPEN, "open") + "   "
                + word(Sign.HALF_OPEN, "half-open, one probe is out");
    }

    private String word(Sign sign, String meaning) {
        return paint(sign, 1) + " " + meaning;
    }

    /** The time, in milliseconds, above every tenth column. */
    String scale() {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column <= WIDTH - MARK_EVERY; column += MARK_EVERY) {
            String unit = column == 0 ? " ms" : "";
            line.append(String.format(Locale.ROOT, "%-10s", column * (columnNanos / MILLI) + unit));
        }
        return screen.paint(Colour.FAINT, INDENT + line.toString().stripTrailing());
    }

    /** The calls of a run. */
    String calls(Run run) {
        Sign[] line = empty();
        int free = 0;
        for (MadeCall call : run.calls()) {
            int start = Math.max(free, column(call.startNanos()));
            int end = Math.max(start, column(call.endNanos()) - 1);
            fill(line, start, end, Sign.WAITING);
            fill(line, end, end + 1, Sign.of(call.outcome()));
            free = end + 1;
        }
        return paint(line);
    }

    /** The states of the breaker meanwhile. */
    String states(Run run) {
        Sign[] line = empty();
        fill(line, 0, Math.max(1, column(run.totalNanos())), Sign.CLOSED);
        for (Run.Change change : run.changes()) {
            fill(line, column(change.atNanos()), Math.max(1, column(run.totalNanos())), Sign.of(change.to()));
        }
        return paint(line);
    }

    private int column(long nanos) {
        return (int) ((nanos + columnNanos / 2) / columnNanos);
    }

    private static Sign[] empty() {
        Sign[] line = new Sign[WIDTH];
        Arrays.fill(line, Sign.NOTHING);
        return line;
    }

    private static void fill(Sign[] line, int from, int to, Sign sign) {
        if (from < line.length) {
            Arrays.fill(line, from, Math.max(from, Math.min(to, line.length)), sign);
        }
    }

    private String paint(Sign[] line) {
        StringBuilder text = new StringBuilder(INDENT);
        int end = line.length;
        while (end > 0 && line[end - 1] == Sign.NOTHING) {
            end--;
        }
        for (int i = 0; i < end; ) {
            int run = i;
            while (run < end && line[run] == line[i]) {
                run++;
            }
            text.append(paint(line[i], run - i));
            i = run;
        }
        return text.toString();
    }

    private String paint(Sign sign, int times) {
        String text =
                String.valueOf(screen.unicode() ? sign.unicode : sign.ascii).repeat(times);
        return sign == Sign.NOTHING ? text : screen.paint(sign.colour, text);
    }
}
