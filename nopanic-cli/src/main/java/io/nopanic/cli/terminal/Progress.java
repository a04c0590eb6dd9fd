package io.nopanic.cli.terminal;

import java.util.function.DoubleConsumer;

/** One line that says how far things are and is gone when they are done; nothing at all where nobody watches. Not thread-safe. */
public final class Progress {

    private final Screen screen;
    private final boolean shown;
    private int width;

    private Progress(Screen screen, boolean shown) {
        this.screen = screen;
        this.shown = shown;
    }

    /** A line on a terminal. */
    public static Progress on(Screen screen) {
        return new Progress(screen, screen.terminal());
    }

    /** No line, wherever the output goes. */
    public static Progress none(Screen screen) {
        return new Progress(screen, false);
    }

    /** Whether anybody sees it. */
    public boolean isShown() {
        return shown;
    }

    /** Replaces what the line says. */
    public void show(String text) {
        if (shown) {
            screen.out().print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            screen.out().flush();
            width = text.length();
        }
    }

    /** Says from time to time which share of something is done, 0 to 1. */
    public DoubleConsumer share(String what) {
        return done -> show(what + " ... " + Math.round(100 * done) + " %");
    }

    /** Takes the line away; what is written next begins where it was. */
    public void clear() {
        if (width > 0) {
            screen.out().print("\r" + " ".repeat(width) + "\r");
            screen.out().flush();
            width = 0;
        }
    }
}
