package io.nopanic.engine;

import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.spi.Deadline;
import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call that takes too long. A blocking call runs on the caller's thread, which is interrupted; or, if it is to be abandoned, on
 * another thread, and the caller is answered. A staged call over the stages further in is left behind, and cancelled; what it holds is
 * settled when it really ends.
 */
final class DeadlineStage extends Stage {

    private final Deadline deadline;
    private final Step next;
    private final Segment inner;
    private final @Nullable Executor abandonOn;
    private final Watchdog watchdog;
    private final boolean clockIsExact;

    DeadlineStage(Context context, Deadline deadline, Step next, Segment inner) {
        super(context, true);
        this.deadline = deadline;
        this.next = next;
        this.inner = inner;
        abandonOn = deadline.abandonOn().orElse(null);
        watchdog = Watchdog.of(context.time());
        clockIsExact = context.time().exact() == context.time();
    }

    /** Tells of a timeout, and makes the exception for the caller. */
    private TimeoutExceededException timedOut() {
        deadline.onTimeout(context.time().nanos());
        return new TimeoutExceededException(deadline.name(), context.pipeline(), deadline.timeoutNanos());
    }

    // ---------------- blocking

    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        long startNanos = timeOnEntry(nowNanos);
        long ownDeadlineNanos = Context.earlier(deadlineNanos, startNanos, deadline.timeoutNanos());
        if (abandonOn != null) {
            return callElsewhere(body, ownDeadlineNanos, abandonOn);
        }
        WatchSlot slot = watchdog.watch(clockIsExact ? startNanos : Context.UNREAD_NANOS, deadline.timeoutNanos());
        Object outcome = null;
        Throwable error;
        try {
            outcome = next.call(body, startNanos, ownDeadlineNanos);
            error = Thrown.errorOf(outcome);
        } catch (Throwable thrown) {
            error = thrown;
        }
        boolean interrupted = slot.end();
        return interrupted && !(error instanceof Error) ? new Thrown(timedOut()) : Thrown.outcome(outcome, error);
    }

    private @Nullable Object callElsewhere(Callable<?> body, long ownDeadlineNanos, Executor executor)
            throws Exception {
        Elsewhere code = new Elsewhere(body, ownDeadlineNanos);
        ThreadTask<Object> task = ThreadTask.start(code, executor);
        try {
            if (!Waits.awaitEnd(context.time(), task, deadline.timeoutNanos()) && task.cancel(deadline.interrupts())) {
                code.abandoned();
                throw timedOut();
            }
        } catch (InterruptedException interrupted) {
            if (task.cancel(deadline.interrupts())) {
                code.abandoned();
            }
            throw interrupted;
        }
        return Waits.ended(task);
    }

    /** Code that runs on another thread than its caller's, and may outlive the call. */
    private final class Elsewhere implements Callable<Object> {

        private enum Stand {
            NOT_BEGUN,
            RUNNING,
            ABANDONED,
            ENDED
        }

        private final Callable<?> body;
        private final long deadlineNanos;
        private final AtomicReference<Stand> stand = new AtomicReference<>(Stand.NOT_BEGUN);

        Elsewhere(Callable<?> body, long deadlineNanos) {
            this.body = body;
            this.deadlineNanos = deadlineNanos;
        }

        @Override
        public @Nullable Object call() throws Exception {
            if (!stand.compareAndSet(Stand.NOT_BEGUN, Stand.RUNNING)) {
                throw new CancellationException("given up before it began");
            }
            try {
                return Thrown.resultOf(next.call(body, context.time().nanos(), deadlineNanos));
            } finally {
                if (stand.getAndSet(Stand.ENDED) == Stand.ABANDONED) {
                    deadline.onAbandonedEnded();
                }
            }
        }

        void abandoned() {
            if (!stand.compareAndSet(Stand.NOT_BEGUN, Stand.ENDED)
                    && stand.compareAndSet(Stand.RUNNING, Stand.ABANDONED)) {
                deadline.onAbandoned();
            }
        }
    }

    // ---------------- staged

    @Override
    Move down(StagedCall<?> call) {
        if (call.isAbandoned()) {
            return call.fail(call.cancelled());
        }
        long startNanos = call.nowNanos();
        long ownDeadlineNanos = Context.earlier(call.deadlineNanos, startNanos, deadline.timeoutNanos());
        long exactStartNanos =
                clockIsExact ? startNanos : context.time().exact().nanos();
        StagedCall<Object> guarded = new StagedCall<>(context, inner, call.body, startNanos, ownDeadlineNanos);
        guarded.run();
        call.timeHasPassed();
        return Waits.await(call, guarded.isDone() ? guarded : timed(guarded, exactStartNanos));
    }

    private Timed timed(StagedCall<Object> guarded, long exactStartNanos) {
        try {
            return new Timed(guarded, exactStartNanos);
        } catch (Throwable cannotBeTimed) {
            guarded.abandon();
            throw cannotBeTimed;
        }
    }

    /** A staged call with a time limit: ends as that does, or at the deadline, whichever comes first. */
    private final class Timed extends CompletableFuture<Object> implements Alarm {

        private final StagedCall<Object> guarded;

        /** Set by whichever comes first, before anything follows from it. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private final WatchSlot slot;
        private volatile Timer.@Nullable Scheduled timer;

        Timed(StagedCall<Object> guarded, long startNanos) {
            this.guarded = guarded;
            slot = watchdog.watch(this, startNanos, deadline.timeoutNanos());
            Waits.whenEnded(guarded, this::arrived);
        }

        @Override
        public void arm(Time time, long delayNanos) {
            timer = time.schedule(delayNanos, () -> context.resumer().execute(this::expire));
        }

        @Override
        public boolean off() {
            Objects.requireNonNull(timer, "not armed").cancel();
            return false;
        }

        private void arrived(@Nullable Object value, @Nullable Throwable thrown) {
            try {
                slot.end();
            } finally {
                if (decided.compareAndSet(false, true)) {
                    end(value, thrown);
                }
            }
        }

        private void end(@Nullable Object value, @Nullable Throwable thrown) {
            if (thrown == null) {
                complete(value);
            } else {
                completeExceptionally(thrown);
            }
        }

        private void expire() {
            if (decided.compareAndSet(false, true)) {
                Throwable end;
                try {
                    guarded.abandon();
                    end = timedOut();
                } catch (Throwable thrown) {
                    end = thrown;
                }
                completeExceptionally(end);
            }
        }

        /** Gives the guarded call up; this ends when that does, or at the deadline. */
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            guarded.abandon();
            return false;
        }
    }
}
