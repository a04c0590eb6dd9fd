package io.nopanic.stress.model;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The settings of a breaker, in the terms of the model. */
record BreakerRules(
        Window window, Rates rates, long slowAfterNanos, int consecutive, Opening opening, Probing probing) {

    private static final long[] SCALES = {1, 1_000, 1_000_000, 1_000_000_000};

    /** Either of the two: {@code calls} is 0 for a window of time. */
    record Window(long nanos, int buckets, int calls) {}

    /** No rates at all are the rule of a run of failures alone. */
    record Rates(boolean used, int minimumCalls, Share failed, Share slow, Share failedOrSlow) {}

    record Opening(long baseNanos, int factor, long capNanos, int jitterEighths, double random, long hintCapNanos) {}

    record Probing(int probes, Share failed, long timeoutNanos) {}

    boolean watchesSlowCalls() {
        return slowAfterNanos > 0;
    }

    boolean slowProbeIsFailed() {
        return rates.slow.isOn() || rates.failedOrSlow.isOn();
    }

    // ---------------- drawing

    static BreakerRules draw(RandomGenerator random, boolean windowOnly) {
        long unitNanos = SCALES[random.nextInt(SCALES.length)];
        boolean used = windowOnly || random.nextInt(5) > 0;
        boolean watches = used && random.nextBoolean();
        int calls = random.nextBoolean() ? random.nextInt(1, windowOnly ? 1000 : 40) : 0;
        long windowNanos = unitNanos * random.nextInt(1, 200) + random.nextInt(3);
        int minimum = random.nextInt(1, calls > 0 ? Math.min(calls, 8) + 1 : 8);
        Rates rates = new Rates(
                used,
                minimum,
                Share.draw(random),
                watches && random.nextBoolean() ? Share.draw(random) : Share.OFF,
                watches && random.nextBoolean() ? Share.draw(random) : Share.OFF);
        long openNanos = unitNanos * random.nextInt(1, 100);
        return new BreakerRules(
                new Window(windowNanos, random.nextInt(1, windowOnly ? 40 : 12), calls),
                rates,
                watches ? unitNanos * random.nextInt(1, 100) : 0,
                !used || random.nextInt(3) == 0 ? random.nextInt(1, 8) : 0,
                new Opening(
                        openNanos,
                        random.nextBoolean() ? 1 : random.nextInt(1, 4),
                        openNanos * random.nextInt(1, 20),
                        random.nextBoolean() ? 0 : random.nextInt(0, 9),
                        random.nextInt(8) / 8.0,
                        random.nextInt(4) == 0 ? 0 : unitNanos * random.nextInt(1, 300)),
                new Probing(
                        random.nextInt(1, 5),
                        random.nextBoolean() ? Share.OFF : Share.draw(random),
                        random.nextBoolean() ? openNanos : unitNanos * random.nextInt(1, 100)));
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
                .openGrowth(opening.factor, Duration.ofNanos(opening.capNanos))
                .openJitter(opening.jitterEighths / 8.0)
                .random(new Constant(opening.random))
                .retryAfterCap(Duration.ofNanos(opening.hintCapNanos))
                .probes(probing.probes)
                .probeTimeout(Duration.ofNanos(probing.timeoutNanos));
        if (probing.failed.isOn()) {
            builder.probeFailureRate(probing.failed.value());
        }
        if (consecutive > 0) {
            builder.consecutiveFailures(consecutive);
        }
        return rates.used ? withRates(builder) : builder;
    }

    private CircuitBreakerBuilder withRates(CircuitBreakerBuilder builder) {
        if (window.calls > 0) {
            builder.countWindow(window.calls);
        } else {
            builder.timeWindow(Duration.ofNanos(window.nanos), window.buckets);
        }
        builder.minimumCalls(rates.minimumCalls).failureRate(rates.failed.value());
        if (watchesSlowCalls()) {
            builder.slowAfter(Duration.ofNanos(slowAfterNanos));
        }
        if (rates.slow.isOn()) {
            builder.slowCallRate(rates.slow.value());
        }
        if (rates.failedOrSlow.isOn()) {
            builder.failedOrSlowRate(rates.failedOrSlow.value());
        }
        return builder;
    }
}
