package io.nopanic.stress.model;

import io.nopanic.ratelimit.Rate;
import io.nopanic.ratelimit.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The settings of a rate limiter; the first of the rates is the one it begins with.
 *
 * @param lease how many permits are taken at one time; 1: there are no leases
 */
record LimiterRules(boolean strict, int lease, List<Pace> paces, long maxWaitNanos, int maxQueued) {

    /** Which of four kinds is strict; the next one has leases. */
    private static final int STRICT = 0;

    private static final int LEASED = 1;

    /** Waits as long as it takes. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** So many permits per period, and so many at once. */
    record Pace(int permits, long periodNanos, int burst) {

        Rate rate() {
            return new Rate(permits, Duration.ofNanos(periodNanos), burst);
        }

        /** How long the refill of so many takes, rounded up. */
        long refillNanos(long count) {
            return (count * periodNanos + permits - 1) / permits;
        }
    }

    static LimiterRules draw(RandomGenerator random) {
        int kind = random.nextInt(4);
        List<Pace> paces = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            paces.add(drawPace(random, kind));
        }
        long maxWaitNanos = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> UNLIMITED;
            default -> paces.get(0).periodNanos * random.nextInt(1, 40) / 8;
        };
        return new LimiterRules(
                kind == STRICT,
                kind == LEASED ? random.nextInt(2, 9) : 1,
                paces,
                maxWaitNanos,
                random.nextInt(4) == 0 ? random.nextInt(1, 6) : 12);
    }

    /** Those whose unit is exact: a bucket that is full of it fits. Fine units also make the moments wander far away soon. */
    private static Pace drawPace(RandomGenerator random, int kind) {
        boolean strict = kind == STRICT;
        int permits = random.nextInt(1, strict ? 12 : random.nextInt(4) == 0 ? 1_000_000_000 : 30);
        // No faster than one in 10 us: with one a nanosecond a bucket overflows before anybody can come.
        long[] periods = {
            permits * 10_000L, permits * random.nextLong(10_000, 1_000_000), 1_000_000_000, 10_000_000_019L
        };
        long periodNanos = Math.max(permits * 10_000L, periods[random.nextInt(periods.length)]);
        return new Pace(permits, periodNanos, strict ? permits : random.nextInt(1, kind == LEASED ? 60 : 20));
    }

    boolean leased() {
        return lease > 1;
    }

    /** How heavy a call can be: with leases, half of the burst. */
    int heaviest() {
        int burst = paces.get(0).burst;
        return strict ? 1 : leased() ? burst - burst / 2 : burst;
    }

    NaiveMeter meter(long nowNanos) {
        Pace pace = paces.get(0);
        if (strict) {
            return new NaiveMeter.RollingWindow(pace, nowNanos);
        }
        return leased() ? new NaiveLeases(pace, lease, nowNanos) : new NaiveMeter.Bucket(pace, nowNanos);
    }

    long drawSpanNanos(RandomGenerator random) {
        Pace pace = paces.get(random.nextInt(paces.size()));
        long permitNanos = pace.periodNanos / pace.permits;
        return switch (random.nextInt(8)) {
            case 0 -> permitNanos;
            case 1 -> permitNanos + 1;
            case 2 -> pace.periodNanos;
            case 3 -> Math.max(0, pace.periodNanos - 1);
            case 4 -> random.nextLong(pace.periodNanos * 3);
            case 5 -> random.nextInt(20) == 0 ? 3_600_000_000_000L * random.nextInt(1, 3000) : 0;
            default -> random.nextLong(permitNanos * 2 + 1);
        };
    }

    RateLimiter.Builder builder() {
        Pace pace = paces.get(0);
        RateLimiter.Builder builder = RateLimiter.builder()
                .rate(pace.permits, Duration.ofNanos(pace.periodNanos))
                .maxQueued(maxQueued);
        if (maxWaitNanos == UNLIMITED) {
            builder.unlimitedWait();
        } else {
            builder.maxWait(Duration.ofNanos(maxWaitNanos));
        }
        if (lease > 1) {
            builder.leased(lease);
        }
        return strict ? builder.strict() : builder.burst(pace.burst);
    }
}
