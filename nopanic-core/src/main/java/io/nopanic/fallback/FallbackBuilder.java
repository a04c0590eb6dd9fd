package io.nopanic.fallback;

import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.spi.Substitute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes a {@link Fallback}. At least one handler is needed; there are no defaults. Not thread-safe.
 *
 * <p>A type may have one final answer (a value, a supplier, a function, or a stage), and any number of last good results
 * registered before it. Anything that could never be asked is refused.
 *
 * @param <T> what the guarded calls return
 */
public final class FallbackBuilder<T extends @Nullable Object> extends PolicyBuilder<FallbackBuilder<T>, Fallback<T>> {

    /** A handler as it was registered. */
    private record Spec(
            @Nullable Class<? extends Throwable> type, String kind, boolean needsFailure, Handler.Answer answer) {

        Stream<Handler> handlers(List<Class<? extends Throwable>> typesOfUntyped) {
            List<Class<? extends Throwable>> types = type == null ? typesOfUntyped : List.of(type);
            return types.stream().map(each -> new Handler(each, kind, needsFailure, answer));
        }
    }

    private final List<Spec> specs = new ArrayList<>();
    private final List<Class<? extends Throwable>> only = new ArrayList<>();
    private final List<Predicate<@Nullable Object>> ignored = new ArrayList<>();
    private final List<ResultRules.Rule> resultRules = new ArrayList<>();

    FallbackBuilder() {
        super("fallback");
    }

    @Override
    protected FallbackBuilder<T> self() {
        return this;
    }

    // ------------------------------------------------------------------------------------------------- for every exception

    /** Answers with this value. */
    public FallbackBuilder<T> value(T value) {
        return untyped(Handler.VALUE, false, answerOf(value));
    }

    /** Answers with what the supplier gives, asked anew each time. */
    public FallbackBuilder<T> supply(Supplier<? extends T> supplier) {
        return untyped(Handler.SUPPLIER, false, answerOf(supplier));
    }

    /** Answers with what the function makes of the failure. */
    public FallbackBuilder<T> compute(Function<? super Throwable, ? extends T> function) {
        return untyped(Handler.FUNCTION, true, computed(Throwable.class, function));
    }

    /** Answers with how the function's stage ends. A blocking call waits for it. */
    public FallbackBuilder<T> computeAsync(
            Function<? super Throwable, ? extends CompletionStage<? extends T>> function) {
        return untyped(Handler.STAGE, true, staged(Throwable.class, function));
    }

    /**
     * Answers with the latest good result of any call through this fallback if it is at most {@code maxAge} old; else the next handler
     * is asked. Good is what the guarded call returned and no rule calls bad; a {@code null} is good. What this fallback answered is
     * not remembered.
     *
     * @param maxAge longer than zero, measured by the monotonic clock from the end of the call that gave the result
     */
    public FallbackBuilder<T> lastGood(Duration maxAge) {
        return untyped(Handler.LAST_GOOD, false, remembered(maxAge));
    }

    // --------------------------------------------------------------------------------------------------------- by type

    /** Answers failures of this type with this value. */
    public FallbackBuilder<T> value(Class<? extends Throwable> type, T value) {
        return typed(type, Handler.VALUE, false, answerOf(value));
    }

    /** Answers failures of this type with what the supplier gives, asked anew each time. */
    public FallbackBuilder<T> supply(Class<? extends Throwable> type, Supplier<? extends T> supplier) {
        return typed(type, Handler.SUPPLIER, false, answerOf(supplier));
    }

    /** Answers failures of this type with what the function makes of them. */
    public <E extends Throwable> FallbackBuilder<T> compute(Class<E> type, Function<? super E, ? extends T> function) {
        return typed(type, Handler.FUNCTION, true, computed(type, function));
    }

    /** Answers failures of this type with how the function's stage ends. A blocking call waits for it. */
    public <E extends Throwable> FallbackBuilder<T> computeAsync(
            Class<E> type, Function<? super E, ? extends CompletionStage<? extends T>> function) {
        return typed(type, Handler.STAGE, true, staged(type, function));
    }

    /** Answers failures of this type as {@link #lastGood(Duration)} does. All share one memory. */
    public FallbackBuilder<T> lastGood(Class<? extends Throwable> type, Duration maxAge) {
        return typed(type, Handler.LAST_GOOD, false, remembered(maxAge));
    }

    // ------------------------------------------------------------------------------------------------------- by result

    /**
     * Results of this type that match are as bad as a failure. They are answered by the handlers without a type that need no failure: a
     * value, a supplier, the last good result. Default: every result is good.
     */
    public <R> FallbackBuilder<T> onResult(Class<R> type, Predicate<? super R> bad) {
        return onResult(ofType(type, bad));
    }

    /** Results that match, {@code null} among them, are as bad as a failure; see {@link #onResult(Class, Predicate)}. */
    public FallbackBuilder<T> onResult(Predicate<@Nullable Object> bad) {
        resultRules.add(new ResultRules.Rule(Objects.requireNonNull(bad, "bad"), null));
        return this;
    }

