package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import org.jspecify.annotations.Nullable;

/**
 * Tells what the end of a call is to a breaker. Where nothing but the type of an error decides, it is judged once per class and then known; the memory
 * is a table of {@value #KNOWN} classes, in which a class may push out another.
 *
 * <p>The table is read and written without any ordering: a verdict is immutable, and it does not matter which of two a reader sees.
 */
final class Endings {

    private static final int KNOWN = 8;

    private final Classifier classifier;
    private final boolean looksAtResults;
    private final boolean typesDecide;
    private final long slowAfterNanos;
    private final @Nullable Verdict[] known = new Verdict[KNOWN];

    private record Verdict(Class<?> type, Ending ifFast, Ending ifSlow) {}

    /**
     * Takes the settings.
     *
     * @param slowAfterNanos how long a call takes that is slow; 0: no call is
     */
    Endings(Classifier classifier, long slowAfterNanos) {
        this.classifier = classifier;
        this.slowAfterNanos = slowAfterNanos;
        looksAtResults = classifier.looksAtResults();
        typesDecide = classifier.looksAtTypesOnly();
    }

    Ending of(@Nullable Object result, @Nullable Throwable error, long startNanos, long nowNanos) {
        boolean slow = slowAfterNanos > 0 && nowNanos - startNanos >= slowAfterNanos;
        if (error != null) {
            Verdict verdict = verdict(error);
            return slow ? verdict.ifSlow : verdict.ifFast;
        }
        if (looksAtResults) {
            return switch (classifier.ofResult(result)) {
                case SUCCESS -> Ending.success(slow);
                case FAILURE -> Ending.failure(false, slow);
                case IGNORED, CANCELLED -> Ending.UNJUDGED;
            };
        }
        return Ending.success(slow);
    }

    private Verdict verdict(Throwable error) {
        Class<?> type = error.getClass();
        int place = type.hashCode() & (KNOWN - 1);
        Verdict seen = known[place];
        if (seen != null && seen.type == type) {
            return seen;
        }
        Verdict made = judge(error);
        if (typesDecide && !Failures.isWrapper(error)) {
            known[place] = made;
        }
        return made;
    }

    private Verdict judge(Throwable error) {
        Throwable failure = Failures.unwrap(error);
        Class<?> type = error.getClass();
        return switch (classifier.ofError(failure)) {
            case SUCCESS -> new Verdict(type, Ending.success(false), Ending.success(true));
            case FAILURE -> {
                boolean timeout = Failures.isTimeout(failure);
                yield new Verdict(type, Ending.failure(timeout, false), Ending.failure(timeout, true));
            }
            case IGNORED, CANCELLED -> new Verdict(type, Ending.UNJUDGED, Ending.UNJUDGED);
        };
    }
}
