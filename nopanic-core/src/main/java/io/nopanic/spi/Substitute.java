package io.nopanic.spi;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer in place of a call's own. */
public sealed interface Substitute {

    /** This value. */
    record Value(@Nullable Object value) implements Substitute {}

    /** This error. */
    record Failure(Throwable error) implements Substitute {}

    /**
     * What this code returns or throws. If it throws, that comes out as it is, and the error that it was to replace is added to it as
     * suppressed unless the two are the same object.
     */
    record Compute(Callable<?> code) implements Substitute {}

    /**
     * How this stage ends; a blocking call waits for it. What is thrown, in place of a stage or by it, is treated as for
     * {@link Compute}; no stage at all ({@code null}) is a {@link NullPointerException}.
     */
    record ComputeStage(Supplier<? extends CompletionStage<?>> code) implements Substitute {}

    /** Only before a call: make it, and hand {@code token} to {@link Substitution#after}. */
    record Proceed(@Nullable Object token) implements Substitute {}

    /**
     * Only before a call: answer with {@code value} at once, and make the call in the background; {@code token} goes to
     * {@link Substitution#after}, whose answer is dropped. A blocking call runs on {@link Substitution#executor()}; one that
     * cannot be started is told to {@code after} with the reason.
     */
    record Refresh(@Nullable Object value, @Nullable Object token) implements Substitute {}

    /**
     * Only before a call: wait until {@code signal} ends. If it ends with a substitute (a {@link Value}, {@link Failure},
     * {@link Compute} or {@link ComputeStage}), that is the answer; if it ends with {@code null} or fails, ask
     * {@link Substitution#before} again. The signal is shared by all who wait, so it is never cancelled by one who leaves.
     */
    record AskAgain(CompletionStage<? extends @Nullable Substitute> signal) implements Substitute {}
}
