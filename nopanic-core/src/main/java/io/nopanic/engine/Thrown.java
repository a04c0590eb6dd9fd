package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import org.jspecify.annotations.Nullable;

/**
 * The error of a blocking call on its way out. A value that is returned costs a few instructions per policy; an exception that is thrown through
 * policies costs a search for a handler in each that the compiler has not made one piece with its caller. So what the guarded code throws is caught at
 * once, and thrown again once, at the outer end, in code so small that it becomes part of the caller's.
 *
 * <p>A step makes one only after it has given back what it holds: there may be no memory for it.
 */
public record Thrown(Throwable error) {

    /** The error that a step came to, or {@code null} if it came to a result. */
    static @Nullable Throwable errorOf(@Nullable Object outcome) {
        return outcome instanceof Thrown thrown ? thrown.error : null;
    }

    /** What a call came to: {@code outcome}, if that tells the error already, or if there is none. */
    static @Nullable Object outcome(@Nullable Object outcome, @Nullable Throwable error) {
        return error == null || outcome instanceof Thrown ? outcome : new Thrown(error);
    }

    /**
     * The result that a call came to. If it came to an error, throws that as it is.
     *
     * @param <T> what the guarded code returns
     */
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"
    }) // a call may return null; its type says so where it is known
    public static <T> T resultOf(@Nullable Object outcome) throws Exception {
        if (outcome instanceof Thrown thrown) {
            throw Failures.rethrow(thrown.error);
        }
        return (T) outcome;
    }
}
