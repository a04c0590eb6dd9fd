package io.nopanic.outcome;

/** What the end of a call says about the thing that was called. */
public enum Outcome {
    /** It worked. */
    SUCCESS,
    /** It failed in a way that speaks against it. */
    FAILURE,
    /** It ended in a way that says nothing about it: the caller's own fault, or a refusal by a policy further in. */
    IGNORED,
    /** It was given up before it could say anything: cancelled or interrupted. */
    CANCELLED
}
