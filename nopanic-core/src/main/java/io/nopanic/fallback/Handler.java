package io.nopanic.fallback;

import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Failures;
import io.nopanic.spi.Substitute;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What answers one type of failure.
 *
 * @param type the type; its subclasses are covered
 * @param kind the word for it in events
 * @param needsFailure whether it makes its answer from the failure, so that it cannot answer a bad result
 * @param answer what it answers
 */
record Handler(Class<? extends Throwable> type, String kind, boolean needsFailure, Answer answer) {

    static final String VALUE = "value";
    static final String SUPPLIER = "supplier";
    static final String FUNCTION = "function";
    static final String STAGE = "stage";
    static final String LAST_GOOD = "last good";

    /** The answer to a failure, which is {@code null} for a bad result; {@code null} passes the question on. */
    @FunctionalInterface
    interface Answer {
        @Nullable Substitute to(@Nullable Throwable failure, LastGood memory, long nowNanos);
    }

    /** A cancellation or interrupt is handled only by a type that means nothing else. */
    boolean handles(Throwable failure) {
        return type.isInstance(failure) && (!Failures.isCancellation(failure) || meansCancellation(type));
    }

    /** Whether it always has an answer, so that handlers behind it for the same type are never asked. */
    boolean isFinal() {
        return !kind.equals(LAST_GOOD);
    }

    /** How many classes lie between the type and {@link Throwable}. Of two types that fit a failure, the deeper is the more specific. */
    int depth() {
        int depth = 0;
        for (Class<?> each = type; each != Throwable.class && each != null; each = each.getSuperclass()) {
            depth++;
        }
        return depth;
    }

    private static boolean meansCancellation(Class<?> type) {
        return CancellationException.class.isAssignableFrom(type)
                || InterruptedException.class.isAssignableFrom(type)
                || CallInterruptedException.class.isAssignableFrom(type);
    }
}
