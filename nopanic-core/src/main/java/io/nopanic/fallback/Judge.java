package io.nopanic.fallback;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks predicates of the user. One that throws is taken not to match, and is reported once. Thread-safe. */
final class Judge {

    private final AtomicBoolean reported = new AtomicBoolean();

    boolean matches(Predicate<@Nullable Object> predicate, @Nullable Object subject) {
        try {
            return predicate.test(subject);
        } catch (Throwable thrown) {
            if (reported.compareAndSet(false, true)) {
                System.getLogger(Fallback.class.getName())
                        .log(
                                Level.WARNING,
                                "a predicate of a fallback threw; it is taken not to match (reported once)",
                                thrown);
            }
            return false;
        }
    }
}
