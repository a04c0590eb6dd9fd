package io.nopanic.retry;

import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before the next attempt: a pure function of the attempt's number, the previous delay, the outcome
 * and one random number. It keeps no position, so one object serves any number of calls at once, each of which starts
 * from the beginning.
 *
 * <p>A delay is computed, cut to the {@linkplain #withCap cap}, and then spread by jitter within 0 and the cap; nothing
 * overflows, whatever the number of the attempt. Immutable and thread-safe (a {@link DelayFunction} of yours has to be,
 * too); used only when an attempt has failed.
 *
 * <p>Why jitter, and which: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. Of its forms full jitter
 * makes the fewest calls.
 */
public final class Backoff {

    /** What {@link #delayNanos} answers when there is no further delay, so no further attempt. */
    public static final long STOP = -1;

    private static final Duration DEFAULT_BASE = Duration.ofMillis(100);
    private static final double DEFAULT_FACTOR = 2;
    private static final double LARGEST_FACTOR = 1_000_000;
    private static final long DEFAULT_CAP_NANOS = 30_000_000_000L;

    private final Curve curve;
    private final String curveText;
    private final long capNanos;
    private final Jitter jitter;
    private final String jitterText;

    private Backoff(Curve curve, String curveText, long capNanos, Jitter jitter, String jitterText) {
        this.curve = curve;
        this.curveText = curveText;
        this.capNanos = capNanos;
        this.jitter = jitter;
        this.jitterText = jitterText;
    }

    // ---------------- factories

    /** No delay at all. A dependency that fails quickly is called again at once, so use it with few attempts. */
    public static Backoff none() {
        return new Backoff(always(0), "no delay", Nanos.FOREVER, Jitter.NONE, "");
    }

    /** The same delay, zero or more, every time. */
    public static Backoff fixed(Duration delay) {
        return new Backoff(
                always(Require.notNegative("delay", delay)), "fixed " + delay, Nanos.FOREVER, Jitter.NONE, "");
    }

    /** {@code base}, {@code 2 * base}, {@code 4 * base} and so on, up to 30 seconds, without jitter. */
    public static Backoff exponential(Duration base) {
        return exponential(base, DEFAULT_FACTOR);
    }

    /**
     * {@code base * factor^(n-1)} before retry {@code n}, without jitter.
     *
     * @param base the first delay, zero or more
     * @param factor 1 to a million
     * @return with a cap of 30 seconds, or of {@code base} if that is longer
     */
    public static Backoff exponential(Duration base, double factor) {
        long baseNanos = Require.notNegative("base", base);
        Require.between("factor", factor, 1, LARGEST_FACTOR);
        return new Backoff(
                (attempt, result, error) -> power(baseNanos, factor, attempt),
                "exponential from " + base + " by " + factor,
                defaultCap(baseNanos),
                Jitter.NONE,
                "");
    }

    /** The default: full jitter from 100 ms up to 30 seconds. */
    public static Backoff fullJitter() {
        return exponential(DEFAULT_BASE).withFullJitter();
    }

    /** Uniform from 0 to {@code min(cap, base * 2^(n-1))} before retry {@code n}. Both are more than zero. */
    public static Backoff fullJitter(Duration base, Duration cap) {
        return growing(base, cap).withFullJitter();
    }

    /** Uniform from half of {@code min(cap, base * 2^(n-1))} to all of it. Both are more than zero. */
    public static Backoff equalJitter(Duration base, Duration cap) {
        return growing(base, cap).withEqualJitter();
    }

    /**
     * Uniform from {@code base} to {@code min(cap, 3 * previous)}, where the first previous delay is {@code base}. Both
     * are more than zero. (The source cuts the drawn value at the cap; here the range is cut, so that the spread
     * stays.)
     */
    public static Backoff decorrelatedJitter(Duration base, Duration cap) {
        long baseNanos = Require.positive("base", base);
        return new Backoff(
                always(baseNanos),
                "from " + base,
                Require.positive("cap", cap),
                Jitter.decorrelated(baseNanos),
                "decorrelated jitter");
    }

    /**
     * {@code base} times 1, 1, 2, 3, 5, 8 and so on, without jitter.
     *
     * @param base the first delay, zero or more
     * @return with a cap of 30 seconds, or of {@code base} if that is longer
     */
    public static Backoff fibonacci(Duration base) {
        long baseNanos = Require.notNegative("base", base);
        return new Backoff(
                (attempt, result, error) -> fibonacci(baseNanos, attempt),
                "Fibonacci from " + base,
                defaultCap(baseNanos),
                Jitter.NONE,
                "");
    }

    /** These delays in this order; after the last one there is no further attempt. */
    public static Backoff of(Duration... delays) {
        return of(List.of(delays));
    }

    /**
     * These delays in this order; after the last one there is no further attempt.
     *
     * @param delays at least one, each zero or more
     */
    public static Backoff of(List<Duration> delays) {
        if (delays.isEmpty()) {
            throw Require.refused("delays", delays, "at least one delay");
        }
        List<Long> nanos = new ArrayList<>();
        for (Duration delay : delays) {
            nanos.add(Require.notNegative("delays[" + nanos.size() + "]", delay));
        }
        return new Backoff(
                (attempt, result, error) -> attempt <= nanos.size() ? nanos.get(Math.max(0, attempt - 1)) : STOP,
                "delays " + List.copyOf(delays),
                Nanos.FOREVER,
                Jitter.NONE,
                "");
    }

    /** What a function of yours says. */
    public static Backoff of(DelayFunction function) {
        Objects.requireNonNull(function, "function");
        return new Backoff(
                (attempt, result, error) -> {
                    Duration delay = function.delay(attempt, result, error);
                    return delay == null ? STOP : Math.max(0, Nanos.of(delay));
                },
                "a function",
                Nanos.FOREVER,
                Jitter.NONE,
                "");
    }

    // ---------------- variations

    /** This with no delay longer than {@code cap}, jitter included. More than zero. */
    public Backoff withCap(Duration cap) {
        return new Backoff(curve, curveText, Require.positive("cap", cap), jitter, jitterText);
    }

    /** This with each delay drawn uniformly from 0 to what it was; in place of any other jitter. */
    public Backoff withFullJitter() {
        return with(Jitter.FULL, "full jitter");
    }

    /** This with each delay drawn uniformly from half of what it was to what it was; in place of any other jitter. */
    public Backoff withEqualJitter() {
        return with(Jitter.EQUAL, "equal jitter");
    }

    /**
     * This with each delay drawn uniformly from {@code delay * (1 - share)} to {@code delay * (1 + share)}, or to the
     * cap if that is less; in place of any other jitter.
     *
     * @param share more than 0 and at most 1
     */
    public Backoff withJitter(double share) {
        return with(Jitter.share(Require.share("jitter", share)), "jitter of " + share + " of it");
    }

    /**
     * This with up to {@code width} added to each delay, uniformly; in place of any other jitter. Near the cap the
     * range moves down, and keeps its width.
     *
     * @param width more than zero
     */
    public Backoff withJitter(Duration width) {
        return with(Jitter.upTo(Require.positive("jitter", width)), "jitter of " + width);
    }

    // ---------------- use

    /**
     * The delay after an attempt whose outcome does not matter; see the longer form.
     *
     * @throws RuntimeException what a {@link DelayFunction} throws
     */
    public long delayNanos(int attempt, long previousDelayNanos, double random) {
        return delayNanos(attempt, previousDelayNanos, random, null, null);
    }

    /**
     * The delay before the attempt that follows.
     *
     * @param attempt the number of the attempt that failed, from 1
     * @param previousDelayNanos the delay before that attempt, 0 if it was the first
     * @param random a random number from 0 (included) to 1 (excluded)
     * @param result what the attempt returned, {@code null} if it threw
     * @param error what it threw, {@code null} if it returned
     * @return nanoseconds, from 0 to the cap, or {@link #STOP}
     * @throws RuntimeException what a {@link DelayFunction} throws
     */
    public long delayNanos(
            int attempt, long previousDelayNanos, double random, @Nullable Object result, @Nullable Throwable error) {
        long delayNanos = curve.delayNanos(attempt, result, error);
        if (delayNanos == STOP) {
            return STOP;
        }
        return jitter.apply(Math.min(delayNanos, capNanos), previousDelayNanos, capNanos, random);
    }

    /** The settings in words. */
    public String describe() {
        return curveText
                + (capNanos == Nanos.FOREVER ? "" : ", at most " + Nanos.toDuration(capNanos))
                + (jitterText.isEmpty() ? "" : ", " + jitterText);
    }

    @Override
    public String toString() {
        return "backoff: " + describe();
    }

    // ---------------- parts

    private Backoff with(Jitter other, String text) {
        return new Backoff(curve, curveText, capNanos, other, text);
    }

    private static Backoff growing(Duration base, Duration cap) {
        Require.positive("base", base);
        return exponential(base).withCap(cap);
    }

    private static long defaultCap(long baseNanos) {
        return Math.max(DEFAULT_CAP_NANOS, baseNanos);
    }

    private static Curve always(long delayNanos) {
        return (attempt, result, error) -> delayNanos;
    }

    /** In floating point, which grows to infinity instead of overflowing. */
    private static long power(long baseNanos, double factor, int attempt) {
        if (baseNanos == 0) {
            return 0;
        }
        double delayNanos = baseNanos * Math.pow(factor, Math.max(0, attempt - 1));
        return delayNanos < (double) Nanos.FOREVER ? (long) delayNanos : Nanos.FOREVER;
    }

    private static long fibonacci(long baseNanos, int attempt) {
        long previous = 0;
        long current = baseNanos;
        for (int i = 1; i < attempt && current < Nanos.FOREVER && current > 0; i++) {
            long next = Nanos.plus(previous, current);
            previous = current;
            current = next;
        }
        return current;
    }

    /** A delay in nanoseconds before cap and jitter, 0 or more, or {@link #STOP}. */
    @FunctionalInterface
    private interface Curve {
        long delayNanos(int attempt, @Nullable Object result, @Nullable Throwable error);
    }

    /** A delay that depends on how the attempt ended. Has to be thread-safe and quick. */
    @FunctionalInterface
    public interface DelayFunction {

        /**
         * The delay before the attempt that follows.
         *
         * @param attempt the number of the attempt that failed, from 1
         * @param result what it returned, {@code null} if it threw
         * @param error what it threw, looked for through {@link java.util.concurrent.CompletionException} and
         *     {@link java.util.concurrent.ExecutionException}; {@code null} if it returned
         * @return the delay (a negative one counts as zero), or {@code null} for no further attempt
         */
        @Nullable Duration delay(int attempt, @Nullable Object result, @Nullable Throwable error);
    }
}
