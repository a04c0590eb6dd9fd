package io.nopanic.stress.model;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.tuning.Cusum;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The settings of a breaker, in the terms of the model. */
record BreakerRules(
        Window window,
        Rates rates,
        Evidence evidence,
        long slowAfterNanos,
        int consecutive,
        Opening opening,
        Probing probing) {

    private static final long[] SCALES = {1, 1_000, 1_000_000, 1_000_000_000};

    /** Of the kinds of rules, by number: from here on it is rates; below, evidence; 0 is a run of failures alone. */
    private static final int WITH_RATES = 3;

    /** Smaller than this is the number of calls before which no rate counts; larger for a window alone, which is to trip with many outcomes in it. */
    private static final int MINIMUM_BELOW = 8;

    private static final int MINIMUM_OF_WINDOW_BELOW = 41;

    /** Either of the two: {@code calls} is 0 for a window of time. */
    record Window(long nanos, int buckets, int calls) {}

    /** No rates at all are the rule of a run of failures alone. */
    record Rates(boolean used, int minimumCalls, Share failed, Share slow, Share failedOrSlow) {}

    /**
     * Beside it there are neither rates nor a run of failures.
     *
     * @param cost of a failure, in thousandths of a success; 0: no evidence is asked for
     * @param slowFactor how many times as much a slow one costs
     * @param threshold in thousandths of a success; 0: what follows from the rate
     * @param rate the calls per second to expect; 0: learned
     * @param falseTripSeconds how seldom it may trip for nothing
     */
    record Evidence(long cost, int slowFactor, long threshold, double rate, int falseTripSeconds) {

        boolean used() {
            return cost > 0;
        }

        boolean learns() {
            return threshold == 0 && rate == 0;
        }

        long costOf(boolean slow) {
            return slow ? cost * slowFactor : cost;
        }

        long enoughAt(double callsPerSecond) {
            Cusum test = Cusum.ofFailureCost(cost / 1000.0);
            return (long)
                    Math.ceil(test.threshold(callsPerSecond * falseTripSeconds, test.toleratedRate()) * 1000 - 1e-6);
        }
    }

    record Opening(
            long baseNanos,
            int factor,
            long capNanos,
            Quadratic quadratic,
            int jitterEighths,
            double random,
            long hintCapNanos) {}

    /** In eighths; 0: a time decides. */
    record Quadratic(int kappaEighths, long shortestNanos, long longestNanos) {

        boolean used() {
            return kappaEighths > 0;
        }
    }

    record Probing(int probes, boolean firstAlone, Share failed, long timeoutNanos) {}

    boolean watchesSlowCalls() {
        return slowAfterNanos > 0;
    }

    boolean slowProbeIsFailed() {
        return rates.slow.isOn() || rates.failedOrSlow.isOn();
    }

    // ---------------- drawing

    static BreakerRules draw(RandomGenerator random, boolean windowOnly) {
        long unitNanos = SCALES[random.nextInt(SCALES.length)];
        int kind = windowOnly ? WITH_RATES : random.nextInt(6);
        boolean used = kind >= WITH_RATES;
        boolean watches = kind > 0 && random.nextBoolean();
        boolean rated = used && watches;
        int calls = random.nextBoolean() ? random.nextInt(1, windowOnly ? 1000 : 40) : 0;
        long windowNanos = unitNanos * random.nextInt(1, 200) + random.nextInt(3);
        int below = windowOnly ? MINIMUM_OF_WINDOW_BELOW : MINIMUM_BELOW;
        int minimum = random.nextInt(1, calls > 0 ? Math.min(calls, below) + 1 : below);
        Rates rates = new Rates(
                used,
                minimum,
                Share.draw(random),
                rated && random.nextBoolean() ? Share.draw(random) : Share.OFF,
                rated && random.nextBoolean() ? Share.draw(random) : Share.OFF);
        long openNanos = unitNanos * random.nextInt(1, 100);
        return new BreakerRules(
                new Window(windowNanos, random.nextInt(1, windowOnly ? 40 : 12), calls),
                rates,
                kind > 0 && !used ? drawEvidence(random) : new Evidence(0, 1, 0, 0, 0),
                watches ? unitNanos * random.nextInt(1, 100) : 0,
                kind == 0 || (used && random.nextInt(3) == 0) ? random.nextInt(1, 8) : 0,
                new Opening(
                        openNanos,
                        random.nextBoolean() ? 1 : random.nextInt(1, 4),
                        openNanos * random.nextInt(1, 20),
                        drawQuadratic(random, unitNanos),
                        random.nextBoolean() ? 0 : random.nextInt(0, 9),
                        random.nextInt(8) / 8.0,
                        random.nextInt(4) == 0 ? 0 : unitNanos * random.nextInt(1, 300)),
                drawProbing(random, random.nextBoolean() ? openNanos : unitNanos * random.nextInt(1, 100)));
    }

    /** Either one goes first, or some may fail. */
    private static Probing drawProbing(RandomGenerator random, long timeoutNanos) {
        boolean firstAlone = random.nextBoolean();
        Share failed = firstAlone || random.nextBoolean() ? Share.OFF : Share.draw(random);
        return new Probing(random.nextInt(1, 5), firstAlone, failed, timeoutNanos);
    }

    private static Evidence drawEvidence(RandomGenerator random) {
        long[] costs = {50, 100, 333, 1000, 1000, 1500, 3000, 10_000};
        double[] rates = {0, 0, 0, 1, 30, 1000};
        long cost = costs[random.nextInt(costs.length)];
        int[] falseTripSeconds = {1, 2, 10, 600};
        boolean told = random.nextInt(3) == 0;
        return new Evidence(
                cost,
                random.nextInt(1, 6),
                told ? Math.max(50, cost * random.nextInt(1, 10) - random.nextInt(500)) : 0,
                told ? 0 : rates[random.nextInt(rates.length)],
                falseTripSeconds[random.nextInt(falseTripSeconds.length)]);
    }

    private static Quadratic drawQuadratic(RandomGenerator random, long unitNanos) {
        long shortestNanos = random.nextBoolean() ? 0 : unitNanos * random.nextInt(1, 10);
        return new Quadratic(
                random.nextInt(3) == 0 ? random.nextInt(1, 50) : 0,
                shortestNanos,
                Math.max(1, shortestNanos) + unitNanos * random.nextInt(100));
    }

    /** Spans at which something changes, or nearly. */
    long drawSpanNanos(RandomGenerator random) {
        long[] spans = {
            window.nanos,
            Math.max(1, window.nanos / window.buckets),
            slowAfterNanos,
            slowAfterNanos / 32,
            opening.baseNanos,
            opening.capNanos,
            opening.hintCapNanos,
            opening.quadratic.shortestNanos,
            opening.quadratic.longestNanos,
            evidence.used() ? NaiveScore.HALF_LIFE_NANOS : 0,
            probing.timeoutNanos
        };
        long spanNanos = spans[random.nextInt(spans.length)];
        return switch (random.nextInt(6)) {
            case 0 -> spanNanos;
            case 1 -> Math.max(0, spanNanos - 1);
            case 2 -> spanNanos + 1;
            case 3 -> random.nextLong(3);
            default -> random.nextLong(spanNanos / 4 + 1);
        };
    }

    // ---------------- building

    CircuitBreakerBuilder builder() {
        CircuitBreakerBuilder builder = CircuitBreaker.builder()
                .openFor(Duration.ofNanos(opening.baseNanos))
                .openJitter(opening.jitterEighths / 8.0)
                .random(new Constant(opening.random))
                .retryAfterCap(Duration.ofNanos(opening.hintCapNanos))
                .probeTimeout(Duration.ofNanos(probing.timeoutNanos));
        if (probing.firstAlone) {
            builder.closeAfter(probing.probes);
        } else {
            builder.probes(probing.probes);
        }
        if (opening.quadratic.used()) {
            builder.quadraticProbing(
                    opening.quadratic.kappaEighths / 8.0,
                    Duration.ofNanos(opening.quadratic.shortestNanos),
                    Duration.ofNanos(opening.quadratic.longestNanos));
        } else {
            builder.openGrowth(opening.factor, Duration.ofNanos(opening.capNanos));
        }
        if (probing.failed.isOn()) {
            builder.probeFailureRate(probing.failed.value());
        }
        if (consecutive > 0) {
            builder.consecutiveFailures(consecutive);
        }
        if (watchesSlowCalls()) {
            builder.slowAfter(Duration.ofNanos(slowAfterNanos));
        }
        if (evidence.used()) {
            withEvidence(builder);
        }
        return rates.used ? withRates(builder) : builder;
    }

    private void withEvidence(CircuitBreakerBuilder builder) {
        builder.failureCost(evidence.cost / 1000.0).slowCost(evidence.slowFactor);
        builder.meanTimeToFalseTrip(Duration.ofSeconds(evidence.falseTripSeconds));
        if (evidence.threshold > 0) {
            builder.evidenceThreshold(evidence.threshold / 1000.0);
        }
        if (evidence.rate > 0) {
            builder.expectedRate(evidence.rate);
        }
    }

    private CircuitBreakerBuilder withRates(CircuitBreakerBuilder builder) {
        if (window.calls > 0) {
            builder.countWindow(window.calls);
        } else {
            builder.timeWindow(Duration.ofNanos(window.nanos), window.buckets);
        }
        builder.minimumCalls(rates.minimumCalls).failureRate(rates.failed.value());
        if (rates.slow.isOn()) {
            builder.slowCallRate(rates.slow.value());
        }
        if (rates.failedOrSlow.isOn()) {
            builder.failedOrSlowRate(rates.failedOrSlow.value());
        }
        return builder;
    }
}
