package io.nopanic.lab.tune;

/** Answers to the one question that no log can answer. */
public enum FailureCost {
    /** 0.1. */
    HARMLESS(0.1, "next to nothing: it fails at once, and an answer is always worth a try"),
    /** 1. */
    EQUAL(1, "as much: an error is an error, whoever says no"),
    /** 3. */
    HOLDING(3, "more: the caller waits for it, and it holds a thread or a connection"),
    /** 10. */
    HARMFUL(10, "far more: a user waits for it, or it does harm before it fails");

    /** What is asked. */
    public static final String QUESTION =
            "What does a failed call cost, compared with one that is refused although it would have gone well?";

    private final double refusedCalls;
    private final String words;

    FailureCost(double refusedCalls, String words) {
        this.refusedCalls = refusedCalls;
        this.words = words;
    }

    /** As many calls refused for nothing are as bad as one failed call that was sent. */
    public double refusedCalls() {
        return refusedCalls;
    }

    /** The answer. */
    public String words() {
        return words;
    }
}
