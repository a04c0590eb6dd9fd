package io.nopanic.lab.logs.format;

/** What the fields of a line say about calls. */
interface Meaning {

    /** Reads a line whose fields have been found. */
    Verdict read(Fields fields);
}
