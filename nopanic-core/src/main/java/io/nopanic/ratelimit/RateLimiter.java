package io.nopanic.ratelimit;

import io.nopanic.events.Events;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.PolicyBase;
import io.nopanic.spi.Require;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls pass at a rate: so many permits per period, refilled continuously, with up to {@code burst} of them kept over a quiet time. It starts
 * full. In any span of time of length {@code w} at most {@code burst + rate * w} permits are taken. In the {@linkplain Builder#strict() strict}
 * mode at most {@code rate} permits are taken in any rolling period.
 *
 * <p>A call for which there is no permit is refused at once with {@link RateLimitedException}, or waits, first come first served, if it can have its
 * permit within {@link Builder#maxWait}. A call that waits and then leaves (interrupted, cancelled, at a deadline) gives its place back, and those
 * behind it move up. A permit that was used is gone, whatever became of the call, also if a policy further in refused it: put the rate limiter inside
 * the policies that refuse cheaply.
 *
 * <p>With {@linkplain Builder#leased leases}, threads take several permits at a time, and most calls neither read the clock nor write what other
 * threads write. No more passes because of that.
 *
 * <p>Thread-safe; blocking and asynchronous calls share the one rate, in all pipelines that this object or a {@linkplain #weighted weighted} view
 * of it stands in. While nobody waits, a call costs one clock reading and one compare-and-set, takes no lock and allocates nothing; in the strict
 * mode it takes a short lock. Memory is constant, but for about 200 bytes per call that waits, and 8 bytes per permit of a strict rate.
 */
public final class RateLimiter extends PolicyBase implements Admission {

    /** The most permits per period in the strict mode, which remembers each: {@value}. */
    public static final int MAX_STRICT_PERMITS = 1_000_000;

    private final Meter meter;
    private final Line line;
    private final boolean strict;
    private final int lease;
    private final String waiting;

    /** Written under the line's lock, read anywhere. */
    private volatile Rate rate;

    private RateLimiter(Builder builder, Rate rate) {
        super(builder);
        this.rate = rate;
        strict = builder.strict;
        lease = builder.lease;
        meter = builder.meter(rate, timeOrSystem());
        line = builder.line(meter, new Teller(name(), events(), this::stamp));
        waiting = builder.describeWait();
    }

    /**
     * A limiter that refuses what it cannot let pass at once.
     *
     * @param permits how many calls per period, at least 1; also the burst
     * @param period from 1 nanosecond to 3,650 days
     * @throws IllegalArgumentException if either is out of range
     */
    public static RateLimiter of(int permits, Duration period) {
        return builder().rate(permits, period).build();
    }

    /** A builder; {@link Builder#rate} has to be set. */
    public static Builder builder() {
        return new Builder();
    }

    // ---------------- looking at it

    /** The rate now. */
    public Rate rate() {
        return rate;
    }

    /** Whether at most {@link Rate#permits()} pass in any rolling period. */
    public boolean isStrict() {
        return strict;
    }

    /** How many permits a call that comes now could have at once; 0 while any call waits. Never negative. */
    public int availablePermits() {
        return line.available(timeOrSystem().nanos());
    }

    /** How many calls wait now. */
    public int queued() {
        return line.queued();
    }

    // ---------------- by hand

    /** Takes a permit, outside of any pipeline, if one is there and nobody waits. Never waits. */
    public boolean tryTake() {
        return tryTake(1);
    }

    /**
     * Takes several permits at once, outside of any pipeline, if they are there and nobody waits. Never waits.
     *
     * @param permits how many, at least 1; more than the burst are never there
     * @throws IllegalArgumentException if it is less than 1; nothing has changed then
     */
    public boolean tryTake(int permits) {
        Require.between("permits", permits, 1, Integer.MAX_VALUE);
        return line.takeNow(permits, timeOrSystem().nanos());
    }

    /**
     * This limiter for calls that weigh more than one permit each, to put in a pipeline in its place. It is a view: everything is shared. A call that
     * needs many permits is not overtaken by calls that need few.
     *
     * @param permits how many a call takes, from 1 to the burst; with {@linkplain Builder#leased leases} to half of it, rounded up. Should the burst
     *     later become too small for that, calls are refused, without a time at which to come back
     * @throws IllegalArgumentException if that many can never be there at once
     */
    public Admission weighted(int permits) {
        Require.between("permits", permits, 1, meter.burst());
        return new Weighted(this, permits);
    }

    // ---------------- changing

    /**
     * Changes the rate, as {@link #setRate(Rate)} does. A burst that is as large as the permits of a period goes on being so; any other stays.
     *
     * @param permits how many calls per period, at least 1
     * @param period from 1 nanosecond to 3,650 days
     * @throws IllegalArgumentException if either is out of range, or the burst would take longer than 3,650 days to refill; nothing has changed
     *     then
     */
    public void setRate(int permits, Duration period) {
        Rate old = rate;
        while (!changeRate(old, old.with(permits, period))) {
            old = rate;
        }
    }

    /**
     * Changes rate and burst in one step, while calls come and wait. Permits that are there stay, up to the new burst: a larger burst fills at the
     * new rate, it is not given away. In the strict mode permits taken before still count, as far back as the smaller of the old and the new number
     * remembers. Calls that wait keep their order and wait for the new rate; those that could not have their permits within their limit any more are
     * refused now.
     *
     * @throws IllegalArgumentException in the strict mode, if the burst is not as large as the permits of a period or that is more than
     *     {@link #MAX_STRICT_PERMITS}; nothing has changed then
     */
    public void setRate(Rate next) {
        changeRate(null, next);
    }

    /** Changes the rate; where one is given that was seen, only if it still is that. */
    private boolean changeRate(@Nullable Rate seen, Rate next) {
        if (strict) {
            checkStrict(next);
        }
        long nowNanos = timeOrSystem().nanos();
        boolean[] changed = {false};
        Line.wake(line.change(nowNanos, () -> {
            changed[0] = seen == null || seen.equals(rate);
            if (changed[0]) {
                meter.change(next, nowNanos);
                rate = next;
                line.reconsider(nowNanos);
            }
        }));
        return changed[0];
    }

    private static void checkStrict(Rate rate) {
        Require.between("permits", rate.permits(), 1, MAX_STRICT_PERMITS);
        if (rate.burst() != rate.permits()) {
            throw Require.refused("burst", rate.burst(), "as many as the permits of a period in the strict mode");
        }
    }

    // ---------------- the policy

    /** The time that was set, or that of the machine: the limiter's memory is in its terms. */
    @Override
    public Optional<Time> time() {
        return Optional.of(timeOrSystem());
    }

    @Override
    public boolean readsTimeOnEntry() {
        return meter.readsTime();
    }

    @Override
    public boolean readsTimeOnSettle() {
        return false;
    }

    @Override
    public long tryAcquire(long nowNanos) {
        return meter.tryTake(1, nowNanos) ? Line.PERMIT : NOT_NOW;
    }

    @Override
    public Entry enter(EntryRequest request) {
        return line.enter(request, 1);
    }

    /** Does nothing: the permit was used up. */
    @Override
    public @Nullable Waiter settle(
            long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
        return null;
    }

    /** The settings, as in {@code 10 per PT1S, burst 10, waits up to PT0.5S}. */
    @Override
    public String describe() {
        Rate now = rate;
        String limit = strict ? "at most " + now.permits() + " in any " + now.period() : now.toString();
        return limit + (lease > 1 ? ", leases of up to " + lease : "") + ", " + waiting;
    }

    /** A view whose calls take several permits. */
    private static final class Weighted implements Admission {

        private final RateLimiter limiter;
        private final int permits;

        Weighted(RateLimiter limiter, int permits) {
            this.limiter = limiter;
            this.permits = permits;
        }

        @Override
        public String name() {
            return limiter.name();
        }

        @Override
        public String kind() {
            return limiter.kind();
        }

        @Override
        public String describe() {
            return permits + " permits a call of " + limiter.describe();
        }

        @Override
        public Events events() {
            return limiter.events();
        }

        @Override
        public Optional<Time> time() {
            return limiter.time();
        }

        @Override
        public boolean readsTimeOnEntry() {
            return limiter.readsTimeOnEntry();
        }

        @Override
        public boolean readsTimeOnSettle() {
            return limiter.readsTimeOnSettle();
        }

        @Override
        public long tryAcquire(long nowNanos) {
            return limiter.meter.tryTake(permits, nowNanos) ? Line.PERMIT : NOT_NOW;
        }

        @Override
        public Entry enter(EntryRequest request) {
            return limiter.line.enter(request, permits);
        }

        @Override
        public @Nullable Waiter settle(
                long permit, long startNanos, long nowNanos, @Nullable Object result, @Nullable Throwable error) {
            return null;
        }

        @Override
        public String toString() {
            return limiter.toString();
        }
    }

    /** Settings of a rate limiter. Not thread-safe. */
    public static final class Builder extends LimiterBuilder<Builder, RateLimiter> {

        private static final int UNSET = 0;

        private int permits = UNSET;
        private Duration period = Duration.ZERO;
        private int burst = UNSET;
        private boolean strict;
        private int lease = 1;

        private Builder() {
            super("rate limiter");
        }

        /**
         * How many calls pass per period. Has no default, because no rate suits more than one dependency. For less than one call per second,
         * use a longer period.
         *
         * @param value how many, at least 1
         * @param per from 1 nanosecond to 3,650 days
         * @throws IllegalArgumentException if either is out of range
         */
        public Builder rate(int value, Duration per) {
            Rate.of(value, per);
            permits = value;
            period = per;
            return this;
        }

        /**
         * How many permits there are at first, and can be kept over a quiet time: at least 1, and few enough to be refilled within 3,650 days.
         * Default: as many as pass per period.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder burst(int value) {
            burst = Require.between("burst", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Never lets more than the rate pass in any rolling period, for a contract that says so. Costs 8 bytes per permit and a short lock
         * per call, so at most {@link RateLimiter#MAX_STRICT_PERMITS} permits per period. Permits come back as those of a period ago
         * did, in bursts if those came so. When weighted calls wait, how long the next one has to is reckoned from their sum, which can be too short: it may
         * then wait longer than {@link #maxWait}, and a {@code retryAfter} may come too early; what passes is exact all the same.
         */
        public Builder strict() {
            strict = true;
            return this;
        }

        /**
         * Lets threads take permits from the bucket a few at a time, for rates so high that the limiter itself is what calls wait for. Most calls
         * then take a permit from memory that few other threads write, and read no clock; the bucket is asked once per lease. For a rate below some
         * ten thousand per second there is nothing to gain.
         *
         * <p>The rate is kept as without leases: in any span of time of length {@code w} at most {@code burst + rate * w} permits are used. What is
         * leased but not used counts against the burst, at most half of which is leased at any time, and other threads take it before they are
         * refused. So after a quiet time there may be less than the burst, but at least half of it; and for an instant, while another thread takes a
         * lease, a call can be refused although that lease has more than one permit. Calls that wait do so in one line, for which all leases are
         * called in. Calls of more than one permit take them from the bucket, and can take at most half of the burst.
         *
         * <p>Not for limits that must let the whole burst pass after each quiet time, and not in the strict mode.
         *
         * @param permits how many permits to take at one time: at least 2; 16 to 64 suit most. Fewer are taken where all threads together would lease
         *     more than half of the burst
         * @throws IllegalArgumentException if it is less than 2
         */
        public Builder leased(int permits) {
            lease = Require.between("leased", permits, 2, Integer.MAX_VALUE);
            return this;
        }

        private Meter meter(Rate rate, Time time) {
            if (strict) {
                return new RollingWindow(rate.permits(), rate.periodNanos(), time.nanos());
            }
            return lease > 1 ? new LeasedBucket(rate, lease, time) : new Bucket(rate.pace(), time.nanos());
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * The limiter.
         *
         * @throws IllegalArgumentException if {@link #rate} was not set, if the burst would take longer than 3,650 days to refill, or if in the
         *     strict mode a burst was set that is not the rate, {@link #leased} was set, or the rate is more than
         *     {@link RateLimiter#MAX_STRICT_PERMITS}
         */
        @Override
        public RateLimiter build() {
            if (permits == UNSET) {
                throw Require.refused("rate", "not set", "a number of permits and a period");
            }
            Rate rate = new Rate(permits, period, burst == UNSET ? permits : burst);
            if (strict) {
                checkStrict(rate);
                if (lease > 1) {
                    throw Require.refused(
                            "leased", lease, "none in the strict mode, which counts each permit when it is used");
                }
            }
            return new RateLimiter(this, rate);
        }
    }
}
