package io.nopanic.retry;

import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.RejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is retried, in the words of a {@link Classifier}: what shall be tried again is a failure, what shall
 * not is ignored. Not thread-safe.
 *
 * <p>Beyond a classifier's own rules some kinds of errors are <em>reserved</em>: refusals by a policy, cancellations,
 * interrupts and {@link Error}s. A rule that merely happens to cover them does not reach them; naming such a type
 * itself does.
 */
final class RetryRules {

    private static final List<Class<? extends Throwable>> RESERVED = List.of(
            RejectedException.class,
            CancellationException.class,
            InterruptedException.class,
            CallInterruptedException.class,
            Error.class);

    private final List<Consumer<Classifier.Builder>> rules = new ArrayList<>();
    private boolean errorsNamed;

    void retryOn(Class<? extends Throwable> type) {
        Objects.requireNonNull(type, "type");
        if (RESERVED.stream().anyMatch(reserved -> reserved.isAssignableFrom(type))) {
            errorsNamed = true;
            rules.add(classifier -> classifier.failOn(type));
        } else {
            retryIf(type::isInstance);
        }
    }

    void retryIf(Predicate<? super Throwable> predicate) {
        Objects.requireNonNull(predicate, "predicate");
        errorsNamed = true;
        rules.add(classifier -> classifier.failIf(error -> !isReserved(error) && predicate.test(error)));
    }

    void giveUpOn(Class<? extends Throwable> type) {
        Objects.requireNonNull(type, "type");
        rules.add(classifier -> classifier.ignore(type));
    }

    void giveUpIf(Predicate<? super Throwable> predicate) {
        Objects.requireNonNull(predicate, "predicate");
        rules.add(classifier -> classifier.ignoreIf(predicate));
    }

    void retryOnResult(Predicate<@Nullable Object> predicate) {
        Objects.requireNonNull(predicate, "predicate");
        rules.add(classifier -> classifier.failOnResult(predicate));
    }

    <R> void retryOnResult(Class<R> type, Predicate<? super R> predicate) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(predicate, "predicate");
        rules.add(classifier -> classifier.failOnResult(type, predicate));
    }

    Classifier build() {
        Classifier.Builder classifier = Classifier.builder();
        rules.forEach(rule -> rule.accept(classifier));
        if (!errorsNamed) {
            classifier.failIf(error -> !isReserved(error));
        }
        return classifier.build();
    }

    private static boolean isReserved(Throwable error) {
        return error instanceof RejectedException || error instanceof Error || Failures.isCancellation(error);
    }
}
