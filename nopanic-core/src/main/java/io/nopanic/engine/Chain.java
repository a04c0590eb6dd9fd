package io.nopanic.engine;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Deadline;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Race;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Substitution;
import io.nopanic.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The policies of a pipeline, linked once and then shared by all its calls. Immutable and thread-safe. */
public final class Chain {

    private final Context context;
    private final Step outermost;
    private final Segment segment;
    private final List<Policy> policies;

    private Chain(Context context, List<Policy> policies) {
        this.context = context;
        this.policies = policies;
        Stage stage = new BodyStage(context);
        Step step = stage;
        List<Stage> run = new ArrayList<>(List.of(stage));
        for (int i = policies.size() - 1; i >= 0; i--) {
            Policy policy = policies.get(i);
            stage = stage(policy, step, new Segment(run));
            if (policy instanceof Deadline || policy instanceof Race) {
                run.clear();
            }
            run.add(0, stage);
            step = stage instanceof AdmissionStage outer && step instanceof AdmissionStage inner
                    ? new AdmissionPair(context, outer, inner)
                    : stage;
        }
        outermost = step;
        segment = new Segment(run);
    }

    private Stage stage(Policy policy, Step next, Segment rest) {
        if (policy instanceof Admission admission) {
            return new AdmissionStage(context, admission, next);
        }
        if (policy instanceof Repetition repetition) {
            return new RepetitionStage(context, repetition, next);
        }
        if (policy instanceof Substitution substitution) {
            return new SubstitutionStage(context, substitution, next, rest);
        }
        if (policy instanceof Deadline deadline) {
            return new DeadlineStage(context, deadline, next, rest);
        }
        return new RaceStage(context, (Race) policy, next, rest);
    }

    /**
     * Links policies.
     *
     * @param pipeline the name, for exceptions
     * @param time the time that all of them run on
     * @param executor where asynchronous calls go on after a wait
     * @param policies outermost first
     */
    public static Chain link(String pipeline, Time time, Executor executor, List<Policy> policies) {
        return new Chain(new Context(pipeline, time, new Resumer(executor)), List.copyOf(policies));
    }

    /**
     * Makes a blocking call. If the calling thread is interrupted while it waits, its interrupt flag is set as well.
     *
     * @return what it came to: give this to {@link Thrown#resultOf}
     */
    public @Nullable Object call(Callable<?> body) {
        Object outcome;
        try {
            outcome = outermost.call(body, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS);
        } catch (Throwable thrown) {
            outcome = new Thrown(thrown);
        }
        if (Thrown.errorOf(outcome) instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    /** Makes an asynchronous call. */
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<? extends T>> body) {
        StagedCall<T> call = new StagedCall<>(context, segment, body, Context.UNREAD_NANOS, Context.NO_DEADLINE_NANOS);
        call.run();
        return call;
    }

    /** Makes an asynchronous call of blocking code, which runs on {@code executor}; cancelling it interrupts that code. */
    public <T> CompletableFuture<T> submit(Callable<? extends T> body, Executor executor) {
        return callAsync(() -> ThreadTask.<T>start(body, executor));
    }

    /**
     * Gets all permits for a call that is made by hand, outermost first, waiting where the policies do.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; its flag is set as well
     */
    public HeldPermits admit() throws InterruptedException {
        HeldPermits held = new HeldPermits(context);
        try {
            for (Policy policy : policies) {
                held.add((Admission) policy);
            }
        } catch (Throwable refused) {
            held.settle(null, refused);
            if (refused instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw refused;
        }
        return held;
    }

    /** The policies, outermost first. */
    public List<Policy> policies() {
        return policies;
    }

    /** The time. */
    public Time time() {
        return context.time();
    }

    /** The name of the pipeline. */
    public String name() {
        return context.pipeline();
    }

    /** The permits of a call that is made by hand. Settled exactly once; every further settling does nothing. */
    public static final class HeldPermits {

        private final Context context;
        private final List<Held> held = new ArrayList<>();
        private final AtomicBoolean settled = new AtomicBoolean();

        private record Held(Admission admission, AdmissionStage.Granted granted) {}

        HeldPermits(Context context) {
            this.context = context;
        }

        void add(Admission admission) throws InterruptedException {
            long startNanos = context.time().nanos();
            long permit = admission.tryAcquire(startNanos);
            AdmissionStage.Granted granted = permit >= 0
                    ? new AdmissionStage.Granted(permit, startNanos)
                    : new AdmissionStage(context, admission, new BodyStage(context)).enter(Context.NO_DEADLINE_NANOS);
            held.add(new Held(admission, granted));
        }

        /**
         * Gives all permits back.
         *
         * @return whether this call did, rather than an earlier one
         */
        public boolean settle(@Nullable Object result, @Nullable Throwable error) {
            if (!settled.compareAndSet(false, true)) {
                return false;
            }
            long nowNanos = context.time().nanos();
            settleFrom(held.size() - 1, nowNanos, result, error);
            return true;
        }

        /** Settles this permit and those further out, even if one throws. */
        private void settleFrom(int i, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
            if (i < 0) {
                return;
            }
            try {
                AdmissionStage.Granted granted = held.get(i).granted();
                Waits.wake(held.get(i)
                        .admission()
                        .settle(granted.permit(), granted.startNanos(), nowNanos, result, error));
            } finally {
                settleFrom(i - 1, nowNanos, result, error);
            }
        }
    }
}
