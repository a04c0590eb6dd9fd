package io.nopanic.lab.predict;

/** What a predicted value is worth. */
public enum Worth {
    /** From a formula that is exact if failures are independent. */
    EXACT,
    /** From a formula that is off by as much as its note says. */
    APPROXIMATE,
    /** From runs of the production breaker under virtual time; lies in its interval with a probability of 95 %. */
    SIMULATED
}
