package io.nopanic.lab.logs.write;

/** Writes calls as lines of one format. */
interface LineWriter {

    /** What stands in front of all calls; nothing in most formats. */
    default String header() {
        return "";
    }

    /** Whether programs of this format write a line when the call begins, instead of when it has ended. */
    default boolean isOrderedByStart() {
        return false;
    }

    /** Adds the line of a call, without its end. */
    void append(StringBuilder line, WrittenCall call);
}
