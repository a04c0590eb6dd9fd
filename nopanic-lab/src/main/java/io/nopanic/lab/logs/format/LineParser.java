package io.nopanic.lab.logs.format;

/** Reads the lines of one log. Not thread-safe. */
public interface LineParser {

    /** Reads a line, without what ends it. */
    Verdict read(byte[] bytes, int from, int to);
}
