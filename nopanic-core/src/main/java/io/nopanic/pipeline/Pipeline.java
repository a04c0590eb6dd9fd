package io.nopanic.pipeline;

import io.nopanic.engine.Chain;
import io.nopanic.engine.Thrown;
import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.outcome.CallInterruptedException;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.NopanicException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Require;
import io.nopanic.time.Time;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies around a call, <b>outermost first</b>. Immutable and thread-safe; made once per dependency and shared by all calls.
 *
 * <pre>{@code
 * Pipeline orders = Pipeline.of(fallback, retry, breaker, bulkhead, timeout);
 * Order order = orders.call(() -> client.fetch(id));
 * }</pre>
 *
 * <p>The same pipeline guards blocking calls and calls that return a {@link CompletionStage}, of any type, with the same decisions and
 * one shared memory. What the guarded code throws comes out as the same object; what a policy raises is a {@link NopanicException}.
 *
 * <p>A usual order is fallback, total timeout, retry, circuit breaker, rate limiter, bulkhead, attempt timeout. Orders known to be wrong are
 * reported when a pipeline is built ({@link #warnings()}).
 *
 * <p>A call that succeeds at once costs what its policies cost and allocates nothing.
 */
public final class Pipeline {

    private static final AtomicLong GENERATED_NAMES = new AtomicLong();

    private final Chain chain;
    private final Executor executor;
    private final List<String> warnings;
    private final Events events = new Events();

    /** A policy for which {@link #admit()} makes no sense. */
    private final @Nullable Policy notByHand;

    private Pipeline(Chain chain, Executor executor) {
        this.chain = chain;
        this.executor = executor;
        notByHand = chain.policies().stream()
                .filter(policy -> !(policy instanceof Admission))
                .findFirst()
                .orElse(null);
        warnings = OrderWarnings.of(chain.policies());
    }

    // ---------------- building

    /**
     * A pipeline of these policies, outermost first, with a generated name.
     *
     * @throws IllegalArgumentException see {@link Builder#build()}
     */
    public static Pipeline of(Policy... outermostFirst) {
        Builder builder = builder();
        for (Policy policy : outermostFirst) {
            builder.with(policy);
        }
        return builder.build();
    }

    /** A builder for a pipeline with settings of its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** This pipeline with {@code inner} inside it, as one. The name and the executor are this one's. */
    public Pipeline around(Pipeline inner) {
        Builder builder = builder().name(name()).executor(executor).time(chain.time());
        chain.policies().forEach(builder::with);
        inner.chain.policies().forEach(builder::with);
        return builder.build();
    }

    /** Collects policies and settings. Not thread-safe. */
    public static final class Builder {

        private final List<Policy> policies = new ArrayList<>();
        private @Nullable String name;
        private @Nullable Time time;
        private @Nullable Executor executor;

        private Builder() {}

        /** The name used in events, exceptions and descriptions. Default: {@code pipeline-} and a running number. */
        public Builder name(String value) {
            name = Require.name(value);
            return this;
        }

        /** Adds a policy inside the ones added before. */
        public Builder with(Policy policy) {
            policies.add(Objects.requireNonNull(policy, "policy"));
            return this;
        }

        /**
         * Where asynchronous calls go on after a wait, and where background refreshes run. Guarded code that is started after a wait,
         * and continuations of the caller, run there; so a pool that is full delays them, timeouts included; one that
         * refuses does not: they then run on {@link DefaultExecutors#blocking()}, as they do rather than on the timer's thread. Default:
         * that of the time ({@link Time#executor()}), or else {@link DefaultExecutors#blocking()}, which is never full.
         *
         * <p>With an executor that runs tasks on the thread that hands them over, such as {@code Runnable::run} or a pool that lets its caller run what it has no room for,
         * guarded code must not wait for other calls of the same pipeline: these may be queued behind it on that thread.
         */
        public Builder executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** The time to run on. Default: that of the policies, or else {@link Time#system()}. */
        public Builder time(Time value) {
            time = Objects.requireNonNull(value, "time");
            return this;
        }

        /**
         * The pipeline.
         *
         * @throws IllegalArgumentException if a policy is in it twice, or if the policies do not all run on the same time
         */
        public Pipeline build() {
            Time shared = sharedTime();
            for (int i = 0; i < policies.size(); i++) {
                if (policies.subList(0, i).contains(policies.get(i))) {
                    throw Require.refused("policy", policies.get(i) + ", for the second time", "each policy once");
                }
            }
            String named = name != null ? name : "pipeline-" + GENERATED_NAMES.incrementAndGet();
            Executor goOn = executor != null ? executor : shared.executor().orElseGet(DefaultExecutors::blocking);
            Pipeline pipeline = new Pipeline(Chain.link(named, shared, goOn, policies), goOn);
            for (String warning : pipeline.warnings) {
                System.getLogger(Pipeline.class.getName()).log(Level.WARNING, "pipeline ''{0}'': {1}", named, warning);
            }
            return pipeline;
        }

        private Time sharedTime() {
            Time found = time;
            Object owner = "the pipeline";
            for (Policy policy : policies) {
                Optional<Time> own = policy.time();
                if (own.isEmpty()) {
                    continue;
                }
                if (found != null && found != own.get()) {
                    throw Require.refused("time of " + policy, "not that of " + owner, "one time for a whole pipeline");
                }
                found = own.get();
                owner = policy;
            }
            return found != null ? found : Time.system();
        }
    }

    // ---------------- calling

    /**
     * Makes a blocking call.
     *
     * @return what the call, or a policy in its place, returned
     * @throws Exception what the call threw, as the same object
     * @throws NopanicException if a policy refused the call or ended it
     * @throws InterruptedException if the thread was interrupted while the call ran or waited; the thread's interrupt flag is set as well
     */
    public <T> T call(Callable<? extends T> body) throws Exception {
        return events.isListenedTo() ? callAndTell(body) : Thrown.resultOf(chain.call(body, Admission.UNREAD_NANOS));
    }

    /**
     * Makes a blocking call that throws no checked exception.
     *
     * @throws CallInterruptedException if the thread was interrupted while the call waited
     */
    public <T> T get(Supplier<? extends T> body) {
        return getUnchecked(body::get);
    }

    /**
     * Makes a blocking call that returns nothing.
     *
     * @throws CallInterruptedException if the thread was interrupted while the call waited
     */
    public void run(Runnable body) {
        getUnchecked(() -> {
            body.run();
            return this;
        });
    }

    /**
     * Makes an asynchronous call. Never blocks and never throws: what goes wrong is in the future. Completing or cancelling the future gives
     * the call up.
     *
     * @param body starts the work; called once per attempt, and not at all if the call is refused
     */
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<? extends T>> body) {
        return told(nowNanos -> chain.callAsync(body, nowNanos));
    }

    /**
     * Makes an asynchronous call of blocking code.
     *
     * @param body the code; run by {@code runOn} once per attempt, and interrupted when the call is given up
     */
    public <T> CompletableFuture<T> submit(Callable<? extends T> body, Executor runOn) {
        return told(nowNanos -> chain.submit(body, runOn, nowNanos));
    }

    /**
     * Asks for permission to make one call by hand, for code that fits none of the other forms. Waits where the policies wait.
     *
     * @return the permit, to be settled exactly once
     * @throws NopanicException if a policy refuses
     * @throws InterruptedException if the thread is interrupted while it waits; its interrupt flag is set as well
     * @throws IllegalStateException if the pipeline has a policy that needs to make the call itself, such as a retry
     */
    public Permit admit() throws InterruptedException {
        if (notByHand != null) {
            throw new IllegalStateException(
                    notByHand + " has to make the call itself; a pipeline for calls by hand may hold only"
                            + " policies that admit calls: circuit breakers, rate limiters, bulkheads");
        }
        return new Permit(chain.admit());
    }

    private <T> T getUnchecked(Callable<? extends T> body) {
        try {
            return call(body);
        } catch (InterruptedException interrupted) {
            throw new CallInterruptedException(name());
        } catch (Exception thrown) {
            throw Failures.rethrow(thrown);
        }
    }

    private <T> T callAndTell(Callable<? extends T> body) throws Exception {
        long startNanos = chain.time().nanos();
        T result;
        try {
            result = Thrown.resultOf(chain.call(body, startNanos));
        } catch (Throwable thrown) {
            tell(startNanos, thrown);
            throw thrown;
        }
        tell(startNanos, null);
        return result;
    }

    private <T> CompletableFuture<T> told(LongFunction<CompletableFuture<T>> starter) {
        if (!events.isListenedTo()) {
            return starter.apply(Admission.UNREAD_NANOS);
        }
        long startNanos = chain.time().nanos();
        CompletableFuture<T> call = starter.apply(startNanos);
        tellWhenEnded(call, startNanos);
        return call;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the derived stage has nobody to tell
    private void tellWhenEnded(CompletableFuture<?> call, long startNanos) {
        call.whenComplete((value, thrown) -> tell(startNanos, thrown));
    }

    private void tell(long startNanos, @Nullable Throwable thrown) {
        long nowNanos = chain.time().nanos();
        Event.Stamp stamp = new Event.Stamp(name(), nowNanos, chain.time().wallTime());
        events.publish(
                thrown == null
                        ? new Event.CallSucceeded(stamp, nowNanos - startNanos)
                        : new Event.CallFailed(stamp, nowNanos - startNanos, Failures.unwrap(thrown)));
    }

    // ---------------- decorating

    /** A callable that makes its call through this pipeline. */
    public <T> Callable<T> decorateCallable(Callable<? extends T> body) {
        return () -> call(body);
    }

    /** A supplier that makes its call through this pipeline. */
    public <T> Supplier<T> decorateSupplier(Supplier<? extends T> body) {
        return () -> get(body);
    }

    /** A runnable that makes its call through this pipeline. */
    public Runnable decorateRunnable(Runnable body) {
        return () -> run(body);
    }

    /** A function that makes its call through this pipeline. */
    public <A, R> Function<A, R> decorateFunction(Function<? super A, ? extends R> body) {
        return argument -> get(() -> body.apply(argument));
    }

    /** A consumer that makes its call through this pipeline. */
    public <A> Consumer<A> decorateConsumer(Consumer<? super A> body) {
        return argument -> run(() -> body.accept(argument));
    }

    /** A supplier of futures that makes its asynchronous call through this pipeline. */
    public <T> Supplier<CompletableFuture<T>> decorateAsync(Supplier<? extends CompletionStage<? extends T>> body) {
        return () -> callAsync(body);
    }

    /** A function to futures that makes its asynchronous call through this pipeline. */
    public <A, R> Function<A, CompletableFuture<R>> decorateAsyncFunction(
            Function<? super A, ? extends CompletionStage<? extends R>> body) {
        return argument -> callAsync(() -> body.apply(argument));
    }

    // ---------------- looking

    /** The name. */
    public String name() {
        return chain.name();
    }

    /** The policies, outermost first. */
    public List<Policy> policies() {
        return chain.policies();
    }

    /** What was found wrong with the order of the policies, in words; empty if nothing was. */
    public List<String> warnings() {
        return warnings;
    }

    /** How calls through this pipeline end. Each policy has events of its own ({@link Policy#events()}). */
    public Events events() {
        return events;
    }

    /** The policies and their settings, one line each, outermost first, and then the warnings. */
    public String describe() {
        StringBuilder text = new StringBuilder("pipeline '" + name() + "', outermost first:");
        int number = 1;
        for (Policy policy : policies()) {
            text.append(String.format(Locale.ROOT, "%n  %d. %s: %s", number++, policy, policy.describe()));
        }
        if (policies().isEmpty()) {
            text.append(String.format(Locale.ROOT, "%n  no policies: calls pass as they are"));
        }
        for (String warning : warnings) {
            text.append(String.format(Locale.ROOT, "%n  warning: %s", warning));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "pipeline '" + name() + "'";
    }
}
