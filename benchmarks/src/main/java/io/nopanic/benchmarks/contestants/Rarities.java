package io.nopanic.benchmarks.contestants;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.nopanic.cache.Cache;
import io.nopanic.hedge.Hedge;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.RateLimitedException;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.time.Time;
import io.smallrye.faulttolerance.api.RateLimitType;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Policies that hardly anybody has beside nopanic, and what comes nearest. */
final class Rarities {

    private static final String NAME = "nopanic";
    private static final String COARSE = "nopanic, coarse clock";
    private static final String AT_MOST = "nopanic, at the highest rate";
    private static final String AT_MOST_COARSE = AT_MOST + ", coarse clock";

    /** A strict limiter remembers each permit of a period, so a period is short. A coarse clock would stand still for more than a period. */
    private static final int STRICT_PERMITS = RateLimiter.MAX_STRICT_PERMITS;

    private static final int STRICT_MILLIS = 1;
    private static final int MAX_SIZE = 100;
    private static final String KEY = "key";

    private Rarities() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.LIMITER_STRICT, NAME, Rarities::strict),
                new Contestant(Group.LIMITER_STRICT, "SmallRye, rolling window", Rarities::rolling),
                new Contestant(Group.LIMITER_ADAPTIVE, NAME, () -> Nopanic.guard(adaptive(Clocks.exact()))),
                new Contestant(Group.LIMITER_ADAPTIVE, COARSE, () -> Nopanic.guard(adaptive(Clocks.coarse()))),
                new Contestant(Group.LIMITER_ADAPTIVE, AT_MOST, () -> Nopanic.guard(atMost(Clocks.exact()))),
                new Contestant(Group.LIMITER_ADAPTIVE, AT_MOST_COARSE, () -> Nopanic.guard(atMost(Clocks.coarse()))),
                new Contestant(Group.HEDGE, NAME, Rarities::hedge),
                new Contestant(Group.HEDGE, "hand-over to a thread", Rarities::handOver),
                new Contestant(Group.CACHE, NAME, () -> nopanic(Clocks.exact())),
                new Contestant(Group.CACHE, COARSE, () -> nopanic(Clocks.coarse())),
                new Contestant(Group.CACHE, "Caffeine", Rarities::caffeine));
    }

    /**
     * The time at which a thread asks may be long past when it comes to ask, because others were on the core and took all that the limiter can remember: then it asks
     * again, which hardly ever happens.
     */
    private static Guard strict() {
        Guard guard = Nopanic.guard(RateLimiter.builder()
                .time(Clocks.exact())
                .rate(STRICT_PERMITS, Duration.ofMillis(STRICT_MILLIS))
                .strict()
                .build());
        return body -> {
            try {
                return guard.call(body);
            } catch (RateLimitedException atAPastTime) {
                return guard.call(body);
            }
        };
    }

    private static Guard rolling() {
        return TypedGuard.create(Object.class)
                .withRateLimit()
                .limit(STRICT_PERMITS)
                .window(STRICT_MILLIS, ChronoUnit.MILLIS)
                .type(RateLimitType.ROLLING)
                .done()
                .build()::call;
    }

    /**
     * Its limit is a rate, where that of concurrency-limits is a number of calls at once: nobody else adapts a rate. It adds a tenth of a permit per call to a tenth of
     * the highest rate, so that it does not get there while it is measured.
     */
    private static AdaptiveRateLimiter adaptive(Time time) {
        return AdaptiveRateLimiter.builder()
                .time(time)
                .rate(Settings.PLENTY / 10.0, Duration.ofSeconds(1))
                .maxRate(Settings.PLENTY)
                .build();
    }

    /** One that has nothing to adapt: no success raises its rate any more. */
    private static AdaptiveRateLimiter atMost(Time time) {
        return AdaptiveRateLimiter.builder()
                .time(time)
                .rate(Settings.PLENTY, Duration.ofSeconds(1))
                .build();
    }

    private static Guard hedge() {
        return Nopanic.guard(Hedge.builder()
                .delay(Settings.TIMEOUT)
                .executor(Executors.newCachedThreadPool(Threads::daemon))
                .build());
    }

    /** What any hedge of blocking calls cannot go below, because the caller has to be free to start another copy. */
    private static Guard handOver() {
        ExecutorService threads = Executors.newCachedThreadPool(Threads::daemon);
        return body -> threads.submit(body).get();
    }

    private static Guard nopanic(Time time) {
        Cache<String, Object> cache = Cache.<String, Object>builder()
                .time(time)
                .ttl(Settings.OPEN)
                .maxSize(MAX_SIZE)
                .build();
        cache.put(KEY, Work.ANSWER);
        return body -> Objects.requireNonNull(cache.get(KEY, body));
    }

    /** What nopanic's cache is made of, without stale answers and refreshing in the background. */
    private static Guard caffeine() {
        com.github.benmanes.caffeine.cache.Cache<String, Object> cache = Caffeine.newBuilder()
                .expireAfterWrite(Settings.OPEN)
                .maximumSize(MAX_SIZE)
                .build();
        cache.put(KEY, Work.ANSWER);
        return body -> {
            Object found = cache.getIfPresent(KEY); // with get alone each call would make a loader
            return found != null ? found : load(cache, body);
        };
    }

    private static Object load(com.github.benmanes.caffeine.cache.Cache<String, Object> cache, Callable<Object> body) {
        return cache.get(KEY, key -> {
            try {
                return body.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
