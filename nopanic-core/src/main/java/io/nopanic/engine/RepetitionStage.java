package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Repetition;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Goes again, after a wait, as long as the policy says so. What the policy needs to know of this call is kept here. */
final class RepetitionStage extends Stage {

    private static final int START = 0;

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
        return measuresElapsed ? 1 : 0;
    }

    @Override
    Move down(StagedCall<?> call) {
        repetition.onCall();
        // A retry further out may come by again.
        call.note(null);
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
        Pause before = (Pause) call.note();
        Repetition.Attempt attempt = new Repetition.Attempt(
                before == null ? 1 : before.after.number() + 1,
                before == null ? 0 : before.delayNanos,
                nowNanos,
                measuresElapsed ? nowNanos - call.slot(START) : 0,
                Context.remaining(call.deadlineNanos, nowNanos),
                call.result,
                call.error);
        long delayNanos = repetition.delayNanos(attempt);
        if (delayNanos < 0) {
            return Move.OUT;
        }
        call.note(new Pause(attempt, delayNanos));
        return resume(call);
    }

    /** The wait after an attempt that was not good enough. */
    private record Pause(Repetition.Attempt after, long delayNanos) {

        long remainingNanos(long nowNanos) {
            return delayNanos - (nowNanos - after.nowNanos());
        }
    }

    @Override
    Move resume(StagedCall<?> call) {
        Pause pause = (Pause) Objects.requireNonNull(call.note());
        try {
            return wait(call, pause);
        } catch (Throwable cutShort) {
            repetition.onAbandoned(pause.after);
            throw cutShort;
        }
    }

    private Move wait(StagedCall<?> call, Pause pause) {
        for (; ; ) {
            if (call.isAbandoned()) {
                repetition.onAbandoned(pause.after);
                return call.fail(call.cancelled());
            }
            long remainingNanos = pause.remainingNanos(call.nowNanos());
            if (remainingNanos <= 0) {
                // Each attempt has its own reading of the clock, or none, as in a blocking call.
                call.timeHasPassed();
                return Move.DEEPER;
            }
            if (call.park(remainingNanos)) {
                return Move.PARKED;
            }
        }
    }
}
