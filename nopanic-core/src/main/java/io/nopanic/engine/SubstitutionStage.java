package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers in place of the call, before or after it, when the policy says so. */
final class SubstitutionStage extends Stage {

    /** So that an exception which a user throws again and again does not grow with each time. */
    private static final int MAX_SUPPRESSED = 8;

    private static final int START = 0;

    /** What a staged call notes while it waits to ask again. */
    private static final Object ASKING = new Object();

    /** What a staged call notes while an answer is being computed: the error it stands in for. */
    private record Computing(@Nullable Throwable replaced) {}

    private final Substitution substitution;
    private final Step next;
    private final Segment rest;
    private final boolean readsTime;

    /**
     * @param next the stage further in
     * @param rest the stages from there on, up to the end of the segment
     */
    SubstitutionStage(Context context, Substitution substitution, Step next, Segment rest) {
        super(context, substitution.readsTime() || next.readsTimeOnEntry);
        this.substitution = substitution;
        this.next = next;
        this.rest = rest;
        readsTime = substitution.readsTime();
    }

    // ---------------- blocking

    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        long startNanos = timeOnEntry(nowNanos);
        long askedNanos = startNanos;
        Substitute before = substitution.before(startNanos, true);
        while (before instanceof Substitute.AskAgain again) {
            Object answer = awaitAnswer(again);
            startNanos = Context.UNREAD_NANOS;
            askedNanos = timeIfRead();
            before = answer instanceof Substitute given ? given : substitution.before(askedNanos, true);
        }
        Object token = null;
        if (before instanceof Substitute.Proceed proceed) {
            token = proceed.token();
        } else if (before instanceof Substitute.Refresh refresh) {
            refreshElsewhere(body, refresh.token(), askedNanos);
            return refresh.value();
        } else if (before != null) {
            return answer(before);
        }
        Object outcome;
        try {
            outcome = next.call(body, startNanos, deadlineNanos);
        } catch (Throwable thrown) {
            outcome = new Thrown(thrown);
        }
        Throwable error = Thrown.errorOf(outcome);
        if (error != null) {
            Substitute after = substitution.after(token, context.endNanos(askedNanos), null, error);
            return after == null ? outcome : answerInstead(after, error);
        }
        long endNanos = readsTime ? context.endNanos(askedNanos) : Context.UNREAD_NANOS;
        Substitute after = substitution.after(token, endNanos, outcome, null);
        return after == null ? outcome : answer(after);
    }

    private void refreshElsewhere(Callable<?> body, @Nullable Object token, long startNanos) {
        try {
            Waits.whenEnded(
                    ThreadTask.start(
                            () -> Thrown.resultOf(next.call(body, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS)),
                            substitution.executor()),
                    (value, thrown) -> ended(token, startNanos, value, thrown));
        } catch (Throwable notStarted) {
            substitution.after(token, startNanos, null, notStarted);
            throw notStarted;
        }
    }

    private long timeIfRead() {
        return readsTime ? context.time().nanos() : Context.UNREAD_NANOS;
    }

    /** What others who were asked to wait for the same thing are told, or {@code null} to ask the policy again. */
    private @Nullable Object awaitAnswer(Substitute.AskAgain again) throws InterruptedException {
        CompletableFuture<@Nullable Object> answer = answerOrNull(again).toCompletableFuture();
        Waits.awaitEnd(context.time(), answer, Long.MAX_VALUE);
        return answer.join();
    }

    /**
     * A stage of this call's own, since the signal is shared: giving up the call ends nothing for others. Who waits goes on where the signal is
     * given, one after the other, so that the first who takes over is seen by the next, and not all ask at once.
     */
    private static CompletionStage<@Nullable Object> answerOrNull(Substitute.AskAgain again) {
        return again.signal().handle((substitute, thrown) -> substitute);
    }

    /** A call in the background has ended. */
    private void ended(@Nullable Object token, long startNanos, @Nullable Object value, @Nullable Throwable thrown) {
        substitution.after(token, context.endNanos(startNanos), value, thrown == null ? null : Failures.unwrap(thrown));
    }

    private @Nullable Object answerInstead(Substitute after, Throwable replaced) throws Exception {
        try {
            return answer(after);
        } catch (Throwable thrown) {
            suppress(thrown, replaced);
            throw thrown;
        }
    }

    private @Nullable Object answer(Substitute substitute) throws Exception {
        if (substitute instanceof Substitute.Value given) {
            return given.value();
        }
        if (substitute instanceof Substitute.Failure failure) {
            throw Failures.rethrow(failure.error());
        }
        if (substitute instanceof Substitute.Compute compute) {
            return compute.code().call();
        }
        if (substitute instanceof Substitute.ComputeStage compute) {
            return Waits.join(context.time(), compute.code().get());
        }
        throw misplaced(substitute);
    }

    private static void suppress(Throwable thrown, @Nullable Throwable replaced) {
        if (replaced != null && replaced != thrown && thrown.getSuppressed().length < MAX_SUPPRESSED) {
            thrown.addSuppressed(replaced);
        }
    }

    private IllegalStateException misplaced(Substitute substitute) {
        return new IllegalStateException(substitution + " answered " + substitute + " where that has no meaning");
    }

    // ---------------- staged

    /** The time that the policy was told before the call. */
    @Override
    int slots() {
        return readsTime ? 1 : 0;
    }

    private long startNanos(StagedCall<?> call) {
        return readsTime ? call.slot(START) : Context.UNREAD_NANOS;
    }

    @Override
    Move down(StagedCall<?> call) {
        if (!readsTime) {
            return follow(call, substitution.before(Context.UNREAD_NANOS, false));
        }
        call.slot(START, call.nowNanos());
        return follow(call, substitution.before(call.slot(START), false));
    }

    private Move follow(StagedCall<?> call, @Nullable Substitute before) {
        if (before == null) {
            return Move.DEEPER;
        }
        if (before instanceof Substitute.Proceed proceed) {
            try {
                call.note(proceed.token());
            } catch (Throwable noMemory) {
                substitution.after(proceed.token(), startNanos(call), null, noMemory);
                throw noMemory;
            }
            return Move.DEEPER;
        }
        if (before instanceof Substitute.Refresh refresh) {
            long startNanos = startNanos(call);
            try {
                context.resumer().execute(() -> refresh(call.body, refresh.token(), startNanos));
            } catch (Throwable notStarted) {
                substitution.after(refresh.token(), startNanos, null, notStarted);
                throw notStarted;
            }
            return call.succeed(refresh.value());
        }
        if (before instanceof Substitute.AskAgain again) {
            call.note(ASKING);
            return call.arrives(answerOrNull(again)) ? answered(call) : resumeIfArrived(call);
        }
        return compute(call, before, null);
    }

    /** The wait for others is over; what they were told is this call's result for now. */
    private Move answered(StagedCall<?> call) {
        call.note(null);
        if (call.isAbandoned()) {
            return call.fail(call.cancelled());
        }
        return call.result instanceof Substitute given ? follow(call, given) : down(call);
    }

    private void refresh(Supplier<? extends CompletionStage<?>> body, @Nullable Object token, long startNanos) {
        try {
            StagedCall<Object> background =
                    new StagedCall<>(context, rest, body, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS);
            background.run();
            Waits.whenEnded(background, (value, thrown) -> ended(token, startNanos, value, thrown));
        } catch (Throwable notStarted) {
            substitution.after(token, startNanos, null, notStarted);
            throw notStarted;
        }
    }

    @Override
    Move up(StagedCall<?> call) {
        Object token = call.note();
        call.note(null);
        long nowNanos = readsTime || call.error != null ? call.endNanos(startNanos(call)) : Context.UNREAD_NANOS;
        Substitute after = substitution.after(token, nowNanos, call.result, call.error);
        return after == null ? Move.OUT : compute(call, after, call.error);
    }

    private Move compute(StagedCall<?> call, Substitute substitute, @Nullable Throwable replaced) {
        try {
            if (!(substitute instanceof Substitute.ComputeStage compute)) {
                Object answer = answer(substitute);
                if (substitute instanceof Substitute.Compute) {
                    call.timeHasPassed();
                }
                return call.succeed(answer);
            }
            call.note(new Computing(replaced));
            if (!call.arrives(
                    Objects.requireNonNull(compute.code().get(), "the fallback returned no stage but null"))) {
                return resumeIfArrived(call);
            }
        } catch (Throwable thrown) {
            call.fail(thrown);
        }
        return computed(call, replaced);
    }

    private static Move computed(StagedCall<?> call, @Nullable Throwable replaced) {
        call.note(null);
        call.timeHasPassed();
        if (call.error != null) {
            suppress(call.error, replaced);
        }
        return Move.OUT;
    }

    @Override
    Move resume(StagedCall<?> call) {
        return resumeIfArrived(call);
    }

    private Move resumeIfArrived(StagedCall<?> call) {
        if (Waits.parkUntilArrived(call) == Move.PARKED) {
            return Move.PARKED;
        }
        return call.note() instanceof Computing computing ? computed(call, computing.replaced()) : answered(call);
    }
}
