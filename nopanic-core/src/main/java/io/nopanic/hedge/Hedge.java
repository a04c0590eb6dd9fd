package io.nopanic.hedge;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.Outcome;
import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Race;
import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Starts another copy of a call that is slow, and takes the first good answer. Only for calls that may safely be made twice.
 *
 * <pre>{@code
 * Hedge hedge = Hedge.builder().delay(Duration.ofMillis(50)).quantile(0.95).build();
 * }</pre>
 *
 * <p>The original starts at once, the next copy when the delay has passed since the last one was started, up to {@link Builder#maxHedges}.
 * A copy that fails starts the next at once. The first success wins, and so does an error that the {@link Classifier} ignores, since
 * another copy would meet it too. Losers are cancelled and not waited for. If no copy succeeds, what the original
 * threw or returned comes out. Any other result of a copy is closed if it is {@link AutoCloseable}, be it late, not good enough, or of a call that is cancelled.
 *
 * <p>A copy that was refused by a policy further in, or that was cancelled, neither ends the call nor starts the next copy at once: the other copies
 * go on. Hedges spend from a {@link Budget}; when that is used up, the copies that run go on as well.
 *
 * <p><b>The delay by quantile.</b> With {@link Builder#quantile} the delay is that quantile of the latency of recent calls (of about the last one to
 * two minutes, weighed down as they age; at most 6.25 % too high, and at least 1 ms), so about {@code 1 - quantile} of calls are hedged whatever the dependency's
 * speed; J. Dean and L. Barroso, <i>The Tail at Scale</i> (CACM 2013), propose 0.95. A call that a hedge won counts with the time that it took in
 * all: its original took at least that long, and leaving it out would make the delay shrink by itself. Calls that failed do not count.
 *
 * <p>Thread-safe. A call costs the budget's count of it and, with a quantile, two atomic additions at its end and a reading of 4 kB of
 * counters every 16th time. Blocking calls run on {@link Builder#executor} instead of the caller's thread.
 */
public final class Hedge extends PolicyBase implements Race {

    private static final long MIN_QUANTILE_DELAY_NANOS = 1_000_000;

    private final long initialDelayNanos;
    private final int maxHedges;
    private final double quantile;
    private final int warmUp;
    private final Classifier classifier;
    private final Executor executor;
    private final @Nullable Budget budget;
    private final @Nullable Latencies latencies;

    /** {@link Latencies#UNKNOWN} until warmed up. Written by calls that end, volatile; the last one wins. */
    private volatile long quantileNanos = Latencies.UNKNOWN;

    private Hedge(Builder builder, Duration delay) {
        super(builder);
        initialDelayNanos = Require.notNegative("delay", delay);
        maxHedges = builder.maxHedges;
        quantile = builder.quantile;
        warmUp = builder.warmUp;
        classifier = builder.classifier;
        executor = builder.executor != null ? builder.executor : DefaultExecutors.blocking();
        latencies = quantile > 0 ? new Latencies() : null;
        if (builder.sharedBudget != null) {
            budget = builder.sharedBudget;
        } else {
            budget = builder.noBudget
                    ? null
                    : Budget.builder().time(timeOrSystem()).build();
        }
    }

    /** A hedge after a fixed delay, with the defaults for everything else. */
    public static Hedge ofDelay(Duration delay) {
        return builder().delay(delay).build();
    }

    /** A builder; the delay has to be given, everything else has a default. */
    public static Builder builder() {
        return new Builder();
    }

    /** How long after a copy the next one is started now; {@link Nanos#FOREVER} stands for never by time. */
    public Duration delay() {
        return Nanos.toDuration(delayNanos());
    }

    /** The budget it spends from, for others to share; empty if it has none. */
    public Optional<Budget> budget() {
        return Optional.ofNullable(budget);
    }

    @Override
    public String describe() {
        String delay = initialDelayNanos >= Nanos.FOREVER
                ? "after a failure only"
                : "after " + Nanos.toDuration(initialDelayNanos);
        if (latencies != null) {
            delay = "after the latency of quantile " + quantile + ", at first " + delay;
        }
        return "up to " + maxHedges + (maxHedges == 1 ? " hedge " : " hedges ") + delay + "; "
                + (budget == null ? "no budget" : "budget of " + budget.describe());
    }

    // ---------------- decisions

    @Override
    public void onCall() {
        if (budget != null) {
            budget.onCall();
        }
    }

    @Override
    public long nextCopyDelayNanos(int copy) {
        if (copy >= maxHedges) {
            return NEVER;
        }
        long delayNanos = delayNanos();
        return delayNanos >= Nanos.FOREVER ? NEVER : delayNanos;
    }

    private long delayNanos() {
        long learnedNanos = quantileNanos;
        return learnedNanos == Latencies.UNKNOWN ? initialDelayNanos : learnedNanos;
    }

    @Override
    public boolean mayStart(int copy, long nowNanos) {
        if (copy > maxHedges || (budget != null && !budget.trySpend(nowNanos))) {
            return false;
        }
        if (events().isListenedTo()) {
            events().publish(new Event.HedgeStarted(stamp(nowNanos), copy));
        }
        return true;
    }

    @Override
    public boolean accepts(@Nullable Object result, @Nullable Throwable error) {
        return switch (classifier.of(result, error)) {
            case SUCCESS -> true;
            case FAILURE, CANCELLED -> false;
            case IGNORED -> error == null || !(Failures.unwrap(error) instanceof RejectedException);
        };
    }

    @Override
    public boolean startsNextAfter(@Nullable Object result, @Nullable Throwable error) {
        return classifier.of(result, error) == Outcome.FAILURE;
    }

    @Override
    public void onWon(int copy, long latencyNanos, long elapsedNanos, long nowNanos) {
        if (latencies != null) {
            learn(latencies, latencyNanos, elapsedNanos, nowNanos);
        }
        if (events().isListenedTo()) {
            events().publish(new Event.HedgeWon(stamp(nowNanos), copy, latencyNanos));
        }
    }

    /**
     * A copy that was started by time says that the original took at least until now. One that was started because the original failed says
     * nothing about how long that would have taken, and counts by its own time.
     */
    private void learn(Latencies into, long latencyNanos, long elapsedNanos, long nowNanos) {
        boolean startedByTime = elapsedNanos - latencyNanos >= delayNanos();
        boolean changed = into.record(startedByTime ? elapsedNanos : latencyNanos, nowNanos);
        if (changed || quantileNanos == Latencies.UNKNOWN) {
            long learnedNanos = into.quantileNanos(quantile, warmUp);
            if (learnedNanos != Latencies.UNREAD) {
                quantileNanos = learnedNanos == Latencies.UNKNOWN
                        ? Latencies.UNKNOWN
                        : Math.max(MIN_QUANTILE_DELAY_NANOS, learnedNanos);
            }
        }
    }

    /** An error that only says that a loser was cancelled, as it had to be, is not told. */
    @Override
    public void onLoserFailed(int copy, Throwable error, long nowNanos) {
        Throwable failure = Failures.unwrap(error);
        if (!Failures.isCancellation(failure) && events().isListenedTo()) {
            events().publish(new Event.HedgeLoserFailed(stamp(nowNanos), copy, failure));
        }
    }

    @Override
    public Executor executor() {
        return executor;
    }

    /** Collects the settings of a hedge. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder, Hedge> {

        private static final int MOST_HEDGES = 10;
        private static final int MOST_WARM_UP = 1_000_000;

        private @Nullable Duration delay;
        private double quantile;
        private int warmUp = 100;
        private int maxHedges = 1;
        private Classifier classifier = Classifier.standard();
        private @Nullable Executor executor;
        private @Nullable Budget sharedBudget;
        private boolean noBudget;

        private Builder() {
            super("hedge");
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * The hedge.
         *
         * @throws IllegalArgumentException if no delay was given
         */
        @Override
        public Hedge build() {
            if (delay == null) {
                throw Require.refused("delay", "not given", "a duration of zero or longer");
            }
            return new Hedge(this, delay);
        }

        /**
         * How long after a copy was started the next one follows; zero starts all at once, and {@link #onlyAfterFailure()} none by time. With
         * {@link #quantile} it is the delay until enough calls are known. Has no default; the 95th percentile of the dependency's latency is
         * a good one.
         */
        public Builder delay(Duration value) {
            Require.notNegative("delay", value);
            delay = value;
            return this;
        }

        /** No copy is started by time: the next one follows only when one has failed. */
        public Builder onlyAfterFailure() {
            delay = Nanos.toDuration(Nanos.FOREVER);
            return this;
        }

        /**
         * The delay is this quantile of the latency of recent calls, once enough are known; more than 0 and less than 1. Default: off, the delay is
         * fixed.
         */
        public Builder quantile(double value) {
            if (!(value > 0 && value < 1)) {
                throw Require.refused("quantile", value, "a number more than 0 and less than 1");
            }
            quantile = value;
            return this;
        }

        /** How many recent calls have to be known before their quantile is the delay, 1 to a million. Default: 100. */
        public Builder warmUp(int calls) {
            warmUp = Require.between("warmUp", calls, 1, MOST_WARM_UP);
            return this;
        }

        /** How many copies may be started beside the original, 1 to 10. Default: 1. */
        public Builder maxHedges(int value) {
            maxHedges = Require.between("maxHedges", value, 1, MOST_HEDGES);
            return this;
        }

        /** What is a success and what a failure. Default: {@link Classifier#standard()}. */
        public Builder classifier(Classifier value) {
            classifier = Objects.requireNonNull(value, "classifier");
            return this;
        }

        /**
         * Where the copies of blocking calls run. It has to start a copy at once: one that waits in a queue behind the original is no
         * hedge. Default: {@link DefaultExecutors#blocking()}.
         */
        public Builder executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** The budget to spend from, which others may share. Default: one of its own, {@link Budget#withDefaults()}. */
        public Builder budget(Budget shared) {
            sharedBudget = Objects.requireNonNull(shared, "budget");
            noBudget = false;
            return this;
        }

        /** No budget: {@link #maxHedges} alone bounds what this adds to the load of a dependency that is slow. */
        public Builder noBudget() {
            sharedBudget = null;
            noBudget = true;
            return this;
        }
    }
}
