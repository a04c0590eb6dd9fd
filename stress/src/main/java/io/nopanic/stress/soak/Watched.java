package io.nopanic.stress.soak;

import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.hedge.Hedge;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.time.Time;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.Map;

/**
 * Pipelines on one of the machine's own times, with a limit so long that calls set no timer but are looked after by the watchdog; some overrun it. The rate is such that
 * calls take leases after a quiet time and wait when it is busy.
 */
final class Watched {

    private static final Duration LIMIT = Duration.ofMillis(25);
    private static final int BURST = 1_000;

    final String clock;
    final Timeout timeout;

    /** For calls on their callers' threads. */
    final Pipeline plain;

    /** For calls that run elsewhere, and asynchronous ones. */
    final Pipeline hedged;

    private final Bulkhead bulkhead;
    private final RateLimiter limiter;

    Watched(String clock, Time time) {
        this.clock = clock;
        bulkhead = Bulkhead.builder().time(time).maxConcurrent(20).maxQueued(8).build();
        limiter = RateLimiter.builder()
                .time(time)
                .rate(200_000, Duration.ofSeconds(1))
                .burst(BURST)
                .maxWait(Duration.ofMillis(5))
                .leased(32)
                .build();
        timeout = Timeout.builder().time(time).after(LIMIT).build();
        Hedge hedge = Hedge.builder()
                .time(time)
                .delay(Duration.ofMillis(5))
                .noBudget()
                .build();
        plain = Pipeline.of(limiter, bulkhead, timeout);
        hedged = Pipeline.of(hedge, limiter, bulkhead, timeout);
    }

    /** What has to be zero when all is still. Of the permits that were leased, at least half of the burst has to come back to the bucket by itself. */
    void addLeft(Map<String, Long> left) {
        left.put("permits of the bulkhead in use, " + clock, (long) bulkhead.inUse());
        left.put("calls waiting for the bulkhead, " + clock, (long) bulkhead.queued());
        left.put("calls waiting for the limiter, " + clock, (long) limiter.queued());
        left.put("permits that are missing in the limiter, " + clock, (long)
                Math.max(0, BURST / 2 - limiter.availablePermits()));
    }
}
