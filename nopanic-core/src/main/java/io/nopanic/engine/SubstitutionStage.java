package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Substitute;
import io.nopanic.spi.Substitution;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers in place of the call, before or after it, when the policy says so. */
final class SubstitutionStage extends Stage {

    /** What a staged call notes while it waits to ask again. */
    private static final Object ASKING = new Object();

    /** What a staged call notes while an answer is being computed: the error it stands in for. */
    private record Computing(@Nullable Throwable replaced) {}

    private final Substitution substitution;
    private final Stage next;
    private final Segment rest;

    /**
     * @param next the stage further in
     * @param rest the stages from there on, up to the end of the segment
     */
    SubstitutionStage(Context context, Substitution substitution, Stage next, Segment rest) {
        super(context);
        this.substitution = substitution;
        this.next = next;
        this.rest = rest;
    }

    // ---------------------------------------------------------------------------------------------------------- blocking

    @Override
    @SuppressWarnings("unchecked")
    <T> T call(Callable<? extends T> body, long nowNanos, long deadlineNanos) throws Exception {
        long startNanos = context.readIfUnread(nowNanos);
        Substitute before = substitution.before(startNanos);
        while (before instanceof Substitute.AskAgain again) {
            Waits.awaitEnd(context.time(), again.signal(), Long.MAX_VALUE);
            before = substitution.before(context.time().nanos());
        }
        Object token = null;
        if (before instanceof Substitute.Proceed proceed) {
            token = proceed.token();
        } else if (before instanceof Substitute.Refresh refresh) {
            context.resumer().execute(new Background<>(body, refresh.token()));
            return (T) refresh.value();
        } else if (before != null) {
            return (T) answer(before);
        }
        T result;
        try {
            result = next.call(body, startNanos, deadlineNanos);
        } catch (Throwable thrown) {
            Substitute after = substitution.after(token, context.time().nanos(), null, thrown);
            if (after == null) {
                throw thrown;
            }
            return (T) answerInstead(after, thrown);
        }
        Substitute after = substitution.after(token, context.time().nanos(), result, null);
        return after == null ? result : (T) answer(after);
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
            throw Waits.<RuntimeException>sneaky(failure.error());
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
        if (replaced != null && replaced != thrown) {
            thrown.addSuppressed(replaced);
        }
    }

    private IllegalStateException misplaced(Substitute substitute) {
        return new IllegalStateException(substitution + " answered " + substitute + " where that has no meaning");
    }

    /** A blocking call that refreshes what was served. */
    private final class Background<T> implements Runnable {

        private final Callable<? extends T> body;
        private final @Nullable Object token;

        Background(Callable<? extends T> body, @Nullable Object token) {
            this.body = body;
            this.token = token;
        }

        @Override
        public void run() {
            try {
                T result = next.call(body, Context.UNREAD, Context.NO_DEADLINE);
                substitution.after(token, context.time().nanos(), result, null);
            } catch (Throwable thrown) {
                substitution.after(token, context.time().nanos(), null, thrown);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------------ staged

    @Override
    Move down(StagedCall<?> call) {
        return ask(call);
    }

    private Move ask(StagedCall<?> call) {
        for (; ; ) {
            if (call.isAbandoned()) {
                return call.fail(call.cancelled());
            }
            Substitute before = substitution.before(call.now());
            if (before == null) {
                return Move.DEEPER;
            }
            if (before instanceof Substitute.Proceed proceed) {
                call.note(proceed.token());
                return Move.DEEPER;
            }
            if (before instanceof Substitute.Refresh refresh) {
                context.resumer().execute(() -> refresh(call.body, refresh.token()));
                return call.succeed(refresh.value());
            }
            if (!(before instanceof Substitute.AskAgain again)) {
                return compute(call, before, null);
            }
            call.note(ASKING);
            // The signal is shared: this call attaches to a copy, so that giving it up ends nothing for others.
            if (!call.arrives(again.signal().handle((value, thrown) -> null))
                    && Waits.parkUntilArrived(call) == Move.PARKED) {
                return Move.PARKED;
            }
            call.note(null);
        }
    }

    private void refresh(Supplier<? extends CompletionStage<?>> body, @Nullable Object token) {
        StagedCall<Object> background = new StagedCall<>(context, rest, body, Context.UNREAD, Context.NO_DEADLINE);
        background.run();
        background.whenComplete((value, thrown) -> substitution.after(
                token, context.time().nanos(), value, thrown == null ? null : Failures.unwrap(thrown)));
    }

    @Override
    Move up(StagedCall<?> call) {
        Object token = call.note();
        call.note(null);
        Substitute after = substitution.after(token, call.now(), call.result, call.error);
        return after == null ? Move.OUT : compute(call, after, call.error);
    }

    private Move compute(StagedCall<?> call, Substitute substitute, @Nullable Throwable replaced) {
        try {
            if (!(substitute instanceof Substitute.ComputeStage compute)) {
                return call.succeed(answer(substitute));
            }
            call.note(new Computing(replaced));
            if (!call.arrives(Objects.requireNonNull(compute.code().get(), "the fallback returned no stage but null"))
                    && Waits.parkUntilArrived(call) == Move.PARKED) {
                return Move.PARKED;
            }
        } catch (Throwable thrown) {
            call.fail(thrown);
        }
        return computed(call, replaced);
    }

    private static Move computed(StagedCall<?> call, @Nullable Throwable replaced) {
        call.note(null);
        if (call.error != null) {
            suppress(call.error, replaced);
        }
        return Move.OUT;
    }

    @Override
    Move resume(StagedCall<?> call) {
        if (!call.hasArrived() && Waits.parkUntilArrived(call) == Move.PARKED) {
            return Move.PARKED;
        }
        if (call.note() instanceof Computing computing) {
            return computed(call, computing.replaced());
        }
        call.note(null);
        return ask(call);
    }
}
