package io.nopanic.fallback;

import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
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
 * {@link Builder#onlyOn}. Never without being asked for by such a type: an {@link Error}, and a cancellation or an interrupt, not even by a
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

    private Fallback(Builder<T> builder, Handlers handlers, ResultRules resultRules) {
        super(builder);
        this.handlers = handlers;
        this.resultRules = resultRules;
        remembers = handlers.anyRemembers();
    }

    /** A fallback to be described. */
    public static <T extends @Nullable Object> Builder<T> builder() {
        return new Builder<>();
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
    public boolean hidesFailures() {
        return handlers.anyIsGeneral();
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

    /**
     * Describes a fallback. At least one handler is needed; there are no defaults. Not thread-safe.
     *
     * <p>A type may have one final answer (a value, a supplier, a function, or a stage), and any number of last good results
     * registered before it. Anything that could never be asked is refused.
     *
     * @param <T> what the guarded calls return
     */
    public static final class Builder<T extends @Nullable Object> extends PolicyBuilder<Builder<T>, Fallback<T>> {

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

        private Builder() {
            super("fallback");
        }

        @Override
        protected Builder<T> self() {
            return this;
        }

        // ---------------- for every exception

        /** Answers with this value. */
        public Builder<T> value(T value) {
            return untyped(Handler.VALUE, false, answerOf(value));
        }

        /** Answers with what the supplier gives, asked anew each time. */
        public Builder<T> supply(Supplier<? extends T> supplier) {
            return untyped(Handler.SUPPLIER, false, answerOf(supplier));
        }

        /** Answers with what the function makes of the failure. */
        public Builder<T> compute(Function<? super Throwable, ? extends T> function) {
            return untyped(Handler.FUNCTION, true, computed(Throwable.class, function));
        }

        /** Answers with how the function's stage ends. A blocking call waits for it. */
        public Builder<T> computeAsync(Function<? super Throwable, ? extends CompletionStage<? extends T>> function) {
            return untyped(Handler.STAGE, true, staged(Throwable.class, function));
        }

        /**
         * Answers with the latest good result of any call through this fallback if it is at most {@code maxAge} old; else the next handler
         * is asked. Good is what the guarded call returned and no rule calls bad; a {@code null} is good. What this fallback answered is
         * not remembered.
         *
         * @param maxAge longer than zero, measured by the monotonic clock from the end of the call that gave the result
         */
        public Builder<T> lastGood(Duration maxAge) {
            return untyped(Handler.LAST_GOOD, false, remembered(maxAge));
        }

        // ---------------- by type

        /** Answers failures of this type with this value. */
        public Builder<T> value(Class<? extends Throwable> type, T value) {
            return typed(type, Handler.VALUE, false, answerOf(value));
        }

        /** Answers failures of this type with what the supplier gives, asked anew each time. */
        public Builder<T> supply(Class<? extends Throwable> type, Supplier<? extends T> supplier) {
            return typed(type, Handler.SUPPLIER, false, answerOf(supplier));
        }

        /** Answers failures of this type with what the function makes of them. */
        public <E extends Throwable> Builder<T> compute(Class<E> type, Function<? super E, ? extends T> function) {
            return typed(type, Handler.FUNCTION, true, computed(type, function));
        }

        /** Answers failures of this type with how the function's stage ends. A blocking call waits for it. */
        public <E extends Throwable> Builder<T> computeAsync(
                Class<E> type, Function<? super E, ? extends CompletionStage<? extends T>> function) {
            return typed(type, Handler.STAGE, true, staged(type, function));
        }

        /** Answers failures of this type as {@link #lastGood(Duration)} does. All share one memory. */
        public Builder<T> lastGood(Class<? extends Throwable> type, Duration maxAge) {
            return typed(type, Handler.LAST_GOOD, false, remembered(maxAge));
        }

        // ---------------- by result

        /**
         * Results of this type that match are as bad as a failure. They are answered by the handlers without a type that need no failure: a
         * value, a supplier, the last good result. Default: every result is good.
         */
        public <R> Builder<T> onResult(Class<R> type, Predicate<? super R> bad) {
            return onResult(ofType(type, bad));
        }

        /** Results that match, {@code null} among them, are as bad as a failure; see {@link #onResult(Class, Predicate)}. */
        public Builder<T> onResult(Predicate<@Nullable Object> bad) {
            resultRules.add(new ResultRules.Rule(Objects.requireNonNull(bad, "bad"), null));
            return this;
        }

        /** Results of this type that match are replaced by what the function makes of them. */
        public <R> Builder<T> onResult(
                Class<R> type, Predicate<? super R> bad, Function<? super R, ? extends T> replacement) {
            Objects.requireNonNull(replacement, "replacement");
            resultRules.add(new ResultRules.Rule(ofType(type, bad), result -> replacement.apply(type.cast(result))));
            return this;
        }

        // ---------------- what is handled

        /**
         * Handlers without a type are for failures of these types only. Default: every {@link Exception} but cancellations and interrupts.
         * Says nothing about handlers that name a type themselves.
         */
        @SafeVarargs
        public final Builder<T> onlyOn(Class<? extends Throwable>... types) {
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
        public final Builder<T> ignore(Class<? extends Throwable>... types) {
            for (Class<? extends Throwable> type : types) {
                ignored.add(Objects.requireNonNull(type, "type")::isInstance);
            }
            return this;
        }

        /** Failures that match stay as they are, whatever the handlers say. A predicate that throws is taken not to match. */
        public Builder<T> ignoreIf(Predicate<? super Throwable> predicate) {
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
            List<Spec> untyped =
                    specs.stream().filter(each -> each.type() == null).toList();
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
                        "onResult",
                        "without an answer",
                        "one of its own, or a handler that needs neither type nor failure");
            }
            if (untyped.isEmpty() && !only.isEmpty()) {
                throw Require.refused("onlyOn", only, "together with a handler without a type of its own");
            }
            List<Handler> all =
                    specs.stream().flatMap(each -> each.handlers(types)).toList();
            return new Fallback<>(this, new Handlers(all, forBadResult, ignored), new ResultRules(resultRules));
        }

        private Builder<T> typed(
                Class<? extends Throwable> type, String kind, boolean needsFailure, Handler.Answer answer) {
            specs.add(new Spec(Objects.requireNonNull(type, "type"), kind, needsFailure, answer));
            return this;
        }

        private Builder<T> untyped(String kind, boolean needsFailure, Handler.Answer answer) {
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
}
