package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import org.jspecify.annotations.Nullable;

/**
 * The error of a blocking call on its way out. A value that is returned costs a few instructions per policy; an exception that is thrown through
 * policies costs a search for a handler in each that the compiler has not made one piece with its caller. So what the guarded code throws is caught at
 * once, and thrown again once, at the outer end.
 */
record Thrown(Throwable error) {

    /** The error that a step came to, or {@code null} if it came to a result. */
    static @Nullable Throwable errorOf(@Nullable Object outcome) {
        return outcome instanceof Thrown thrown ? thrown.error : null;
    }

    /** The result that a step came to. If it came to an error, throws that. */
    static @Nullable Object resultOf(@Nullable Object outcome) {
        if (outcome instanceof Thrown thrown) {
            throw Failures.rethrow(thrown.error);
        }
        return outcome;
    }
}
