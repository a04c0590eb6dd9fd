package io.nopanic.lab.traffic;

import java.util.Locale;

/** When calls come. */
public enum Arrivals {
    /** Independently of each other. */
    POISSON,
    /** At equal distances. */
    CONSTANT;

    /** As it is written in a file. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
