package io.nopanic.lab.predict;

/** What a predicted value counts. */
public enum Unit {
    /** Calls. */
    CALLS,
    /** Seconds. */
    SECONDS,
    /** A part of a whole, from 0 to 1. */
    SHARE,
    /** Anything else that is counted: probes, slots, failures. */
    COUNT
}
