package io.nopanic.lab.report;

import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Recommendation;
import io.nopanic.lab.tune.Retries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One of the values that are recommended beside the breaker, in words.
 *
 * @param name what is to be set
 * @param value to what, if to anything
 * @param recommendation where it is from
 */
public record RecommendedValue(String name, Optional<String> value, Recommendation<?> recommendation) {

    /** All of them. */
    public static List<RecommendedValue> of(KeyTuning tuning) {
        return List.of(
                of("slowAfter", slowAfter(tuning), Durations::text),
                of("timeout", tuning.timeout(), Durations::text),
                of("bulkhead", tuning.bulkhead(), String::valueOf),
                of("retry", tuning.retries(), RecommendedValue::text),
                of("hedge after", tuning.hedge(), Durations::text));
    }

    private static Recommendation<Duration> slowAfter(KeyTuning tuning) {
        boolean isUnused = tuning.breaker().spec().slowAfter().isEmpty()
                && tuning.slowAfter().value().isPresent();
        return isUnused
                ? tuning.slowAfter()
                        .withReason("for an adaptive breaker; the recommended one does not tell slow calls from others")
                : tuning.slowAfter();
    }

    private static <T> RecommendedValue of(String name, Recommendation<T> from, Function<T, String> text) {
        return new RecommendedValue(name, from.value().map(text), from);
    }

    private static String text(Retries retries) {
        return retries.attempts() == 1
                ? "not at all"
                : retries.attempts() + " attempts, budget " + Plain.percent(retries.budgetRatio());
    }
}
