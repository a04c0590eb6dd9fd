package io.nopanic.breaker;

import io.nopanic.outcome.Classifier;
import io.nopanic.spi.PolicyBuilder;
import io.nopanic.spi.Require;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Builds a {@link CircuitBreaker}. Every setting has a default; settings are checked where they are given, and against each other by
 * {@link #build()}. Not thread-safe.
 *
 * <p><b>When it opens.</b> By default when at least half of at least 5 calls in the last 30 s have failed. Naming only
 * {@link #consecutiveFailures} replaces that rule; naming also a window, a rate or {@link #slowAfter} makes either of the two open the breaker. Naming
 * {@link #failureCost} replaces them all.
 *
 * <p><b>How long it stays open.</b> For a time ({@link #openFor}), or for a number of refused calls ({@link #quadraticProbing()}); what is named last holds.
 */
public final class CircuitBreakerBuilder extends PolicyBuilder<CircuitBreakerBuilder, CircuitBreaker> {

    private final RateSettings rates = new RateSettings();
    private final EvidenceSettings evidence = new EvidenceSettings();
    private final OpenSettings opening = new OpenSettings();
    private final ProbeSettings probing = new ProbeSettings();
    private final SlowSettings slowness = new SlowSettings();
    private int consecutiveFailures;
    private double expectedRate;
    private double expectedFailureRate = 0.01;
    private final FailureSettings failures = new FailureSettings();
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
        rates.timeWindow(length, inBuckets);
        return this;
    }

    /**
     * Judges the outcomes of the last so many calls, however long ago they were.
     *
     * @param calls 1 to 1,000,000; each takes half a byte
     */
    public CircuitBreakerBuilder countWindow(int calls) {
        rates.countWindow(calls);
        return this;
    }

    /** Never opens on a rate before the window holds so many outcomes. At least 1, at most the
     * length of a count window; default 5, or the length of a shorter count window. */
    public CircuitBreakerBuilder minimumCalls(int calls) {
        rates.minimumCalls(calls);
        return this;
    }

    /** Opens when this share of the calls in the window has failed, or more. More than 0, at most 1; default 0.5. */
    public CircuitBreakerBuilder failureRate(double share) {
        rates.failureRate(share);
        return this;
    }

    /**
     * Calls that take at least this long are slow, and count as such while they are still in flight (at most 1/32 of this time late). Slow calls
     * are counted and shown; they open the breaker only with {@link #slowCallRate} or {@link #failedOrSlowRate}. Costs a clock
     * reading more per call. Default: off.
     */
    public CircuitBreakerBuilder slowAfter(Duration duration) {
        slowness.after(duration);
        return this;
    }

    /** {@link #slowAfterLearned(Duration)} with 10 s. */
    public CircuitBreakerBuilder slowAfterLearned() {
        return slowAfterLearned(SlowSettings.USUAL_LONGEST);
    }

    /**
     * With {@link #failureCost}: learns what {@link #slowAfter} should be. It is four times the 99th percentile of how long calls take that end well, which is estimated within a third, mostly, but at least 100 ms and at
     * most {@code longest}. No call is slow before 1000 have ended well, and none where that percentile is more than half of {@code longest}. Calls in flight are counted at most 1/128 of {@code longest} late.
     *
     * @param longest 200 ms to 1 h; half of the timeout inside, if there is one
     */
    public CircuitBreakerBuilder slowAfterLearned(Duration longest) {
        slowness.learned(longest);
        return this;
    }

    /** Opens when this share of the calls in the window was slow, or more. More than 0, at most 1; default off. Needs {@link #slowAfter}. */
    public CircuitBreakerBuilder slowCallRate(double share) {
        rates.slowCallRate(share);
        return this;
    }

    /**
     * Opens when this share of the calls in the window has failed or was slow (a call that did both counts once), or more. More than 0, at most 1;
     * default off. Needs {@link #slowAfter}.
     */
    public CircuitBreakerBuilder failedOrSlowRate(double share) {
        rates.failedOrSlowRate(share);
        return this;
    }

    /** Opens after so many failures in a row. At least 1; default off. */
    public CircuitBreakerBuilder consecutiveFailures(int failures) {
        consecutiveFailures = Require.between("consecutiveFailures", failures, 1, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Opens on evidence instead of a rate over a window: when failures have outweighed successes for long enough that chance is no
     * explanation. So it needs no window, no minimum of calls and no rate to be chosen, but only what a failure costs: how many calls
     * refused for nothing are as bad as one call sent to a dependency that is down. 1 suits most; 0.1 where failing is quick and harmless and an answer is
     * always worth a try; 10 where a failing call holds up a user or does harm. Cannot be combined with a window, a rate or
     * {@link #consecutiveFailures}.
     *
     * @param refusedCalls 0.05 to 100
     */
    public CircuitBreakerBuilder failureCost(double refusedCalls) {
        evidence.failureCost(refusedCalls);
        return this;
    }

    /** With {@link #failureCost}: how many times as much a timeout, a slow failure or an overdue call costs. 1 to 100; default 3. */
    public CircuitBreakerBuilder slowCost(double factor) {
        evidence.slowCost(factor);
        return this;
    }

    /**
     * With {@link #failureCost}: how seldom, on average, it opens for nothing while the dependency fails as often as is still to be put up with (1 in 4 calls
     * if a failure costs 1; see {@link io.nopanic.tuning.Cusum#toleratedRate}). While 1 % of the calls fail it is years where a failure costs 1, but days where it costs 10. 1 s to 365 days; default 10 min.
     */
    public CircuitBreakerBuilder meanTimeToFalseTrip(Duration duration) {
        evidence.meanTimeToFalseTrip(duration);
        return this;
    }

    /**
     * The calls per second to expect: for {@linkplain CircuitBreaker#warnings() warnings} about settings that do not suit them, and, with
     * {@link #failureCost}, for the evidence that it takes, on which they have little influence. 0.001 to 10,000,000; default: no such warnings, and for the evidence
     * what outages have shown, 30 before the first.
     */
    public CircuitBreakerBuilder expectedRate(double callsPerSecond) {
        expectedRate = Require.between("expectedRate", callsPerSecond, 0.001, 10_000_000);
        return this;
    }

    /** The share of calls to expect to fail while all is well, for {@linkplain CircuitBreaker#warnings() warnings}. 0 to 1; default 0.01. */
    public CircuitBreakerBuilder expectedFailureRate(double share) {
        expectedFailureRate = Require.between("expectedFailureRate", share, 0, 1);
        return this;
    }

    /**
     * With {@link #failureCost}: by how much failures must outweigh successes, instead of what follows from the call rate and {@link #meanTimeToFalseTrip}.
     *
     * @param successes 0.05 to 10,000
     */
    public CircuitBreakerBuilder evidenceThreshold(double successes) {
        evidence.threshold(successes);
        return this;
    }

    // ---------------- how long it stays open

    /** Stays open for this long before it probes. More than zero; default 30 s. */
    public CircuitBreakerBuilder openFor(Duration duration) {
        opening.openFor(duration);
        return this;
    }

    /**
     * Probes after a number of refused calls rather than after a time: when R calls have been refused in this outage, after
     * {@code kappa * sqrt(R)} more, but not before 100 ms nor after 30 s. Needs to know neither the call rate nor how long outages last. The
     * {@code kappa} is {@code 2 * sqrt(c)} for the {@link #failureCost} c, and 2 without one. {@link #openJitter} spreads all three. What callers are told as the time left is
     * an estimate, from how calls have come so far.
     */
    public CircuitBreakerBuilder quadraticProbing() {
        opening.quadratic();
        return this;
    }

    /**
     * {@link #quadraticProbing()} with numbers of one's own.
     *
     * @param kappa 0.1 to 1000
     * @param shortest the shortest time until a probe, zero or more
     * @param longest the longest, more than zero and at least the shortest
     */
    public CircuitBreakerBuilder quadraticProbing(double kappa, Duration shortest, Duration longest) {
        opening.quadratic(kappa, shortest, longest);
        return this;
    }

    /**
     * Multiplies the open time by {@code factor} each time probing fails, up to {@code cap}. Closing begins anew. Default: no growth.
     *
     * @param factor 1 to 100
     * @param cap at least the open time
     */
    public CircuitBreakerBuilder openGrowth(double factor, Duration cap) {
        opening.growth(factor, cap);
        return this;
    }

    /**
     * Spreads the open time evenly over this share of it to both sides, so that many clients do not probe at the same moment. 0 to 1; default 0.
     */
    public CircuitBreakerBuilder openJitter(double share) {
        opening.jitter(share);
        return this;
    }

    /**
     * A failure that knows when to come back ({@link io.nopanic.outcome.HasRetryAfter}) lengthens the open time to that, but not beyond this. Zero or
     * more, zero turns it off; default 60 s.
     */
    public CircuitBreakerBuilder retryAfterCap(Duration cap) {
        opening.hintCap(cap);
        return this;
    }

    // ---------------- probing

    /**
     * How many probes a half-open breaker sends, at once and in total, before it decides. It closes when all have succeeded, and opens at the
     * first that fails. 1 to 10,000; default 1, but see {@link #closeAfter}.
     */
    public CircuitBreakerBuilder probes(int count) {
        probing.probes(count);
        return this;
    }

    /**
     * Closes after so many probes have succeeded and none has failed. One goes out first, the others, all at once, when it has succeeded. 1 to 10,000; the default
     * with {@link #failureCost} c: {@code 1 + 2 * log10(10 c)}, rounded, from 1 to 5.
     */
    public CircuitBreakerBuilder closeAfter(int successes) {
        probing.closeAfter(successes);
        return this;
    }

    /**
     * Lets probing fail only when this share of the probes has failed, or more; the verdict falls as soon as it is certain. More than 0, at most 1; default:
     * at the first failure.
     */
    public CircuitBreakerBuilder probeFailureRate(double share) {
        probing.failureRate(share);
        return this;
    }

    /** A probe that is out for this long has failed. More than zero; default: the open time, or the longest. */
    public CircuitBreakerBuilder probeTimeout(Duration duration) {
        probing.timeout(duration);
        return this;
    }

    // ---------------- what is a failure

    /** What is a failure of the dependency. Default: {@link Classifier#standard()}. Replaces what was named before. */
    public CircuitBreakerBuilder classifier(Classifier value) {
        failures.classifier(value);
        return this;
    }

    /** Errors of this type are the caller's fault and say nothing about the dependency. Beats everything that makes them a failure. */
    public CircuitBreakerBuilder ignore(Class<? extends Throwable> type) {
        failures.rules().ignore(type);
        return this;
    }

    /** Errors that match say nothing about the dependency. Beats everything that makes them a failure. */
    public CircuitBreakerBuilder ignoreIf(Predicate<? super Throwable> predicate) {
        failures.rules().ignoreIf(predicate);
        return this;
    }

    /** Errors of this type are failures, and no others but those named likewise. */
    public CircuitBreakerBuilder failOn(Class<? extends Throwable> type) {
        failures.rules().failOn(type);
        return this;
    }

    /** Errors that match are failures, and no others but those named likewise. */
    public CircuitBreakerBuilder failIf(Predicate<? super Throwable> predicate) {
        failures.rules().failIf(predicate);
        return this;
    }

    /** Results of this type that match are failures. */
    public <R> CircuitBreakerBuilder failOnResult(Class<R> type, Predicate<? super R> predicate) {
        failures.rules().failOnResult(type, predicate);
        return this;
    }

    // ---------------- building

    /** The source of jitter, and of the lots that {@link #slowAfterLearned()} draws for every call, on its thread. Default: that of the current thread. */
    public CircuitBreakerBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    @Override
    public CircuitBreaker build() {
        rates.check(slowness.isNamed());
        slowness.check(evidence.isNamed());
        opening.check();
        evidence.check(rates.isNamed() || consecutiveFailures > 0);
        probing.check();
        CircuitBreaker breaker = new CircuitBreaker(this, settings());
        for (String warning : breaker.warnings()) {
            System.getLogger(CircuitBreaker.class.getName()).log(Level.WARNING, "{0}: {1}", breaker, warning);
        }
        return breaker;
    }

    private CircuitBreakerSettings settings() {
        OpenSchedule schedule = opening.schedule(evidence.kappa());
        Expectation expected = new Expectation(expectedRate, expectedFailureRate);
        SlowLimit slowLimit = slowness.limit(random);
        TripRule rule = tripRule(expected, slowLimit);
        return new CircuitBreakerSettings(
                rule,
                schedule,
                probing.rules(
                        evidence.successesToClose(),
                        evidence.isNamed(),
                        rates.slowCallsCount(),
                        schedule.longestNanos()),
                slowLimit,
                failures.classifier(),
                random,
                warnings(expected, rule));
    }

    private List<String> warnings(Expectation expected, TripRule rule) {
        List<String> warnings = new ArrayList<>();
        if (rule instanceof EvidenceRule onEvidence) {
            evidence.warn(expected, onEvidence.confidence().threshold(), warnings);
        } else if (judgesRates()) {
            rates.warn(expected, warnings);
        }
        opening.warn(expected, evidence.failureCost(), warnings);
        return List.copyOf(warnings);
    }

    /** Whether a rate over a window can open it. */
    private boolean judgesRates() {
        return consecutiveFailures == 0 || rates.isNamed() || slowness.isNamed();
    }

    private TripRule tripRule(Expectation expected, SlowLimit slowLimit) {
        if (evidence.isNamed()) {
            return evidence.rule(slowLimit, expected);
        }
        if (consecutiveFailures > 0) {
            ConsecutiveRule run = new ConsecutiveRule(consecutiveFailures);
            return judgesRates() ? new EitherRule(rates.rule(slowLimit), run) : run;
        }
        return rates.rule(slowLimit);
    }
}
