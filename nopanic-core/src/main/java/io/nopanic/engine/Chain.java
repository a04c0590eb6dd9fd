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
     * @param nowNanos a reading of the clock from just before, or {@link Admission#UNREAD_NANOS}
     * @return what it came to: give this to {@link Thrown#resultOf}
     */
    public @Nullable Object call(Callable<?> body, long nowNanos) {
        Object outcome;
        try {
            outcome = outermost.call(body, ifNeeded(nowNanos), Context.NO_DEADLINE_NANOS);
        } catch (Throwable thrown) {
            outcome = new Thrown(thrown);
        }
        if (Thrown.errorOf(outcome) instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    /**
     * Makes an asynchronous call.
     *
     * @param nowNanos a reading of the clock from just before, or {@link Admission#UNREAD_NANOS}
     */
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<? extends T>> body, long nowNanos) {
        StagedCall<T> call = new StagedCall<>(context, segment, body, ifNeeded(nowNanos), Context.NO_DEADLINE_NANOS);
        call.run();
        return call;
    }

    /**
     * Makes an asynchronous call of blocking code, which runs on {@code executor}; cancelling it interrupts that code.
     *
     * @param nowNanos as for {@link #callAsync}
     */
    public <T> CompletableFuture<T> submit(Callable<? extends T> body, Executor executor, long nowNanos) {
        return callAsync(() -> ThreadTask.<T>start(body, executor), nowNanos);
    }

    /** Policies that would not read the clock are not given what a listener has read, so that it changes nothing for them. */
    private long ifNeeded(long nowNanos) {
        return outermost.readsTimeOnEntry ? nowNanos : Context.UNREAD_NANOS;
    }

    /**
     * Gets all permits for a call that is made by hand, outermost first, waiting where the policies do. Only for policies that let calls in.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; its flag is set as well
     */
    public HeldPermits admit() throws InterruptedException {
        return HeldPermits.acquire(segment);
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
}
