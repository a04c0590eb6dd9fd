package io.nopanic.lab.tune;

import java.util.Optional;

/**
 * What to set, and why.
 *
 * @param value nothing if it is better not set, or if the log does not tell
 * @param certainty how much it can be relied on
 * @param calls how many calls it is from
 * @param why the evidence, in a sentence
 */
public record Recommendation<T>(Optional<T> value, Certainty certainty, long calls, String why) {

    static <T> Recommendation<T> of(T value, Certainty certainty, long calls, String why) {
        return new Recommendation<>(Optional.of(value), certainty, calls, why);
    }

    /** With one reason more. */
    public Recommendation<T> withReason(String reason) {
        return new Recommendation<>(value, certainty, calls, why + "; " + reason);
    }

    static <T> Recommendation<T> none(Certainty certainty, long calls, String why) {
        return new Recommendation<>(Optional.empty(), certainty, calls, why);
    }
}
