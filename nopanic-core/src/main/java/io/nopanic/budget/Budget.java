package io.nopanic.budget;

import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Objects;

/**
 * Bounds the extra calls that retries and hedges make: by default to 20 % of the calls of the last 10 seconds plus 10 a
 * second. With a budget a dependency that fails altogether gets about 1.2 times its normal load, instead of
 * {@code attempts} times; nested retries, which would multiply, share one.
 *
 * <p>Extra calls are granted while {@code granted + 1 <= ratio * calls + minPerSecond * window}, both counted over the
 * window. So after a quiet time up to {@code minPerSecond * window} are granted at once: 100 by default, and as many
 * per 10 seconds at least, which is what keeps retries working where there is little traffic. The rule is that of
 * Finagle's {@code RetryBudget} (2016).
 *
 * <p><b>What is exact.</b> Granted calls are counted exactly. The window moves in tenths of its length and reaches back
 * that length and up to a tenth more. Counting a call reads no clock; the time comes with the question for an extra
 * call. The calls between two questions (the making of the budget counts as one) are therefore taken as evenly spread
 * over the time between them. So what counts differs from the true number of calls in the window by at most the calls
 * since the last question, and of those no more than their share of one window counts when the questions are further
 * apart. A question comes with every failure, so while calls fail the difference is a few calls.
 *
 * <p>Thread-safe, and made to be shared by everything that calls one dependency. Counting a call costs one write that
 * threads do not contend for, and allocates nothing. All that share a budget must run on the same {@link Time}; if the
 * clock seen here goes back by more than the window, counting begins again from there.
 */
public final class Budget {

    private final Ledger ledger;
    private final Time time;
    private final boolean counts;
    private final String description;

    private Budget(Ledger ledger, Time time, boolean counts, String description) {
        this.ledger = ledger;
        this.time = time;
        this.counts = counts;
        this.description = description;
    }

    /** A budget of 20 % of the calls of the last 10 seconds plus 10 a second. */
    public static Budget withDefaults() {
        return builder().build();
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The same budget for a policy that stands in one pipeline with another which counts the calls already: it spends
     * and counts nothing. A retry and a hedge around the same call, or nested retries, would otherwise count each call
     * twice.
     */
    public Budget spendOnly() {
        return new Budget(ledger, time, false, description);
    }

    /** A call, of which extra calls may be a share, begins. */
    public void onCall() {
        if (counts) {
            ledger.count();
        }
    }

    /**
     * Asks for one extra call, which is paid for if granted.
     *
     * @param nowNanos the time, in nanoseconds of the clock of this budget
     * @return whether it may be made
     */
    public boolean trySpend(long nowNanos) {
        return ledger.trySpend(nowNanos);
    }

    /**
     * Gives back what {@link #trySpend} granted, for a call that is not made after all.
     *
     * @param spentAtNanos the time that {@code trySpend} was told; if that is no longer in the window, there is nothing
     *     to give back
     */
    public void giveBack(long spentAtNanos) {
        ledger.giveBack(spentAtNanos);
    }

    /** How many extra calls would be granted now, 0 or more. Reads the clock. */
    public long available() {
        return ledger.available(time.nanos());
    }

    /** The settings in words. */
    public String describe() {
        return description;
    }

    @Override
    public String toString() {
        return "budget of " + description;
    }

    /** Collects the settings of a budget. Not thread-safe. */
    public static final class Builder {

        private static final double MOST = 1_000_000;

        private double ratio = 0.2;
        private double minPerSecond = 10;
        private Duration window = Duration.ofSeconds(10);
        private Time time = Time.system();

        private Builder() {}

        /** Extra calls as a share of calls, 0 to 10. Default: 0.2. */
        public Builder ratio(double value) {
            ratio = Require.between("ratio", value, 0, 10);
            return this;
        }

        /** Extra calls per second that are granted however few calls there are, 0 to a million. Default: 10. */
        public Builder minPerSecond(double value) {
            minPerSecond = Require.between("minPerSecond", value, 0, MOST);
            return this;
        }

        /** How far back calls and extra calls count; 1 ms or more. Default: 10 seconds. */
        public Builder window(Duration value) {
            if (Require.positive("window", value) < 1_000_000) {
                throw Require.refused("window", value, "a duration of at least 1 ms");
            }
            window = value;
            return this;
        }

        /** The time to run on: that of the policies that share it. Default: {@link Time#system()}. */
        public Builder time(Time value) {
            time = Objects.requireNonNull(value, "time");
            return this;
        }

        /** The budget. Reads the clock once. */
        public Budget build() {
            long windowNanos = Nanos.of(window);
            double reserve = minPerSecond * (windowNanos / 1e9);
            Ledger ledger = new Ledger(ratio, reserve, windowNanos, time.nanos());
            return new Budget(ledger, time, true, describe());
        }

        private String describe() {
            return percent() + " % of the calls of the last " + window + " plus " + plain(minPerSecond) + " per second";
        }

        private String percent() {
            return plain(Math.round(ratio * 1e6) / 1e4);
        }

        private static String plain(double number) {
            return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
        }
    }
}
