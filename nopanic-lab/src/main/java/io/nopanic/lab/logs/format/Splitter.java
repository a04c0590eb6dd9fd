package io.nopanic.lab.logs.format;

import org.jspecify.annotations.Nullable;

/** Finds the fields of a line. May remember things from line to line, such as the names of columns. */
interface Splitter {

    /** Puts the fields of a line in their places; {@code null} if it has them. */
    @Nullable Verdict split(byte[] bytes, int from, int to, Fields into);

    /** Whether lines of this format can have a field at all. */
    boolean knows(int field);
}
