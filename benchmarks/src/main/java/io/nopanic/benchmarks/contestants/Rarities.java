package io.nopanic.benchmarks.contestants;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.nopanic.budget.Budget;
import io.nopanic.cache.Cache;
import io.nopanic.hedge.Hedge;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.RateLimitedException;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.time.Time;
import io.smallrye.faulttolerance.api.RateLimitException;
import io.smallrye.faulttolerance.api.RateLimitType;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Policies that hardly anybody has beside nopanic, and what comes nearest. */
final class Rarities {

    private static final String NAME = Nopanic.NAME;
    private static final String COARSE = Nopanic.COARSE;
    private static final String AT_MOST = "nopanic, at the highest rate";
    private static final String EXCEPTION = ", exception";
    private static final String ROLLING = "SmallRye, rolling window";
    private static final String HAND_OVER = "hand-over to a thread";
    private static final String CAFFEINE = "Caffeine";
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
                new Contestant(Group.LIMITER_STRICT, ROLLING, Rarities::rolling),
                new Contestant(Group.LIMITER_STRICT_EMPTY, NAME, () -> Nopanic.asking(strictEmpty())),
                new Contestant(Group.LIMITER_STRICT_EMPTY, NAME + EXCEPTION, () -> Nopanic.guard(strictEmpty())),
                new Contestant(
                        Group.LIMITER_STRICT_EMPTY, ROLLING + EXCEPTION, () -> Emptied.of(rolling(1, Settings.OPEN))),
                new Contestant(Group.LIMITER_ADAPTIVE, NAME, () -> Nopanic.guard(adaptive(Clocks.exact()))),
                new Contestant(Group.LIMITER_ADAPTIVE, COARSE, () -> Nopanic.guard(adaptive(Clocks.coarse()))),
                new Contestant(Group.LIMITER_ADAPTIVE, AT_MOST, () -> Nopanic.guard(atMost(Clocks.exact()))),
                new Contestant(Group.LIMITER_ADAPTIVE, AT_MOST_COARSE, () -> Nopanic.guard(atMost(Clocks.coarse()))),
                new Contestant(Group.LIMITER_ADAPTIVE_FAILING, NAME, () -> Nopanic.guard(lowered(Clocks.exact()))),
                new Contestant(Group.LIMITER_ADAPTIVE_FAILING, COARSE, () -> Nopanic.guard(lowered(Clocks.coarse()))),
                new Contestant(Group.LIMITER_ADAPTIVE_EMPTY, NAME, () -> Emptied.of(Nopanic.guard(single()))),
                new Contestant(Group.LIMITER_ADAPTIVE_EMPTY, Nopanic.FRAMEWORK, Rarities::singleAsked),
                new Contestant(Group.HEDGE, NAME, Rarities::hedge),
                new Contestant(Group.HEDGE, HAND_OVER, Rarities::handOver),
                new Contestant(Group.HEDGE_FAILING, NAME, Rarities::hedge),
                new Contestant(Group.HEDGE_FAILING, HAND_OVER, () -> twice(handOver())),
                new Contestant(Group.CACHE, NAME, () -> nopanic(Clocks.exact())),
                new Contestant(Group.CACHE, COARSE, () -> nopanic(Clocks.coarse())),
                new Contestant(Group.CACHE, CAFFEINE, Rarities::caffeine),
                new Contestant(Group.CACHE_MISS, NAME, () -> missing(Clocks.exact())),
                new Contestant(Group.CACHE_MISS, COARSE, () -> missing(Clocks.coarse())),
                new Contestant(Group.CACHE_MISS, CAFFEINE, Rarities::missingCaffeine));
    }

    /**
     * The time at which a thread asks may be long past when it comes to ask, because others were on the core and took all that the limiter can remember: then it asks
     * once more, which hardly ever happens. Both are given that.
     */
    private static Guard askingTwice(Guard guard, Class<? extends Exception> refusal) {
        return body -> {
            try {
                return guard.call(body);
            } catch (Exception e) {
                if (!refusal.isInstance(e)) {
                    throw e;
                }
                return guard.call(body);
            }
        };
    }

    private static Guard strict() {
        RateLimiter limiter = RateLimiter.builder()
                .time(Clocks.exact())
                .rate(STRICT_PERMITS, Duration.ofMillis(STRICT_MILLIS))
                .strict()
                .build();
        return askingTwice(Nopanic.guard(limiter), RateLimitedException.class);
    }

    private static Guard rolling() {
        Guard guard = rolling(STRICT_PERMITS, Duration.ofMillis(STRICT_MILLIS));
        return askingTwice(guard, RateLimitException.class);
    }

    private static Guard rolling(int permits, Duration period) {
        return TypedGuard.create(Object.class)
                .withRateLimit()
                .limit(permits)
                .window(period.toMillis(), ChronoUnit.MILLIS)
                .type(RateLimitType.ROLLING)
                .done()
                .build()::call;
    }

    private static RateLimiter strictEmpty() {
        RateLimiter limiter = RateLimiter.builder()
                .time(Clocks.exact())
                .rate(1, Settings.OPEN)
                .strict()
                .build();
        if (!limiter.tryTake()) {
            throw new IllegalStateException("a new limiter has no permit");
        }
        return limiter;
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

    /** One that failures lower, down to half of what there is for others: once in a second, and successes raise it again. */
    private static AdaptiveRateLimiter lowered(Time time) {
        return AdaptiveRateLimiter.builder()
                .time(time)
                .rate(Settings.PLENTY, Duration.ofSeconds(1))
                .minRate(Settings.PLENTY / 2.0)
                .throttleOn(Work.Failure.class)
                .build();
    }

    /** One that lets a single call pass. */
    private static AdaptiveRateLimiter single() {
        return AdaptiveRateLimiter.builder()
                .time(Clocks.exact())
                .rate(1, Settings.OPEN)
                .build();
    }

    private static Guard singleAsked() {
        AdaptiveRateLimiter limiter = single();
        var unused = Emptied.of(Nopanic.guard(limiter));
        return Nopanic.asking(limiter, Clocks.exact());
    }

    /** The usual budget is for a fifth of the calls; some need more. */
    private static Guard hedge() {
        return Nopanic.guard(Hedge.builder()
                .delay(Settings.TIMEOUT)
                .budget(Budget.builder().ratio(1).build())
                .executor(Executors.newCachedThreadPool(Threads::daemon))
                .build());
    }

    /** What any hedge of blocking calls cannot go below, because the caller has to be free to start another copy. */
    private static Guard handOver() {
        ExecutorService threads = Executors.newCachedThreadPool(Threads::daemon);
        return body -> {
            try {
                return threads.submit(body).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        };
    }

    private static Guard twice(Guard guard) {
        return body -> {
            try {
                return guard.call(body);
            } catch (Work.Failure failure) {
                return guard.call(body);
            }
        };
    }

    private static <K> Cache<K, Object> cache(Time time) {
        return Cache.<K, Object>builder()
                .time(time)
                .ttl(Settings.OPEN)
                .maxSize(MAX_SIZE)
                .build();
    }

    /** A key that no call has had. */
    private static Long newKey() {
        return ThreadLocalRandom.current().nextLong();
    }

    private static Guard missing(Time time) {
        Cache<Long, Object> cache = cache(time);
        return body -> Objects.requireNonNull(cache.get(newKey(), body));
    }

    private static Guard missingCaffeine() {
        com.github.benmanes.caffeine.cache.Cache<Long, Object> cache = newCaffeine();
        return body -> load(cache, newKey(), body);
    }

    private static Guard nopanic(Time time) {
        Cache<String, Object> cache = cache(time);
        cache.put(KEY, Work.ANSWER);
        return body -> Objects.requireNonNull(cache.get(KEY, body));
    }

    /** What nopanic's cache is made of, without stale answers and refreshing in the background. */
    private static Guard caffeine() {
        com.github.benmanes.caffeine.cache.Cache<String, Object> cache = newCaffeine();
        cache.put(KEY, Work.ANSWER);
        return body -> {
            Object found = cache.getIfPresent(KEY); // with get alone each call would make a loader
            return found != null ? found : load(cache, KEY, body);
        };
    }

    private static <K> com.github.benmanes.caffeine.cache.Cache<K, Object> newCaffeine() {
        return Caffeine.newBuilder()
                .expireAfterWrite(Settings.OPEN)
                .maximumSize(MAX_SIZE)
                .build();
    }

    private static <K> Object load(
            com.github.benmanes.caffeine.cache.Cache<K, Object> cache, K newKey, Callable<Object> body) {
        return cache.get(newKey, key -> {
            try {
                return body.call();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
