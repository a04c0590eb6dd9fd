package io.nopanic.lab.tune;

/** Kinds of breakers, the simplest first. */
public enum Family {
    /** The adaptive breaker, told what a failure costs and nothing else. */
    ADAPTIVE_DEFAULT("adaptive"),
    /** The adaptive breaker with another cost, or another number of probes. */
    ADAPTIVE("adaptive, tuned"),
    /** The one that is in use, as it is or with another open time. */
    CURRENT("yours, or with another open time"),
    /** One with a window and thresholds. */
    CLASSIC("classic");

    private final String words;

    Family(String words) {
        this.words = words;
    }

    /** In words. */
    @Override
    public String toString() {
        return words;
    }
}
