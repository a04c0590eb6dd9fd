package io.nopanic.lab.tune;

import io.nopanic.lab.setup.Durations;
import io.nopanic.lab.setup.Plain;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Recommends times, from how long healthy calls take. */
public final class TimeAdvice {

    /** Which share of healthy calls may count as slow; a slow call weighs as much as several failures. */
    private static final double SLOW_SHARE = 1e-4;

    private static final double MOST_SLOW_SHARE = 1e-3;
    private static final double TIMEOUT_SHARE = 1e-3;
    private static final double HEDGE_SHARE = 0.05;
    private static final double HEDGED_SHARE = 1e-3;

    /** A quantile with fewer calls above it could as well be another. */
    private static final long ENOUGH_ABOVE = 10;

    private static final long FEWEST_CALLS = 1_000;
    private static final long SLOW_TIMES_P99 = 4;
    private static final long LEAST_SLOW_NANOS = 100_000_000;

    /** A hedge that makes less of a difference than this is not worth the calls. */
    private static final double WORTH = 1.5;

    private final Latencies latencies;
    private final Optional<Duration> slo;
    private final Optional<Duration> givenSlowAfter;

    /**
     * Advice for these calls.
     *
     * @param latencies how long healthy calls took, in nanoseconds
     * @param slo how long a caller waits at most, if that is known
     * @param slowAfter how long a call takes that is slow, if that is not to be asked
     */
    public TimeAdvice(Histogram latencies, Optional<Duration> slo, Optional<Duration> slowAfter) {
        this.latencies = new Latencies(latencies);
        this.slo = slo;
        givenSlowAfter = slowAfter;
    }

    // ---------------- slowAfter

    /** From when a call is slow: what fewer than one in 10,000 healthy calls exceed, and at most half the time that a caller waits. */
    public Recommendation<Duration> slowAfter() {
        long calls = latencies.calls();
        if (givenSlowAfter.isPresent()) {
            return given(givenSlowAfter.get());
        }
        if (calls < FEWEST_CALLS) {
            return unknown();
        }
        Recommendation<Duration> own = calls * SLOW_SHARE < 1 ? byRule() : byQuantile();
        Duration value = own.value().orElseThrow();
        if (slo.isEmpty() || value.compareTo(slo.get().dividedBy(2)) <= 0) {
            return own;
        }
        Duration half = slo.get().dividedBy(2);
        double share = latencies.shareAbove(half.toNanos());
        String shorter = "half of what a caller waits is " + Durations.text(half) + ", which " + Plain.percent(share)
                + " of healthy calls exceed";
        return share > MOST_SLOW_SHARE
                ? Recommendation.none(
                        own.certainty(), calls, shorter + "; counting those would open the breaker for nothing")
                : Recommendation.of(half, Certainty.THIN, calls, shorter);
    }

    private Recommendation<Duration> given(Duration slowAfter) {
        return Recommendation.of(
                slowAfter,
                Certainty.GIVEN,
                latencies.calls(),
                "as said; " + Plain.percent(latencies.shareAbove(slowAfter.toNanos())) + " of healthy calls exceed it");
    }

    private Recommendation<Duration> byQuantile() {
        long above = latencies.callsAbove(SLOW_SHARE);
        return Recommendation.of(
                Latencies.rounded(latencies.exceededByNanos(SLOW_SHARE)),
                above >= ENOUGH_ABOVE ? Certainty.FOUNDED : Certainty.THIN,
                latencies.calls(),
                "fewer than one in 10,000 healthy calls take longer" + few(above));
    }

    private Recommendation<Duration> byRule() {
        long nanos = Math.max(LEAST_SLOW_NANOS, SLOW_TIMES_P99 * latencies.exceededByNanos(0.01));
        return Recommendation.of(
                Latencies.rounded(nanos),
                Certainty.RULE_OF_THUMB,
                latencies.calls(),
                "4 times what 99 % of healthy calls do not exceed, and at least 100 ms, because there are too few calls"
                        + " to say what one in 10,000 exceeds");
    }

    // ---------------- timeout

    /** When to give a call up: twice what 99.9 % of healthy calls do not exceed, at least twice {@code slowAfter}, and no longer than a caller waits. */
    public Recommendation<Duration> timeout() {
        long calls = latencies.calls();
        if (calls < FEWEST_CALLS) {
            return unknown();
        }
        long quantileNanos = latencies.exceededByNanos(TIMEOUT_SHARE);
        long slowNanos = slowAfter().value().map(Duration::toNanos).orElse(0L);
        boolean bySlow = slowNanos > quantileNanos;
        long above = latencies.callsAbove(TIMEOUT_SHARE);
        Certainty certainty = above >= ENOUGH_ABOVE ? Certainty.FOUNDED : Certainty.THIN;
        Duration own = Latencies.rounded(2 * Math.max(quantileNanos, slowNanos));
        if (slo.isPresent() && slo.get().compareTo(own) < 0) {
            return Recommendation.of(
                    slo.get(),
                    certainty,
                    calls,
                    "that is what a caller waits; "
                            + Plain.percent(latencies.shareAbove(slo.get().toNanos()))
                            + " of healthy calls take longer, and would be given up");
        }
        String why = "twice what 99.9 % of healthy calls do not exceed, " + time(quantileNanos)
                + (bySlow ? ", and not less than twice slowAfter, so that a call that hangs is slow long before" : "");
        return Recommendation.of(own, certainty, calls, why + few(above));
    }

    // ---------------- hedge

    /**
     * When to make a second call: at what 95 % of healthy calls do not exceed.
     *
     * @param utilisation of the dependency at its busiest, 0 if that is not known
     */
    public Recommendation<Duration> hedge(double utilisation) {
        long calls = latencies.calls();
        if (calls < FEWEST_CALLS) {
            return unknown();
        }
        Duration delay = Latencies.rounded(latencies.exceededByNanos(HEDGE_SHARE));
        if (utilisation * (1 + HEDGE_SHARE) >= 1) {
            return Recommendation.none(
                    Certainty.FOUNDED, calls, "there is no capacity for the 5 % of calls that it would add");
        }
        long plainNanos = latencies.exceededByNanos(HEDGED_SHARE);
        long hedgedNanos = latencies.hedgedNanos(delay.toNanos(), HEDGED_SHARE);
        String gain = "at best it takes what 99.9 % of calls do not exceed from " + time(plainNanos) + " to "
                + time(hedgedNanos);
        if (plainNanos < WORTH * hedgedNanos) {
            return Recommendation.none(Certainty.FOUNDED, calls, gain + ", which is not worth 5 % more calls");
        }
        return Recommendation.of(
                delay,
                latencies.callsAbove(HEDGED_SHARE) >= ENOUGH_ABOVE ? Certainty.FOUNDED : Certainty.THIN,
                calls,
                "what 95 % of healthy calls do not exceed, so 5 % more calls; " + gain
                        + ", if two calls are slow independently of each other. Not for calls that must not be made twice, and"
                        + " not if all calls are slow at the same time");
    }

    // ---------------- words

    private <T> Recommendation<T> unknown() {
        return Recommendation.none(
                Certainty.UNKNOWN,
                latencies.calls(),
                latencies.calls() == 0
                        ? "the log does not say how long calls took"
                        : "the log says of too few healthy calls how long they took; it takes 1,000");
    }

    private static String few(long above) {
        return above >= ENOUGH_ABOVE
                ? ""
                : String.format(Locale.ROOT, "; that rests on %s", above <= 1 ? "a single call" : above + " calls");
    }

    private static String time(long nanos) {
        return Durations.text(Latencies.rounded(nanos));
    }
}
