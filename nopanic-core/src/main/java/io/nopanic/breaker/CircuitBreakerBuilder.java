package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link CircuitBreaker}. Every setting has a default; settings are checked where they are given, and against each other by
 * {@link #build()}. Not thread-safe.
 *
 * <p><b>When it opens.</b> By default when at least half of at least 5 calls in the last 30 s have failed. Naming only
 * {@link #consecutiveFailures} replaces that rule; naming also a window or a rate makes either of the two open the breaker.
 */
public final class CircuitBreakerBuilder extends PolicyBuilder<CircuitBreakerBuilder, CircuitBreaker> {

    private static final int MAX_BUCKETS = 1000;
    private static final int MAX_PROBES = 10_000;

    private boolean ratesNamed;
    private long windowNanos = 30_000_000_000L;
    private int buckets = 10;
    private int windowCalls;
    private int minimumCalls;
    private double failureRate = 0.5;
    private double slowCallRate = Thresholds.OFF;
    private double failedOrSlowRate = Thresholds.OFF;
    private long slowAfterNanos;
    private int consecutiveFailures;
    private long openNanos = 30_000_000_000L;
    private double openFactor = 1;
    private long openCapNanos = Nanos.FOREVER;
    private double openJitter;
    private long hintCapNanos = 60_000_000_000L;
    private int probes = 1;
    private double probeFailureRate;
    private long probeTimeoutNanos;
    private @Nullable Classifier classifier;
    private Classifier.@Nullable Builder rules;
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    CircuitBreakerBuilder() {
        super("circuit breaker");
    }

    @Override
    protected CircuitBreakerBuilder self() {
        return this;
    }

    // ---------------- when it opens

    /** Judges the outcomes of the last {@code length}, in 10 buckets. Default: 30 s. */
    public CircuitBreakerBuilder timeWindow(Duration length) {
        return timeWindow(length, 10);
    }

    /**
     * Judges the outcomes of the last {@code length}. An outcome leaves the window with its bucket, so the window reaches back between
     * {@code (buckets - 1) / buckets} of the length and the whole of it.
     *
     * @param length more than zero
     * @param inBuckets 1 to 1000; each takes about 1 kB
     */
    public CircuitBreakerBuilder timeWindow(Duration length, int inBuckets) {
        long nanos = Require.positive("timeWindow", length);
        buckets = Require.between("buckets", inBuckets, 1, MAX_BUCKETS);
        windowNanos = nanos;
        windowCalls = 0;
        ratesNamed = true;
        return this;
    }

    /**
     * Judges the outcomes of the last so many calls, however long ago they were.
     *
     * @param calls 1 to 1,000,000; each takes half a byte
     */
    public CircuitBreakerBuilder countWindow(int calls) {
        windowCalls = Require.between("countWindow", calls, 1, CountWindow.MAX_CALLS);
        ratesNamed = true;
        return this;
    }

    /** Never opens on a rate before the window holds so many outcomes. At least 1, at most the
     * length of a count window; default 5, or the length of a shorter count window. */
    public CircuitBreakerBuilder minimumCalls(int calls) {
        minimumCalls = Require.between("minimumCalls", calls, 1, Integer.MAX_VALUE);
        ratesNamed = true;
        return this;
    }

    /** Opens when this share of the calls in the window has failed, or more. More than 0, at most 1; default 0.5. */
    public CircuitBreakerBuilder failureRate(double share) {
        failureRate = Require.share("failureRate", share);
        ratesNamed = true;
        return this;
    }

    /**
     * Calls that take at least this long are slow, and count as such while they are still in flight (at most 1/32 of this time late). Slow calls
     * are counted and shown; they open the breaker only with {@link #slowCallRate} or {@link #failedOrSlowRate}. Costs a clock
     * reading more per call. Default: off.
     */
    public CircuitBreakerBuilder slowAfter(Duration duration) {
        slowAfterNanos = Require.positive("slowAfter", duration);
        ratesNamed = true;
        return this;
    }

    /** Opens when this share of the calls in the window was slow, or more. More than 0, at most 1; default off. Needs {@link #slowAfter}. */
    public CircuitBreakerBuilder slowCallRate(double share) {
        slowCallRate = Require.share("slowCallRate", share);
        ratesNamed = true;
        return this;
    }

    /**
     * Opens when this share of the calls in the window has failed or was slow (a call that did both counts once), or more. More than 0, at most 1;
     * default off. Needs {@link #slowAfter}.
     */
    public CircuitBreakerBuilder failedOrSlowRate(double share) {
        failedOrSlowRate = Require.share("failedOrSlowRate", share);
        ratesNamed = true;
        return this;
    }

    /** Opens after so many failures in a row. At least 1; default off. */
    public CircuitBreakerBuilder consecutiveFailures(int failures) {
        consecutiveFailures = Require.between("consecutiveFailures", failures, 1, Integer.MAX_VALUE);
        return this;
    }

    // ---------------- how long it stays open

    /** Stays open for this long before it probes. More than zero; default 30 s. */
    public CircuitBreakerBuilder openFor(Duration duration) {
        openNanos = Require.positive("openFor", duration);
        return this;
    }

    /**
     * Multiplies the open time by {@code factor} each time probing fails, up to {@code cap}. Closing begins anew. Default: no growth.
     *
     * @param factor 1 to 100
     * @param cap at least the open time
     */
    public CircuitBreakerBuilder openGrowth(double factor, Duration cap) {
        double checked = Require.between("factor", factor, 1, 100);
        openCapNanos = Require.positive("cap", cap);
        openFactor = checked;
        return this;
    }

    /**
     * Spreads the open time evenly over this share of it to both sides, so that many clients do not probe at the same moment. 0 to 1; default 0.
     */
    public CircuitBreakerBuilder openJitter(double share) {
        openJitter = Require.between("openJitter", share, 0, 1);
        return this;
    }

    /**
     * A failure that knows when to come back ({@link io.nopanic.outcome.HasRetryAfter}) lengthens the open time to that, but not beyond this. Zero or
     * more, zero turns it off; default 60 s.
     */
    public CircuitBreakerBuilder retryAfterCap(Duration cap) {
        hintCapNanos = Require.notNegative("retryAfterCap", cap);
        return this;
    }

    // ---------------- probing

    /**
     * How many probes a half-open breaker sends, at once and in total, before it decides. It closes when all have succeeded, and opens at the
     * first that fails. 1 to 10,000; default 1.
     */
    public CircuitBreakerBuilder probes(int count) {
        probes = Require.between("probes", count, 1, MAX_PROBES);
        return this;
    }

    /**
     * Lets probing fail only when this share of the probes has failed, or more; the verdict falls as soon as it is certain. More than 0, at most 1; default:
     * at the first failure.
     */
    public CircuitBreakerBuilder probeFailureRate(double share) {
        probeFailureRate = Require.share("probeFailureRate", share);
        return this;
    }

    /** A probe that is out for this long has failed. More than zero; default: the open time. */
    public CircuitBreakerBuilder probeTimeout(Duration duration) {
        probeTimeoutNanos = Require.positive("probeTimeout", duration);
        return this;
    }

    // ---------------- what is a failure

    /** What is a failure of the dependency. Default: {@link Classifier#standard()}. Replaces what was named before. */
    public CircuitBreakerBuilder classifier(Classifier value) {
        classifier = Objects.requireNonNull(value, "classifier");
        rules = null;
        return this;
    }

    /** Errors of this type are the caller's fault and say nothing about the dependency. Beats everything that makes them a failure. */
    public CircuitBreakerBuilder ignore(Class<? extends Throwable> type) {
        rules().ignore(type);
        return this;
    }

    /** Errors that match say nothing about the dependency. Beats everything that makes them a failure. */
    public CircuitBreakerBuilder ignoreIf(Predicate<? super Throwable> predicate) {
        rules().ignoreIf(predicate);
        return this;
    }

    /** Errors of this type are failures, and no others but those named likewise. */
    public CircuitBreakerBuilder failOn(Class<? extends Throwable> type) {
        rules().failOn(type);
        return this;
    }

    /** Errors that match are failures, and no others but those named likewise. */
    public CircuitBreakerBuilder failIf(Predicate<? super Throwable> predicate) {
        rules().failIf(predicate);
        return this;
    }

    /** Results of this type that match are failures. */
    public <R> CircuitBreakerBuilder failOnResult(Class<R> type, Predicate<? super R> predicate) {
        rules().failOnResult(type, predicate);
        return this;
    }

    private Classifier.Builder rules() {
        if (classifier != null) {
            throw new IllegalStateException("a classifier was given; put the rule into that");
        }
        if (rules == null) {
            rules = Classifier.builder();
        }
        return rules;
    }

    // ---------------- building

    /** The source of jitter. Default: that of the current thread. */
    public CircuitBreakerBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    @Override
    public CircuitBreaker build() {
        if (slowAfterNanos == 0 && (slowCallRate <= 1 || failedOrSlowRate <= 1)) {
            throw Require.refused("slowAfter", "not set", "a duration when slowCallRate or failedOrSlowRate is set");
        }
        if (windowCalls > 0 && minimumCalls > windowCalls) {
            throw Require.refused(
                    "minimumCalls", minimumCalls, "at most the " + windowCalls + " calls of the count window");
        }
        if (openCapNanos < openNanos) {
            throw Require.refused(
                    "cap", Nanos.toDuration(openCapNanos), "at least the open time, " + Nanos.toDuration(openNanos));
        }
        return new CircuitBreaker(this, settings());
    }

    private CircuitBreakerSettings settings() {
        Classifier outcomes = rules != null ? rules.build() : classifier != null ? classifier : Classifier.standard();
        boolean slowIsFailed = slowCallRate <= 1 || failedOrSlowRate <= 1;
        return new CircuitBreakerSettings(
                tripRule(),
                new TimedSchedule(openNanos, openFactor, openCapNanos, openJitter, hintCapNanos),
                new HalfOpen.Rules(
                        probes, probeFailureRate, slowIsFailed, probeTimeoutNanos > 0 ? probeTimeoutNanos : openNanos),
                slowAfterNanos,
                outcomes,
                random);
    }

    private TripRule tripRule() {
        if (consecutiveFailures > 0) {
            ConsecutiveRule run = new ConsecutiveRule(consecutiveFailures);
            return ratesNamed ? new EitherRule(windowRule(), run) : run;
        }
        return windowRule();
    }

    private WindowRule windowRule() {
        int minimum = minimumCalls > 0 ? minimumCalls : windowCalls > 0 ? Math.min(5, windowCalls) : 5;
        Thresholds thresholds = new Thresholds(minimum, failureRate, slowCallRate, failedOrSlowRate);
        int calls = windowCalls;
        long nanos = windowNanos;
        int parts = buckets;
        return calls > 0
                ? new WindowRule(
                        nowNanos -> new CountWindow(thresholds, calls),
                        "the last " + calls + " calls",
                        false,
                        thresholds,
                        slowAfterNanos)
                : new WindowRule(
                        nowNanos -> new TimeWindow(thresholds, nanos, parts, nowNanos),
                        "the last " + Nanos.toDuration(nanos),
                        true,
                        thresholds,
                        slowAfterNanos);
    }
}
