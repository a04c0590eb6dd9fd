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
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        repetition.onCall();
        long startNanos = timeOnEntry(nowNanos);
        Object outcome;
        try {
            outcome = next.call(body, startNanos, deadlineNanos);
        } catch (Throwable thrown) {
            outcome = new Thrown(thrown);
        }
        return isGood(outcome) ? outcome : goAgain(body, startNanos, deadlineNanos, outcome);
    }

    private boolean isGood(@Nullable Object outcome) {
        return !(outcome instanceof Thrown) && repetition.accepts(outcome);
    }

    /** Everything after a first attempt that was not good enough. */
    private @Nullable Object goAgain(
            Callable<?> body, long startNanos, long deadlineNanos, @Nullable Object firstOutcome)
            throws InterruptedException {
        Object outcome = firstOutcome;
        long delayNanos = 0;
        for (int number = 1; ; number++) {
            long nowNanos = context.time().nanos();
            Throwable error = Thrown.errorOf(outcome);
            Repetition.Attempt attempt = new Repetition.Attempt(
                    number,
                    delayNanos,
                    nowNanos,
                    nowNanos - startNanos,
                    Context.remaining(deadlineNanos, nowNanos),
                    error == null ? outcome : null,
                    error);
            delayNanos = repetition.delayNanos(attempt);
            if (delayNanos < 0) {
                return outcome;
            }
            try {
                Waits.sleep(context.time(), repetition, delayNanos);
            } catch (Throwable cutShort) {
                repetition.onAbandoned(attempt);
                throw cutShort;
            }
            try {
                outcome = next.call(body, Context.UNREAD_NANOS, deadlineNanos);
            } catch (Throwable thrown) {
                outcome = new Thrown(thrown);
            }
            if (isGood(outcome)) {
                return outcome;
            }
        }
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
