package io.nopanic.stress.model;

import io.nopanic.ratelimit.Rate;
import io.nopanic.ratelimit.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The settings of a rate limiter; the first of the rates is the one it begins with. */
record LimiterRules(boolean strict, List<Pace> paces, long maxWaitNanos, int maxQueued) {

    /** Waits as long as it takes. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** So many permits per period, and so many at once. */
    record Pace(int permits, long periodNanos, int burst) {

        Rate rate() {
            return new Rate(permits, Duration.ofNanos(periodNanos), burst);
        }
    }

    static LimiterRules draw(RandomGenerator random) {
        boolean strict = random.nextInt(3) == 0;
        List<Pace> paces = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            paces.add(drawPace(random, strict));
        }
        long maxWaitNanos = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> UNLIMITED;
            default -> paces.get(0).periodNanos * random.nextInt(1, 40) / 8;
        };
        return new LimiterRules(strict, paces, maxWaitNanos, random.nextInt(4) == 0 ? random.nextInt(1, 6) : 12);
    }

    /** Those whose unit is exact: a bucket that is full of it fits. Fine units also make the moments wander far away soon. */
    private static Pace drawPace(RandomGenerator random, boolean strict) {
        int permits = random.nextInt(1, strict ? 12 : random.nextInt(4) == 0 ? 1_000_000_000 : 30);
        // No faster than one in 10 us: with one a nanosecond a bucket overflows before anybody can come.
        long[] periods = {
            permits * 10_000L, permits * random.nextLong(10_000, 1_000_000), 1_000_000_000, 10_000_000_019L
        };
        long periodNanos = Math.max(permits * 10_000L, periods[random.nextInt(periods.length)]);
        return new Pace(permits, periodNanos, strict ? permits : random.nextInt(1, 20));
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
        return strict ? builder.strict() : builder.burst(pace.burst);
    }
}
