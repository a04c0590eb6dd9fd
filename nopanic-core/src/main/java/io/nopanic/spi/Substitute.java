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

    /** What this code returns or throws. */
    record Compute(Callable<?> code) implements Substitute {}

    /** How this stage ends. A blocking call waits for it. */
    record ComputeStage(Supplier<? extends CompletionStage<?>> code) implements Substitute {}

    /** Only before a call: make it, and hand {@code token} to {@link Substitution#after}. */
    record Proceed(@Nullable Object token) implements Substitute {}

    /**
     * Only before a call: answer with {@code value} at once, and make the call in the background; {@code token} goes to
     * {@link Substitution#after}, whose answer is dropped.
     */
    record Refresh(@Nullable Object value, @Nullable Object token) implements Substitute {}

    /** Only before a call: wait until {@code signal} ends, however it ends, and ask {@link Substitution#before} again. */
    record AskAgain(CompletionStage<?> signal) implements Substitute {}
}
