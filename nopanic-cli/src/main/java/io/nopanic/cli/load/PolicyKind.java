package io.nopanic.cli.load;

import java.util.Locale;

/** What makes the breaker of the load open, were it to open. */
enum PolicyKind {
    /** The failure rate in a window of 30 s. */
    TIME_WINDOW,
    /** The failure rate in the last so many calls. */
    COUNT_WINDOW,
    /** Failures in a row. */
    CONSECUTIVE;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
