package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Repetition;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Goes again, after a wait, as long as the policy says so. What the policy needs to know of this call is kept here. */
final class RepetitionStage extends Stage {

    private static final int ATTEMPT = 0;
    private static final int DELAY = 1;
    private static final int START = 2;
    private static final int RESUME_AT = 3;

    private final Repetition repetition;
    private final Step next;
    private final boolean measuresElapsed;

    RepetitionStage(Context context, Repetition repetition, Step next) {
        super(context, repetition.measuresElapsed() || next.readsTimeOnEntry);
        this.repetition = repetition;
        this.next = next;
        measuresElapsed = repetition.measuresElapsed();
    }

    // ---------------- blocking

    @Override
    <T> T call(Callable<? extends T> body, long nowNanos, long deadlineNanos) throws Exception {
        repetition.onCall();
        long startNanos = timeOnEntry(nowNanos);
        T result;
        try {
            result = next.call(body, startNanos, deadlineNanos);
        } catch (Throwable thrown) {
            return goAgain(body, startNanos, deadlineNanos, null, thrown);
        }
        return repetition.accepts(result) ? result : goAgain(body, startNanos, deadlineNanos, result, null);
    }

    /** Everything after a first attempt that was not good enough. */
    private <T> T goAgain(
            Callable<? extends T> body,
            long startNanos,
            long deadlineNanos,
            @Nullable T firstResult,
            @Nullable Throwable firstError)
            throws Exception {
        @Nullable T result = firstResult;
        @Nullable Throwable error = firstError;
        long delayNanos = 0;
        for (int number = 1; ; number++) {
            long nowNanos = context.time().nanos();
            Repetition.Attempt attempt = new Repetition.Attempt(
                    number,
                    delayNanos,
                    nowNanos,
                    nowNanos - startNanos,
                    Context.remaining(deadlineNanos, nowNanos),
                    result,
                    error);
            delayNanos = repetition.delayNanos(attempt);
            if (delayNanos < 0) {
                return stands(result, error);
            }
            try {
                Waits.sleep(context.time(), repetition, delayNanos);
            } catch (Throwable cutShort) {
                repetition.onAbandoned(attempt);
                throw cutShort;
            }
            try {
                result = next.call(body, Context.UNREAD_NANOS, deadlineNanos);
                error = null;
                if (repetition.accepts(result)) {
                    return result;
                }
            } catch (Throwable thrown) {
                result = null;
                error = thrown;
            }
        }
    }

    @SuppressWarnings("NullAway") // a call may return null; its type says so where it is known
    private static <T> T stands(@Nullable T result, @Nullable Throwable error) {
        if (error != null) {
            throw Failures.rethrow(error);
        }
        return result;
    }

    // ---------------- staged

    @Override
    int slots() {
        return 4;
    }

    @Override
    Move down(StagedCall<?> call) {
        repetition.onCall();
        // A retry further out may come by again.
        call.slot(ATTEMPT, 0);
        call.slot(DELAY, 0);
        if (measuresElapsed) {
            call.slot(START, call.nowNanos());
        }
        return Move.DEEPER;
    }

    @Override
    Move up(StagedCall<?> call) {
        if (call.error == null && repetition.accepts(call.result)) {
            return Move.OUT;
        }
        if (call.isAbandoned() && (call.error == null || !Failures.isCancellation(call.error))) {
            return call.fail(call.cancelled());
        }
        long nowNanos = call.nowNanos();
        Repetition.Attempt attempt = new Repetition.Attempt(
                (int) call.slot(ATTEMPT) + 1,
                call.slot(DELAY),
                nowNanos,
                nowNanos - call.slot(START),
                Context.remaining(call.deadlineNanos, nowNanos),
                call.result,
                call.error);
        long delayNanos = repetition.delayNanos(attempt);
        if (delayNanos < 0) {
            return Move.OUT;
        }
        call.slot(ATTEMPT, attempt.number());
        call.slot(DELAY, delayNanos);
        call.slot(RESUME_AT, nowNanos + delayNanos);
        call.pending = attempt;
        return resume(call);
    }

    @Override
    Move resume(StagedCall<?> call) {
        Repetition.Attempt attempt = (Repetition.Attempt) Objects.requireNonNull(call.pending);
        try {
            return waitForDelay(call, attempt);
        } catch (Throwable cutShort) {
            repetition.onAbandoned(attempt);
            throw cutShort;
        }
    }

    private Move waitForDelay(StagedCall<?> call, Repetition.Attempt attempt) {
        for (; ; ) {
            if (call.isAbandoned()) {
                repetition.onAbandoned(attempt);
                call.pending = null;
                return call.fail(call.cancelled());
            }
            long remainingNanos = call.slot(RESUME_AT) - call.nowNanos();
            if (remainingNanos <= 0) {
                call.pending = null;
                return Move.DEEPER;
            }
            if (call.park(remainingNanos)) {
                return Move.PARKED;
            }
        }
    }
}
