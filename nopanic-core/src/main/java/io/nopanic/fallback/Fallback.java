package io.nopanic.fallback;

import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers in place of a call that failed.
 *
 * <pre>{@code
 * Fallback<Rates> rates = Fallback.<Rates>builder()
 *         .lastGood(Duration.ofMinutes(10))
 *         .value(CircuitOpenException.class, Rates.PUBLISHED)
 *         .compute(failure -> Rates.unknown(failure.getMessage()))
 *         .build();
 * }</pre>
 *
 * <p>Every handler is for one type of failure and its subclasses. The failure is looked for inside {@code CompletionException} and
 * {@code ExecutionException} first; the handler of the most specific type answers. A last good result that is missing or too old passes
 * the question on to the next handler, which may be one of the same type or of a more general one. When no handler is left, the call's
 * own end stands, wrappers and all.
 *
 * <p>Handlers without a type are for every {@link Exception}, nopanic's own refusals and timeouts included, or only for the types named by
 * {@link FallbackBuilder#onlyOn}. Never without being asked for by such a type: an {@link Error}, and a cancellation or an interrupt, not even by a
 * handler for {@code Exception} or {@code Throwable}.
 *
 * <p>What a fallback throws comes out as it is. The failure it was to replace is added to it as suppressed, unless the two
 * are the same object.
 *
 * <p>A fallback is told its type but the pipeline it stands in is not: if that runs calls of another type, the answer surfaces there as a
 * {@link ClassCastException}.
 *
 * <p>Thread-safe. A call that returns costs nothing here unless results are judged or remembered; remembering costs one
 * small object a call and a reading of the clock. The memory for the last good result is one, whatever the arguments of the calls were:
 * results that depend on arguments belong into a cache.
 *
 * @param <T> what the guarded calls return
 */
public final class Fallback<T extends @Nullable Object> extends PolicyBase implements Substitution {

    private final Handlers handlers;
    private final ResultRules resultRules;
    private final boolean remembers;
    private final LastGood memory = new LastGood();

    Fallback(FallbackBuilder<T> builder, Handlers handlers, ResultRules resultRules) {
        super(builder);
        this.handlers = handlers;
        this.resultRules = resultRules;
        remembers = handlers.anyRemembers();
    }

    /** A fallback to be described. */
    public static <T extends @Nullable Object> FallbackBuilder<T> builder() {
        return new FallbackBuilder<>();
    }

    /** Answers every exception with this value. */
    public static <T extends @Nullable Object> Fallback<T> ofValue(T value) {
        return Fallback.<T>builder().value(value).build();
    }

    /** Answers every exception with what the supplier gives. */
    public static <T extends @Nullable Object> Fallback<T> ofSupplier(Supplier<? extends T> supplier) {
        return Fallback.<T>builder().supply(supplier).build();
    }

    /** Answers every exception with what the function makes of it. */
    public static <T extends @Nullable Object> Fallback<T> ofFunction(
            Function<? super Throwable, ? extends T> function) {
        return Fallback.<T>builder().compute(function).build();
    }

    /** Answers every exception with how the function's stage ends. */
    public static <T extends @Nullable Object> Fallback<T> ofStage(
            Function<? super Throwable, ? extends CompletionStage<? extends T>> function) {
        return Fallback.<T>builder().computeAsync(function).build();
    }

    @Override
    public String describe() {
        return handlers.describe() + resultRules.describe();
    }

    @Override
    public boolean readsTime() {
        return remembers || !resultRules.isEmpty();
    }

    @Override
    public @Nullable Substitute after(
            @Nullable Object token, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        return error == null ? afterResult(nowNanos, result) : afterError(nowNanos, error);
    }

    private @Nullable Substitute afterResult(long nowNanos, @Nullable Object result) {
        ResultRules.Rule rule = resultRules.match(result);
        if (rule == null) {
            if (remembers) {
                memory.remember(result, nowNanos);
            }
            return null;
        }
        if (rule.replacement() == null) {
            return use(handlers.forBadResult(), null, nowNanos);
        }
        Function<@Nullable Object, ?> replacement = rule.replacement();
        return used(Handler.FUNCTION, null, nowNanos, new Substitute.Compute(() -> replacement.apply(result)));
    }

    private @Nullable Substitute afterError(long nowNanos, Throwable error) {
        Throwable failure = Failures.unwrap(error);
        return handlers.isIgnored(failure) ? null : use(handlers.byType(), failure, nowNanos);
    }

    private @Nullable Substitute use(List<Handler> candidates, @Nullable Throwable failure, long nowNanos) {
        for (Handler handler : candidates) {
            if (failure == null || handler.handles(failure)) {
                Substitute answer = handler.answer().to(failure, memory, nowNanos);
                if (answer != null) {
                    return used(handler.kind(), failure, nowNanos, answer);
                }
            }
        }
        return null;
    }

    private Substitute used(String kind, @Nullable Throwable failure, long nowNanos, Substitute answer) {
        if (events().isListenedTo()) {
            events().publish(new Event.FallbackUsed(stamp(nowNanos), kind, failure));
        }
        return answer;
    }
}
