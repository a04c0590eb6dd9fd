package io.nopanic.ratelimit;

import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.Require;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter that finds out what rate its dependency can take. When the dependency says "slow down", the rate is multiplied by {@code decrease};
 * each call that succeeds adds {@code increase}: additive increase and multiplicative decrease, as in TCP's congestion avoidance (RFC 5681;
 * Chiu and Jain 1989). Callers that share a dependency and do so converge to fair shares of it.
 *
 * <p><b>A throttle signal</b> is an error or a result that carries a hint when to come back ({@link io.nopanic.outcome.HasRetryAfter}), or
 * that the builder names, such as an HTTP response 429 or 503. Errors of other kinds change nothing, and refusals of nopanic's own never are
 * signals. The rate is cut at most once per {@code window}, and not by calls that were let in before the last cut, so the refusals of all calls
 * that were on their way count once.
 *
 * <p><b>A hint blocks</b> all calls for its length, at most {@code maxBlock}. After it one call passes, and others at the rate, so the dependency
 * does not meet a burst when it has just recovered.
 *
 * <p><b>The burst</b> goes up and down with the rate, but is at least 1. Permits that are there stay when the rate changes, up to the new burst. In any span of
 * time of length {@code w} no more pass than the largest burst in it and the integral of the rate over it.
 *
 * <p>Waiting, order and refusals are those of {@link RateLimiter}; calls that wait move up when the rate rises, and are refused at once when it falls or a
 * hint blocks so that they cannot make it in time. Thread-safe. A call costs one clock reading and one compare-and-set, without a lock or
 * allocation, while the rate is at its maximum and nobody waits; while the rate is below, each success reads the clock again, takes a short lock and
 * allocates a few hundred bytes.
 */
public final class AdaptiveRateLimiter extends PolicyBase implements Admission {

    private final AdaptiveSetting setting;
    private final Throttles throttles;
    private final Bucket bucket;
    private final Line line;
    private final String waiting;

    /** In permits per period. Written under the line's lock, read anywhere. */
    private volatile double rate;

    /** Under the line's lock. */
    private boolean everCut;

    private long lastCutNanos;

    private AdaptiveRateLimiter(Builder builder, AdaptiveSetting setting) {
        super(builder);
        this.setting = setting;
        throttles = new Throttles(builder.rules, setting.maxBlockNanos);
        rate = setting.startRate;
        bucket = new Bucket(setting.pace(rate), timeOrSystem().nanos());
        line = builder.line(bucket, new Teller(name(), events(), this::stamp));
        waiting = builder.describeWait();
    }

    /**
     * A limiter that starts at this rate, never exceeds it, and refuses what it cannot let pass at once.
     *
     * @param rate how many calls per period, more than 0; see {@link Builder#rate}
     * @param period from 1 nanosecond to 3,650 days
     * @throws IllegalArgumentException if either is out of range
     */
    public static AdaptiveRateLimiter of(double rate, Duration period) {
        return builder().rate(rate, period).build();
    }

    /** A builder; {@link Builder#rate} has to be set. */
    public static Builder builder() {
        return new Builder();
    }

    /** The rate now, in permits per second. */
    public double ratePerSecond() {
        return setting.perSecond(rate);
    }

    /** How many permits a call that comes now could have at once; 0 while any call waits or a hint blocks. Never negative. */
    public int availablePermits() {
        return line.available(timeOrSystem().nanos());
    }

    /** How many calls wait now. */
    public int queued() {
        return line.queued();
    }

    // ---------------- the policy

    /** The time that was set, or that of the machine: the limiter's memory is in its terms. */
    @Override
    public Optional<Time> time() {
        return Optional.of(timeOrSystem());
    }

    @Override
    public boolean judgesOutcomes() {
        return true;
    }

    /** Most outcomes change nothing; {@link #settle} reads the clock itself for one that does. */
    @Override
    public boolean readsTimeOnSettle() {
        return false;
    }

