package io.nopanic.lab.call;

/** What the end of a call says about the dependency. */
public enum Ending {
    /** It answered. */
    SUCCESS,
    /** It failed. */
    FAILURE,
    /** It did not answer in time; a failure that is counted apart. */
    TIMEOUT,
    /** It answered, but too late to be of use, as {@link SlowCalls} has it; a failure that is counted apart. */
    SLOW,
    /** The caller's own fault, or a call that never got there: says nothing. */
    IGNORED;

    /** Whether it is a failure of the dependency. */
    public boolean isFailed() {
        return this == FAILURE || this == TIMEOUT || this == SLOW;
    }

    /** Whether there was an answer, late or not. */
    public boolean isAnswered() {
        return this == SUCCESS || this == SLOW;
    }
}
