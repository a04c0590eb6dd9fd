package io.nopanic.retry;

import io.nopanic.budget.Budget;
import io.nopanic.events.Event;
import io.nopanic.events.Event.GiveUpReason;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.outcome.Outcome;
import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Repetition;
import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failed call again, after a delay, a limited number of times. Only for calls that may safely be made twice.
 *
 * <p>By default: three attempts in all; full jitter from 100 ms up to 30 seconds; every exception is retried, except
 * for a refusal by another policy, a cancellation, an interrupt, and an {@link Error}; a hint of the other side
 * ({@link HasRetryAfter}) is respected; and a {@link Budget} bounds the retries of all calls together. An attempt that
 * a timeout inside the retry ended is retried like any failure.
 *
 * <p>The delay is computed by the {@link Backoff}, cut to its cap, spread by its jitter within 0 and the cap, and
 * raised to the hint. If the attempt could then not start within {@link Builder#maxDuration} or within the deadline of
 * a timeout around the retry, it is not waited for: the last outcome comes out at once. The last outcome comes out too
 * when the attempts are used up, when the budget is, or when the failure is not one to retry; always as it is, also a
 * result that was not accepted.
 *
 * <p>Code of yours that throws (a rule, a {@link Backoff.DelayFunction}, what reads a hint) never replaces a call's
 * outcome: it is reported once; a rule is taken not to match, a hint not to be there, and without a delay the outcome
 * stands.
 *
 * <p>Immutable and thread-safe; nothing is kept per call, so calls never share a backoff sequence. A call whose first
 * attempt is good costs the budget's count of it: one uncontended write, no clock reading (unless {@code maxDuration}
 * is set) and no allocation. To change a live retry, build another with the same {@link #budget()}.
 */
public final class Retry extends PolicyBase implements Repetition {

    private final int attempts;
    private final Backoff backoff;
    private final Classifier rules;
    private final boolean looksAtResults;
    private final Hints hints;
    private final long maxDurationNanos;
    private final @Nullable Budget budget;
    private final RandomGenerator random;
    private final ReportedOnce faults =
            new ReportedOnce(Retry.class, "what computes a retry's delay threw; the outcome of the call stands");

    private Retry(Builder builder) {
        super(builder);
        attempts = builder.attempts;
        backoff = builder.backoff;
        rules = builder.rules.build();
        looksAtResults = rules.looksAtResults();
        hints = new Hints(builder.hintSources, builder.hintCapNanos);
        maxDurationNanos = builder.maxDurationNanos;
        random = builder.random;
        if (builder.sharedBudget != null) {
            budget = builder.sharedBudget;
        } else {
            budget = builder.noBudget
                    ? null
                    : Budget.builder().time(timeOrSystem()).build();
        }
    }

    /** A retry with the defaults. */
    public static Retry withDefaults() {
        return builder().build();
    }

    /** A retry with the defaults but for the number of attempts; see {@link Builder#attempts}. */
    public static Retry ofAttempts(int attempts) {
        return builder().attempts(attempts).build();
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many attempts a call has in all, the first included; {@link Integer#MAX_VALUE} if there is no limit. */
    public int attempts() {
        return attempts;
    }

    /** How long it waits between attempts. */
    public Backoff backoff() {
        return backoff;
    }

    /** The budget it spends from, for others to share; empty if it has none. */
    public Optional<Budget> budget() {
        return Optional.ofNullable(budget);
    }

    @Override
    public String describe() {
        return (attempts == Integer.MAX_VALUE ? "unlimited attempts" : attempts + " attempts")
                + (maxDurationNanos == Nanos.FOREVER ? "" : " within " + Nanos.toDuration(maxDurationNanos))
                + "; " + backoff.describe()
                + "; " + hints.describe()
                + "; " + (budget == null ? "no budget" : "budget of " + budget.describe());
    }

    // ---------------- decisions

    @Override
    public boolean measuresElapsed() {
        return maxDurationNanos != Nanos.FOREVER;
    }

    @Override
    public void onCall() {
        Budget spentFrom = budget;
        if (spentFrom != null) {
            spentFrom.onCall();
        }
    }

    @Override
    public boolean accepts(@Nullable Object result) {
        return !looksAtResults || rules.ofResult(result) != Outcome.FAILURE;
    }

    @Override
    public long delayNanos(Attempt attempt) {
        Throwable thrown = attempt.error();
        Throwable error = thrown == null ? null : Failures.unwrap(thrown);
        if (error != null) {
            Outcome outcome = rules.ofError(error);
            if (outcome != Outcome.FAILURE) {
                boolean cancelled = outcome == Outcome.CANCELLED;
                return giveUp(attempt, error, cancelled ? GiveUpReason.CANCELLED : GiveUpReason.NOT_RETRYABLE);
            }
        }
        if (attempt.number() >= attempts) {
            return giveUp(attempt, error, GiveUpReason.ATTEMPTS_EXHAUSTED);
        }
        long delayNanos;
        try {
            delayNanos = backoff.delayNanos(
                    attempt.number(), attempt.previousDelayNanos(), random.nextDouble(), attempt.result(), error);
            if (delayNanos == Backoff.STOP) {
                return giveUp(attempt, error, GiveUpReason.ATTEMPTS_EXHAUSTED);
            }
            long hintNanos = hints.of(attempt.result(), error);
            if (hintNanos > Hints.NONE) {
                delayNanos = Math.max(delayNanos, Hints.spread(hintNanos, random.nextDouble()));
            }
        } catch (Throwable fault) {
            faults.thrown(fault);
            return giveUp(attempt, error, GiveUpReason.NOT_RETRYABLE);
        }
        if (delayNanos >= leftNanos(attempt)) {
            return giveUp(attempt, error, GiveUpReason.TIME_EXHAUSTED);
        }
        if (budget != null && !budget.trySpend(attempt.nowNanos())) {
            return giveUp(attempt, error, GiveUpReason.BUDGET_EXHAUSTED);
        }
        if (events().isListenedTo()) {
            events().publish(new Event.RetryScheduled(stamp(attempt.nowNanos()), attempt.number(), delayNanos, error));
        }
        return delayNanos;
    }

    @Override
    public void onAbandoned(Attempt attempt) {
        if (budget != null) {
            budget.giveBack(attempt.nowNanos());
        }
        Throwable thrown = attempt.error();
        giveUp(attempt, thrown == null ? null : Failures.unwrap(thrown), GiveUpReason.CANCELLED);
    }

    /** How soon an attempt has to start: before this long from now. */
    private long leftNanos(Attempt attempt) {
        if (!measuresElapsed()) {
            return attempt.remainingNanos();
        }
        return Math.min(attempt.remainingNanos(), maxDurationNanos - attempt.elapsedNanos());
    }

    private long giveUp(Attempt attempt, @Nullable Throwable error, GiveUpReason reason) {
        if (events().isListenedTo()) {
            events().publish(new Event.RetryGaveUp(stamp(attempt.nowNanos()), attempt.number(), reason, error));
        }
        return DONE;
    }

    /** Collects the settings of a retry. Not thread-safe. */
    public static final class Builder extends PolicyBuilder<Builder, Retry> {

        private final RetryRules rules = new RetryRules();
        private final List<Hints.Source<?>> hintSources = new ArrayList<>();
        private int attempts = 3;
        private Backoff backoff = Backoff.fullJitter();
        private long hintCapNanos = 60_000_000_000L;
        private long maxDurationNanos = Nanos.FOREVER;
        private @Nullable Budget sharedBudget;
        private boolean noBudget;
        private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

        private Builder() {
            super("retry");
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        public Retry build() {
            return new Retry(this);
        }

        // ---------------- how often and when

        /** How many attempts a call has in all, the first included: 1 or more. Default: 3. */
        public Builder attempts(int value) {
            if (value < 1) {
                throw Require.refused("attempts", value, "a whole number of at least 1, or unlimitedAttempts()");
            }
            attempts = value;
            return this;
        }

        /**
         * No limit to the number of attempts; what ends it is then a success, the budget, {@link #maxDuration} or a
         * deadline.
         */
        public Builder unlimitedAttempts() {
            attempts = Integer.MAX_VALUE;
            return this;
        }

        /** How long to wait between attempts. Default: {@link Backoff#fullJitter()}. */
        public Builder backoff(Backoff value) {
            backoff = Objects.requireNonNull(value, "backoff");
            return this;
        }

        /**
         * How long after the call began an attempt may start at the latest; more than zero. An attempt that is running
         * is not cut short; that is what a timeout around the retry does. Costs a clock reading per call. Default: no
         * limit.
         */
        public Builder maxDuration(Duration value) {
            maxDurationNanos = Require.positive("maxDuration", value);
            return this;
        }

        // ---------------- what is retried

        /**
         * Errors of this type and its subclasses are retried; once anything is named here or in {@link #retryIf},
         * nothing else is. A refusal by another policy, a cancellation, an interrupt and an {@link Error} are retried
         * only if such a type itself is named: {@code Exception} and {@code Throwable} do not mean them.
         */
        public Builder retryOn(Class<? extends Throwable> type) {
            rules.retryOn(type);
            return this;
        }

        /**
         * Errors that match are retried; see {@link #retryOn}. It is never asked about a refusal, a cancellation, an
         * interrupt or an {@link Error}.
         */
        public Builder retryIf(Predicate<? super Throwable> predicate) {
            rules.retryIf(predicate);
            return this;
        }

        /** Errors of this type and its subclasses are not retried, whatever else says they are. */
        public Builder giveUpOn(Class<? extends Throwable> type) {
            rules.giveUpOn(type);
            return this;
        }

        /** Errors that match are not retried, whatever else says they are. */
        public Builder giveUpIf(Predicate<? super Throwable> predicate) {
            rules.giveUpIf(predicate);
            return this;
        }

        /**
         * Results that match are retried, {@code null} among them; errors are not asked about. The last result comes
         * out as it is.
         */
        public Builder retryOnResult(Predicate<@Nullable Object> predicate) {
            rules.retryOnResult(predicate);
            return this;
        }

        /** Results of this type that match are retried. The last result comes out as it is. */
        public <R> Builder retryOnResult(Class<R> type, Predicate<? super R> predicate) {
            rules.retryOnResult(type, predicate);
            return this;
        }

        // ---------------- hints

        /**
         * Where else to find out when the other side wants to be called again; outcomes that {@link HasRetryAfter} are
         * asked in any case. The longest hint counts; zero, a negative one and none are the same.
         *
         * @param type of an error or of a result
         * @param hint reads the hint from it; {@link io.nopanic.outcome.RetryAfter#parse} fits
         */
        public <T> Builder retryAfterFrom(Class<T> type, Function<? super T, Optional<Duration>> hint) {
            hintSources.add(new Hints.Source<>(type, hint));
            return this;
        }

        /**
         * The longest hint that is followed; a longer one is cut to this. Zero or more; zero turns hints off; default 60 s.
         * The delay is drawn from the hint to 5 % plus 50 ms more, so it is at most 63.05 s by default.
         */
        public Builder retryAfterCap(Duration cap) {
            hintCapNanos = Require.notNegative("retryAfterCap", cap);
            return this;
        }

        // ---------------- budget

        /** The budget to spend from, which others may share. Default: one of its own, {@link Budget#withDefaults()}. */
        public Builder budget(Budget shared) {
            sharedBudget = Objects.requireNonNull(shared, "budget");
            noBudget = false;
            return this;
        }

        /** No budget: the number of attempts alone bounds what this adds to the load of a dependency that fails. */
        public Builder noBudget() {
            sharedBudget = null;
            noBudget = true;
            return this;
        }

        /** The source of jitter. Has to be thread-safe. Default: that of the current thread. */
        public Builder random(RandomGenerator value) {
            random = Objects.requireNonNull(value, "random");
            return this;
        }
    }
}
