package io.nopanic.lab.logs.format;

/** How a call ended where there is no status code, or where more is known than that. */
public enum FailureKind {
    /** There was no answer in time. */
    TIMEOUT,
    /** The connection could not be made, or broke. */
    IO,
    /** It failed, and no more is known. */
    ERROR,
    /** Whoever called did not wait for the answer. */
    CANCELLED
}
