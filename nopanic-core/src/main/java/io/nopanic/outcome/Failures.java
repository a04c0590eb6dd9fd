package io.nopanic.outcome;

import java.net.SocketTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** What can be told from a {@link Throwable} alone. */
public final class Failures {

    /** Wrappers nested deeper than this are taken as they are; it also ends a cycle of causes. */
    private static final int MAX_WRAPPERS = 16;

    private Failures() {}

    /**
     * The failure itself, looked for through {@link CompletionException} and {@link ExecutionException}. A wrapper without a cause
     * is its own failure.
     */
    public static Throwable unwrap(Throwable error) {
        Throwable current = error;
        for (int i = 0; i < MAX_WRAPPERS; i++) {
            if (!isWrapper(current)) {
                return current;
            }
            Throwable cause = current.getCause();
            if (cause == null) {
                return current;
            }
            current = cause;
        }
        return current;
    }

    /** Whether an error is one of those that the JDK puts around the failure of a stage or a task. */
    public static boolean isWrapper(Throwable error) {
        return error instanceof CompletionException || error instanceof ExecutionException;
    }

    /** Whether the unwrapped failure means that the call was given up: cancelled or interrupted. */
    public static boolean isCancellation(Throwable unwrapped) {
        return unwrapped instanceof CancellationException
                || unwrapped instanceof InterruptedException
                || unwrapped instanceof CallInterruptedException;
    }

    /** Whether all errors of this type are cancellations, interrupts or refusals, which say nothing about a dependency unless somebody says so. */
    public static boolean isReserved(Class<? extends Throwable> type) {
        return RejectedException.class.isAssignableFrom(type)
                || CancellationException.class.isAssignableFrom(type)
                || InterruptedException.class.isAssignableFrom(type)
                || CallInterruptedException.class.isAssignableFrom(type);
    }

    /**
     * Whether the unwrapped failure means that time ran out: nopanic's own timeout, the JDK's, a socket's, or any exception whose
     * class name ends with {@code TimeoutException} (as those of the JDK's HTTP client and of JDBC do).
     */
    public static boolean isTimeout(Throwable unwrapped) {
        return unwrapped instanceof TimeoutExceededException
                || unwrapped instanceof TimeoutException
                || unwrapped instanceof SocketTimeoutException
                || unwrapped.getClass().getName().endsWith("TimeoutException");
    }

    /**
     * Throws an error as it is, whether the compiler expects it or not, so that it need not be wrapped.
     *
     * @return nothing; the type lets a caller write {@code throw rethrow(error)}
     */
    public static RuntimeException rethrow(Throwable error) {
        throw Failures.<RuntimeException>unchecked(error);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException unchecked(Throwable error) throws X {
        throw (X) error;
    }
}
