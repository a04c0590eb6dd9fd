package io.nopanic.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the end of a call means. Immutable and thread-safe; costs nothing for a result when no rule looks at results.
 *
 * <p>An error is first unwrapped ({@link Failures#unwrap}). Then, in this order: an ignore rule makes it {@link Outcome#IGNORED}; a
 * cancellation or an interrupt is {@link Outcome#CANCELLED} and a {@link RejectedException} is {@code IGNORED}, unless a type of that very kind was
 * named as a failure; any other is a {@link Outcome#FAILURE}, or, once failures have been named, {@code IGNORED} unless it is one of them. A result is
 * {@code IGNORED} or a {@code FAILURE} when a rule says so and a {@link Outcome#SUCCESS} otherwise. So ignoring always beats failing, and a named
 * type covers its subclasses.
 *
 * <p>A predicate that throws is taken not to match; it is reported once, and the call's own outcome stands.
 */
public final class Classifier {

    private static final Classifier DEFAULT = builder().build();

    private final List<Predicate<@Nullable Object>> ignoredErrors;
    private final List<Predicate<@Nullable Object>> failedErrors;
    private final List<Predicate<@Nullable Object>> failedByName;
    private final List<Predicate<@Nullable Object>> ignoredResults;
    private final List<Predicate<@Nullable Object>> failedResults;
    private final boolean looksAtResults;
    private final boolean looksAtTypesOnly;
    private final ReportedOnce faults =
            new ReportedOnce(Classifier.class, "a predicate that classifies outcomes threw; it is taken not to match");

    private Classifier(Builder builder) {
        ignoredErrors = List.copyOf(builder.ignoredErrors);
        failedErrors = List.copyOf(builder.failedErrors);
        failedByName = List.copyOf(builder.failedByName);
        ignoredResults = List.copyOf(builder.ignoredResults);
        failedResults = List.copyOf(builder.failedResults);
        looksAtTypesOnly = builder.looksAtTypesOnly;
        looksAtResults = !ignoredResults.isEmpty() || !failedResults.isEmpty();
    }

    /** The default: every exception and {@link Error} is a failure, but for cancellations, interrupts and refusals. */
    public static Classifier standard() {
        return DEFAULT;
    }

    /** A builder that starts from the default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether any rule looks at results; if not, every result is a success. */
    public boolean looksAtResults() {
        return looksAtResults;
    }

    /** Whether an error's type alone decides what it means, so that two errors of one class that are not wrappers always mean the same. */
    public boolean looksAtTypesOnly() {
        return looksAtTypesOnly;
    }

    /** What a returned value means. */
    public Outcome ofResult(@Nullable Object result) {
        if (!looksAtResults) {
            return Outcome.SUCCESS;
        }
        if (matches(ignoredResults, result)) {
            return Outcome.IGNORED;
        }
        return matches(failedResults, result) ? Outcome.FAILURE : Outcome.SUCCESS;
    }

    /** What a thrown error means. */
    public Outcome ofError(Throwable error) {
        Throwable failure = Failures.unwrap(error);
        if (matches(ignoredErrors, failure)) {
            return Outcome.IGNORED;
        }
        boolean cancelled = Failures.isCancellation(failure);
        if (cancelled || failure instanceof RejectedException) {
            return matches(failedByName, failure) ? Outcome.FAILURE : cancelled ? Outcome.CANCELLED : Outcome.IGNORED;
        }
        boolean failed = (failedErrors.isEmpty() && failedByName.isEmpty())
                || matches(failedErrors, failure)
                || matches(failedByName, failure);
        return failed ? Outcome.FAILURE : Outcome.IGNORED;
    }

    /** What a call's end means: of its error if there is one, else of its result. */
    public Outcome of(@Nullable Object result, @Nullable Throwable error) {
        return error == null ? ofResult(result) : ofError(error);
    }

    private boolean matches(List<Predicate<@Nullable Object>> rules, @Nullable Object subject) {
        // By index: an iterator would be allocated for every result.
        for (int i = 0; i < rules.size(); i++) {
            try {
                if (rules.get(i).test(subject)) {
                    return true;
                }
            } catch (Throwable thrown) {
                faults.thrown(thrown);
            }
        }
        return false;
    }

    /** Collects rules. Not thread-safe. */
    public static final class Builder {

        private final List<Predicate<@Nullable Object>> ignoredErrors = new ArrayList<>();
        private final List<Predicate<@Nullable Object>> failedErrors = new ArrayList<>();
        private final List<Predicate<@Nullable Object>> failedByName = new ArrayList<>();
        private final List<Predicate<@Nullable Object>> ignoredResults = new ArrayList<>();
        private final List<Predicate<@Nullable Object>> failedResults = new ArrayList<>();

        private boolean looksAtTypesOnly = true;

        private Builder() {}

        /**
         * Errors of this type are failures; once any is named, other errors are ignored. Cancellations, interrupts and refusals are failures only if a
         * type of that kind is named itself, not by a more general one such as {@link Exception}.
         */
        public Builder failOn(Class<? extends Throwable> type) {
            Objects.requireNonNull(type, "type");
            if (Failures.isReserved(type)) {
                failedByName.add(type::isInstance);
                return this;
            }
            failedErrors.add(type::isInstance);
            return this;
        }

        /** Errors that match are failures; once any is named, other errors are ignored. Not asked about cancellations, interrupts and refusals. */
        public Builder failIf(Predicate<? super Throwable> predicate) {
            failedErrors.add(typed(Throwable.class, predicate));
            looksAtTypesOnly = false;
            return this;
        }

        /** Results that match are failures. */
        public Builder failOnResult(Predicate<@Nullable Object> predicate) {
            failedResults.add(Objects.requireNonNull(predicate, "predicate"));
            return this;
        }

        /** Results of this type that match are failures. */
        public <R> Builder failOnResult(Class<R> type, Predicate<? super R> predicate) {
            return failOnResult(typed(type, predicate));
        }

        /** Errors of this type say nothing about the dependency: a caller's own fault. */
        public Builder ignore(Class<? extends Throwable> type) {
            Objects.requireNonNull(type, "type");
            ignoredErrors.add(type::isInstance);
            return this;
        }

        /** Errors that match say nothing about the dependency. */
        public Builder ignoreIf(Predicate<? super Throwable> predicate) {
            ignoredErrors.add(typed(Throwable.class, predicate));
            looksAtTypesOnly = false;
            return this;
        }

        /** Results that match say nothing about the dependency. */
        public Builder ignoreResult(Predicate<@Nullable Object> predicate) {
            ignoredResults.add(Objects.requireNonNull(predicate, "predicate"));
            return this;
        }

        /** Results of this type that match say nothing about the dependency. */
        public <R> Builder ignoreResult(Class<R> type, Predicate<? super R> predicate) {
            return ignoreResult(typed(type, predicate));
        }

        private static <R> Predicate<@Nullable Object> typed(Class<R> type, Predicate<? super R> predicate) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(predicate, "predicate");
            return result -> type.isInstance(result) && predicate.test(type.cast(result));
        }

        /** The classifier. */
        public Classifier build() {
            return new Classifier(this);
        }
    }
}
