package io.nopanic.lab.call;

/** What the end of a call says about the dependency. */
public enum Ending {
    /** It answered. */
    SUCCESS,
    /** It failed. */
    FAILURE,
    /** It did not answer in time; a failure that is counted apart. */
    TIMEOUT,
    /** The caller's own fault, or a call that never got there: says nothing. */
    IGNORED;

    /** Whether it is a failure of the dependency. */
    public boolean isFailed() {
        return this == FAILURE || this == TIMEOUT;
    }
}
