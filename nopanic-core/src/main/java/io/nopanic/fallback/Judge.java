package io.nopanic.fallback;

import io.nopanic.outcome.ReportedOnce;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks predicates of the user. One that throws is taken not to match, and is reported once. Thread-safe. */
final class Judge {

    private final ReportedOnce faults =
            new ReportedOnce(Fallback.class, "a predicate of a fallback threw; it is taken not to match");

    boolean matches(Predicate<@Nullable Object> predicate, @Nullable Object subject) {
        try {
            return predicate.test(subject);
        } catch (Throwable thrown) {
            faults.thrown(thrown);
            return false;
        }
    }
}
