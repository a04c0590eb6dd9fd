package io.nopanic.lab.traffic;

import java.util.Locale;

/** How an incident goes. */
public enum Shape {
    /** All the time as bad. */
    STEP,
    /** From nothing at its beginning, in a straight line, to its severity at its end. */
    RAMP,
    /** Bad for half a period, well for the other half, over and over. */
    FLAP,
    /** Failures come one after the other in runs. */
    BURST,
    /** Calls succeed, but take long. */
    SLOW,
    /** Calls do not answer until they time out. */
    HANG;

    /** As it is written in a file. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
