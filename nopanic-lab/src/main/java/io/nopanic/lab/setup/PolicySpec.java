package io.nopanic.lab.setup;

import java.util.List;

/** A policy as a user wrote it, checked. */
public sealed interface PolicySpec permits BreakerSpec, NoBreaker {

    /** What the user called it: the preset, the one-line form, or the name of the file. */
    String name();

    /** What it does, in words. */
    String describe();

    /** Where this differs from what the name promises; empty if nowhere. */
    List<String> notes();
}
