package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Tells what the end of a call is to a breaker. Where nothing but the type of an error decides, the first {@value #MAX_KNOWN} classes are judged once and
 * then known.
 *
 * <p>What is known is a list of immutable verdicts, read and written without any ordering. If two threads add to it at the same time, one class is judged
 * again.
 */
final class Endings {

    private static final int MAX_KNOWN = 8;

    private final Classifier classifier;
    private final boolean looksAtResults;
    private final boolean typesDecide;
    private final SlowLimit slowLimit;
    private final boolean callsCanBeSlow;
    private @Nullable Verdict known;

    /**
     * What an error of one class is.
     *
     * @param older what was known before
     * @param position its place in the list, from 1
     */
    private record Verdict(
            Class<?> type,
            Ending ifFast,
            Ending ifSlow,
            @Nullable Verdict older,
            int position) {}

    Endings(Classifier classifier, SlowLimit slowLimit) {
        this.classifier = classifier;
        this.slowLimit = slowLimit;
        callsCanBeSlow = slowLimit.isSet();
        looksAtResults = classifier.looksAtResults();
        typesDecide = classifier.looksAtTypesOnly();
    }

    Ending of(@Nullable Object result, @Nullable Throwable error, long startNanos, long nowNanos) {
        return callsCanBeSlow ? timed(result, error, nowNanos - startNanos) : ending(result, error, false);
    }

    private Ending timed(@Nullable Object result, @Nullable Throwable error, long tookNanos) {
        Ending ending = ending(result, error, tookNanos >= slowLimit.nanos());
        if (ending.isJudged() && !ending.isFailed()) {
            slowLimit.learn(tookNanos);
        }
        return ending;
    }

    private Ending ending(@Nullable Object result, @Nullable Throwable error, boolean slow) {
        if (error != null) {
            Verdict verdict = verdict(error);
            return slow ? verdict.ifSlow : verdict.ifFast;
        }
        return looksAtResults ? ending(classifier.ofResult(result), false, slow) : Ending.success(slow);
    }

    private Verdict verdict(Throwable error) {
        Class<?> type = error.getClass();
        for (Verdict each = known; each != null; each = each.older) {
            if (each.type == type) {
                return each;
            }
        }
        return judge(error);
    }

    private Verdict judge(Throwable error) {
        Throwable failure = Failures.unwrap(error);
        Verdict older = known;
        int position = older == null ? 1 : older.position + 1;
        Outcome outcome = classifier.ofError(failure);
        boolean timeout = Failures.isTimeout(failure);
        Verdict verdict = new Verdict(
                error.getClass(), ending(outcome, timeout, false), ending(outcome, timeout, true), older, position);
        if (typesDecide && position <= MAX_KNOWN && !Failures.isWrapper(error)) {
            known = verdict;
        }
        return verdict;
    }

    private static Ending ending(Outcome outcome, boolean timeout, boolean slow) {
        return switch (outcome) {
            case SUCCESS -> Ending.success(slow);
            case FAILURE -> Ending.failure(timeout, slow);
            case IGNORED, CANCELLED -> Ending.UNJUDGED;
        };
    }
}
