package io.nopanic.lab.logs.format;

import java.io.IOException;

/** Reads the lines of one log. Not thread-safe. */
public interface LineParser {

    /**
     * Reads a line, without what ends it.
     *
     * @throws IOException if a call cannot be handed on; never because of what is in the line
     */
    Verdict read(byte[] bytes, int from, int to) throws IOException;
}
