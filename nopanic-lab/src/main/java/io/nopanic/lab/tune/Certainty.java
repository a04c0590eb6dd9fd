package io.nopanic.lab.tune;

/** How much a recommendation can be relied on. */
public enum Certainty {
    /** The log has enough to say so. */
    FOUNDED("well founded"),
    /** The log says so, but with little behind it. */
    THIN("thin"),
    /** Not from the log: what is a good value as a rule. */
    RULE_OF_THUMB("a rule of thumb"),
    /** Not from the log either: whoever asks has said so. */
    GIVEN("given"),
    /** The log does not have what it takes. */
    UNKNOWN("cannot tell");

    private final String words;

    Certainty(String words) {
        this.words = words;
    }

    /** In words. */
    @Override
    public String toString() {
        return words;
    }
}
