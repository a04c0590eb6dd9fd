package io.nopanic.stress;

/** What all parts are told. */
public interface Mode {

    /** Whether there are only a few minutes. */
    boolean isQuick();
}