    @Override
    public long tryAcquire(long nowNanos) {
        return bucket.tryTake(1, nowNanos) ? Line.PERMIT : NOT_NOW;
    }

    @Override
    public Entry enter(EntryRequest request) {
        return line.enter(request, 1);
    }

    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        if (throttles.isThrottle(result, error)) {
            return slowDown(startNanos, throttles.hintNanos(result, error));
        }
        return error != null || rate >= setting.maxRate ? null : speedUp();
    }

    private @Nullable Waiter slowDown(long startNanos, long hintNanos) {
        long nowNanos = timeOrSystem().nanos();
        return change(nowNanos, () -> {
            cut(startNanos, nowNanos);
            if (hintNanos != Throttles.NO_HINT) {
                bucket.block(hintNanos, nowNanos);
            }
            line.reconsider(nowNanos);
        });
    }

    private @Nullable Waiter speedUp() {
        long nowNanos = timeOrSystem().nanos();
        return change(nowNanos, () -> setRate(rate + setting.increase, nowNanos));
    }

    /** The settings, as in {@code from 10.0 per PT1S, between 1.0 and 10.0, times 0.5 at most once per PT1S, plus 0.1 per success, ...}. */
    @Override
    public String describe() {
        return setting.describe() + ", " + waiting;
    }

    private void cut(long startNanos, long nowNanos) {
        boolean knewTheRate = startNanos - lastCutNanos >= 0;
        boolean windowIsOver = nowNanos - lastCutNanos >= setting.windowNanos;
        if (!everCut || (knewTheRate && windowIsOver)) {
            everCut = true;
            lastCutNanos = nowNanos;
            setRate(rate * setting.decrease, nowNanos);
        }
    }

    private void setRate(double wanted, long nowNanos) {
        double next = Math.max(setting.minRate, Math.min(wanted, setting.maxRate));
        if (next != rate) {
            rate = next;
            bucket.change(setting.pace(next), nowNanos);
        }
    }

    /** Changes the bucket, and says so if that changed the rate: in the order of the changes, but after the lock has been left. */
    private @Nullable Waiter change(long nowNanos, Runnable change) {
        Event.Stamp stamp = events().isListenedTo() ? stamp(nowNanos) : null;
        boolean[] mustDeliver = {false};
        Waiter woken = line.change(nowNanos, () -> {
            double before = rate;
            change.run();
            if (stamp != null && before != rate) {
                mustDeliver[0] = events().enqueue(
                                new Event.RateChanged(stamp, setting.perSecond(before), setting.perSecond(rate)));
            }
        });
        if (mustDeliver[0]) {
            events().deliver();
        }
        return woken;
    }

    /** Settings of an adaptive rate limiter. Not thread-safe. */
    public static final class Builder extends LimiterBuilder<Builder, AdaptiveRateLimiter> {

        private static final double MAX_RATE = 1e9;
        private static final double DEFAULT_INCREASE = 0.1;
        private static final double DEFAULT_DECREASE = 0.5;
        private static final long DEFAULT_WINDOW_NANOS = 1_000_000_000L;
        private static final long DEFAULT_MAX_BLOCK_NANOS = 60_000_000_000L;

        double rate;
        long periodNanos;
        double minRate;
        double maxRate;
        double increase = DEFAULT_INCREASE;
        double decrease = DEFAULT_DECREASE;
        long windowNanos = DEFAULT_WINDOW_NANOS;
        long maxBlockNanos = DEFAULT_MAX_BLOCK_NANOS;
        int burst;
        private final Classifier.Builder rules = Classifier.builder();

        private Builder() {
            super("adaptive rate limiter");
        }

        /**
         * The rate at which it starts: what the dependency is believed to take. Has no default.
         *
         * @param value how many calls per period: more than 0 and at most a thousand million; need not be whole
         * @param period from 1 nanosecond to 3,650 days
         * @throws IllegalArgumentException if either is out of range
         */
        public Builder rate(double value, Duration period) {
            double checked = checkRate("rate", value);
            periodNanos = periodNanos(period);
            rate = checked;
            return this;
        }

        /**
         * The rate below which it never goes, in calls per period: more than 0 and at most the rate. Default: a tenth of the rate.
         *
         * @throws IllegalArgumentException if it is out of range, or not finite
         */
        public Builder minRate(double value) {
            minRate = checkRate("minRate", value);
            return this;
        }

        /**
         * The rate above which it never goes, in calls per period: at least the rate. Default: the rate, which so is the most that
         * was agreed on.
         *
         * @throws IllegalArgumentException if it is out of range, or not finite
         */
        public Builder maxRate(double value) {
            maxRate = checkRate("maxRate", value);
            return this;
        }

        /**
         * What each call that succeeds adds to the rate, in calls per period: more than 0. Default: 0.1.
         *
         * @throws IllegalArgumentException if it is out of range, or not finite
         */
        public Builder increase(double value) {
            increase = checkRate("increase", value);
            return this;
        }

        /**
         * What the rate is multiplied by when the dependency says "slow down": more than 0 and less than 1. Default: 0.5.
         *
         * @throws IllegalArgumentException if it is out of range, or not a number
         */
        public Builder decrease(double value) {
            if (!(value > 0 && value < 1)) {
                throw Require.refused("decrease", value, "a number more than 0 and less than 1");
            }
            decrease = value;
            return this;
        }

        /**
         * The time in which the rate is cut at most once: zero or more. Default: 1 second.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder window(Duration value) {
            windowNanos = Require.notNegative("window", value);
            return this;
        }

        /**
         * How many permits there are at first, and can be kept over a quiet time while the rate is the one at which it starts; in proportion
         * at other rates, but at least 1. Default: as many as pass per period, at least 1.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder burst(int value) {
            burst = Require.between("burst", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /**
         * The longest that a hint blocks all calls, whatever it says: from 1 nanosecond to 3,650 days. Default: 60 seconds.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder maxBlock(Duration value) {
            long nanos = Require.positive("maxBlock", value);
            if (nanos > Pace.MAX_NANOS) {
                throw Require.refused("maxBlock", value, "a duration of at most " + Pace.MAX_DAYS + " days");
            }
            maxBlockNanos = nanos;
            return this;
        }

        /** Errors of this type say "slow down", besides those that carry a hint. */
        public Builder throttleOn(Class<? extends Throwable> type) {
            rules.failOn(type);
            return this;
        }

        /** Errors that match say "slow down". A predicate that throws is taken not to match, and reported once. */
        public Builder throttleIf(Predicate<? super Throwable> predicate) {
            rules.failIf(predicate);
            return this;
        }

        /** Errors of this type that match say "slow down", as in {@code (HttpException e) -> e.status() == 429}. */
        public <E extends Throwable> Builder throttleIf(Class<E> type, Predicate<? super E> predicate) {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(predicate, "predicate");
            return throttleIf(error -> type.isInstance(error) && predicate.test(type.cast(error)));
        }

        /** Results of this type that match say "slow down", as in {@code (Response r) -> r.status() == 429 || r.status() == 503}. */
        public <R> Builder throttleOnResult(Class<R> type, Predicate<? super R> predicate) {
            rules.failOnResult(type, predicate);
            return this;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * The limiter.
         *
         * @throws IllegalArgumentException if {@link #rate} was not set; if the rates are not in order, the lowest is less than one permit in
         *     3,650 days, or they are so far apart that they cannot be told in one unit; or if the burst would take longer than 3,650 days to
         *     refill
         */
        @Override
        public AdaptiveRateLimiter build() {
            return new AdaptiveRateLimiter(this, new AdaptiveSetting(this));
        }

        private static double checkRate(String setting, double value) {
            if (!(value > 0 && value <= MAX_RATE)) {
                throw Require.refused(setting, value, "a number more than 0 and at most " + MAX_RATE);
            }
            return value;
        }
    }
}