    /** Results of this type that match are replaced by what the function makes of them. */
    public <R> FallbackBuilder<T> onResult(
            Class<R> type, Predicate<? super R> bad, Function<? super R, ? extends T> replacement) {
        Objects.requireNonNull(replacement, "replacement");
        resultRules.add(
                new ResultRules.Rule(ofType(type, bad), result -> replacement.apply(type.cast(result))));
        return this;
    }

    // --------------------------------------------------------------------------------------------------- what is handled

    /**
     * Handlers without a type are for failures of these types only. Default: every {@link Exception} but cancellations and interrupts.
     * Says nothing about handlers that name a type themselves.
     */
    @SafeVarargs
    public final FallbackBuilder<T> onlyOn(Class<? extends Throwable>... types) {
        for (Class<? extends Throwable> type : types) {
            Class<? extends Throwable> added = Objects.requireNonNull(type, "type");
            if (!only.contains(added)) {
                only.add(added);
            }
        }
        return this;
    }

    /** Failures of these types stay as they are, whatever the handlers say. Default: none. */
    @SafeVarargs
    public final FallbackBuilder<T> ignore(Class<? extends Throwable>... types) {
        for (Class<? extends Throwable> type : types) {
            ignored.add(Objects.requireNonNull(type, "type")::isInstance);
        }
        return this;
    }

    /** Failures that match stay as they are, whatever the handlers say. A predicate that throws is taken not to match. */
    public FallbackBuilder<T> ignoreIf(Predicate<? super Throwable> predicate) {
        ignored.add(ofType(Throwable.class, predicate));
        return this;
    }

    /**
     * The fallback.
     *
     * @throws IllegalArgumentException if nothing answers, or something could never be asked
     */
    @Override
    public Fallback<T> build() {
        List<Spec> untyped = specs.stream().filter(each -> each.type() == null).toList();
        boolean badResultsNeedAnswer = resultRules.stream().anyMatch(rule -> rule.replacement() == null);
        List<Class<? extends Throwable>> types = only.isEmpty() ? List.of(Exception.class) : List.copyOf(only);
        List<Handler> forBadResult = untyped.stream()
                .filter(each -> badResultsNeedAnswer && !each.needsFailure())
                .flatMap(each -> each.handlers(List.of(Exception.class)))
                .toList();
        if (specs.isEmpty() && resultRules.isEmpty()) {
            throw Require.refused("handlers", "none", "at least one answer");
        }
        if (badResultsNeedAnswer && forBadResult.isEmpty()) {
            throw Require.refused(
                    "onResult", "without an answer", "one of its own, or a handler that needs neither type nor failure");
        }
        if (untyped.isEmpty() && !only.isEmpty()) {
            throw Require.refused("onlyOn", only, "together with a handler without a type of its own");
        }
        List<Handler> all = specs.stream().flatMap(each -> each.handlers(types)).toList();
        return new Fallback<>(this, new Handlers(all, forBadResult, ignored), new ResultRules(resultRules));
    }

    private FallbackBuilder<T> typed(
            Class<? extends Throwable> type, String kind, boolean needsFailure, Handler.Answer answer) {
        specs.add(new Spec(Objects.requireNonNull(type, "type"), kind, needsFailure, answer));
        return this;
    }

    private FallbackBuilder<T> untyped(String kind, boolean needsFailure, Handler.Answer answer) {
        specs.add(new Spec(null, kind, needsFailure, answer));
        return this;
    }

    private static Handler.Answer answerOf(@Nullable Object value) {
        Substitute answer = new Substitute.Value(value);
        return (failure, memory, nowNanos) -> answer;
    }

    private static Handler.Answer answerOf(Supplier<?> supplier) {
        Substitute answer = new Substitute.Compute(Objects.requireNonNull(supplier, "supplier")::get);
        return (failure, memory, nowNanos) -> answer;
    }

    private static <E extends Throwable> Handler.Answer computed(Class<E> type, Function<? super E, ?> function) {
        Objects.requireNonNull(function, "function");
        return (failure, memory, nowNanos) -> new Substitute.Compute(() -> function.apply(type.cast(failure)));
    }

    private static <E extends Throwable> Handler.Answer staged(
            Class<E> type, Function<? super E, ? extends CompletionStage<?>> function) {
        Objects.requireNonNull(function, "function");
        return (failure, memory, nowNanos) -> new Substitute.ComputeStage(() -> function.apply(type.cast(failure)));
    }

    private static Handler.Answer remembered(Duration maxAge) {
        long maxAgeNanos = Require.positive("maxAge", maxAge);
        return (failure, memory, nowNanos) -> memory.notOlderThan(maxAgeNanos, nowNanos);
    }

    private static <R> Predicate<@Nullable Object> ofType(Class<R> type, Predicate<? super R> predicate) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(predicate, "predicate");
        return result -> type.isInstance(result) && predicate.test(type.cast(result));
    }
}
