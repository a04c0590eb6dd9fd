package io.nopanic.fallback;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which results are as bad as a failure. Thread-safe. */
final class ResultRules {

    /**
     * A rule.
     *
     * @param bad whether the result is bad
     * @param replacement what makes another of it; {@code null} leaves that to the handlers
     */
    record Rule(Predicate<@Nullable Object> bad, @Nullable Function<@Nullable Object, ?> replacement) {}

    private final List<Rule> rules;
    private final Judge judge = new Judge();

    ResultRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /** The first rule for which the result is bad. */
    @Nullable Rule match(@Nullable Object result) {
        for (Rule rule : rules) {
            if (judge.matches(rule.bad(), result)) {
                return rule;
            }
        }
        return null;
    }

    String describe() {
        return rules.isEmpty() ? "" : "; bad results by " + rules.size() + (rules.size() == 1 ? " rule" : " rules");
    }
}
