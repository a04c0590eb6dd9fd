package io.nopanic.benchmarks.contestants;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Resilience4j, each policy through its own {@code execute} method. */
final class Resilience4j {

    private static final String TIME = "Resilience4j, time window";
    private static final String TIME_LOCK_FREE = "Resilience4j, time window, lock-free";
    private static final String TIME_COARSE = "Resilience4j, time window, coarse clock";
    private static final String COUNT = "Resilience4j, count window";
    private static final String COUNT_LOCK_FREE = "Resilience4j, count window, lock-free";
    static final String NAME = "Resilience4j";
    private static final String PERMISSION = "Resilience4j, by permission";
    private static final String SEMAPHORE = "Resilience4j, semaphore";
    private static final String ATOMIC = "Resilience4j, atomic";

    private Resilience4j() {}

    static List<Contestant> all() {
        return Stream.concat(breakers().stream(), singles().stream()).toList();
    }

    private static List<Contestant> breakers() {
        return List.of(
                new Contestant(Group.BREAKER, TIME, () -> guard(timeWindow(false))),
                new Contestant(Group.BREAKER, TIME_LOCK_FREE, () -> guard(timeWindow(true))),
                new Contestant(Group.BREAKER, TIME_COARSE, () -> guard(coarse())),
                new Contestant(Group.BREAKER, COUNT, () -> guard(countWindow(false))),
                new Contestant(Group.BREAKER, COUNT_LOCK_FREE, () -> guard(countWindow(true))),
                new Contestant(Group.BREAKER_SLOW, TIME, () -> guard(slowCalls())),
                new Contestant(Group.BREAKER_FAILING, TIME, () -> guard(timeWindow(false))),
                new Contestant(Group.BREAKER_FAILING, TIME_LOCK_FREE, () -> guard(timeWindow(true))),
                new Contestant(Group.BREAKER_FAILING, COUNT, () -> guard(countWindow(false))),
                new Contestant(Group.BREAKER_FAILING, COUNT_LOCK_FREE, () -> guard(countWindow(true))),
                new Contestant(Group.BREAKER_BY_HAND, TIME, () -> byHand(timeWindow(false))),
                new Contestant(Group.BREAKER_BY_HAND, COUNT, () -> byHand(countWindow(false))),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(guard(timeWindow(false)))),
                new Contestant(Group.BREAKER_OPEN, NAME + ", no stack trace", () -> Opened.of(guard(withoutTrace()))),
                new Contestant(Group.BREAKER_OPEN, PERMISSION, () -> asking(opened(timeWindow(false)))));
    }

    private static List<Contestant> singles() {
        return List.of(
                new Contestant(Group.RETRY, NAME, Resilience4j::retry),
                new Contestant(Group.RETRY_FAILING, NAME, Resilience4j::retryAtOnce),
                new Contestant(Group.LIMITER, SEMAPHORE, () -> guard(semaphoreLimiter(Settings.PLENTY))),
                new Contestant(Group.LIMITER, ATOMIC, () -> guard(atomicLimiter(Settings.PLENTY))),
                new Contestant(Group.LIMITER_FAILING, SEMAPHORE, () -> guard(semaphoreLimiter(Settings.PLENTY))),
                new Contestant(Group.LIMITER_FAILING, ATOMIC, () -> guard(atomicLimiter(Settings.PLENTY))),
                new Contestant(Group.LIMITER_EMPTY, SEMAPHORE, () -> asking(semaphoreLimiter(1))),
                new Contestant(Group.LIMITER_EMPTY, ATOMIC, () -> asking(atomicLimiter(1))),
                new Contestant(Group.LIMITER_EMPTY, ATOMIC + ", exception", () -> guard(emptied(atomicLimiter(1)))),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(bulkhead(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> guard(bulkhead(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> guard(full())),
                new Contestant(Group.BULKHEAD_FULL, PERMISSION, () -> asking(full())),
                new Contestant(Group.TIMEOUT, NAME, Resilience4j::timeLimiter),
                new Contestant(Group.TIMEOUT_FAILING, NAME, Resilience4j::timeLimiter),
                new Contestant(Group.FALLBACK, NAME, Resilience4j::fallback),
                new Contestant(Group.FALLBACK_FAILING, NAME, Resilience4j::fallback));
    }

    private static CircuitBreakerConfig.Builder config() {
        return CircuitBreakerConfig.custom()
                .failureRateThreshold(Settings.FAILING_PERCENT)
                .waitDurationInOpenState(Settings.OPEN);
    }

    static CircuitBreaker timeWindow(boolean lockFree) {
        return CircuitBreaker.of("time", timeWindowConfig(lockFree).build());
    }

    static CircuitBreakerConfig.Builder timeWindowConfig(boolean lockFree) {
        return config().slidingWindow(
                        (int) Settings.WINDOW.toSeconds(),
                        Settings.MINIMUM_CALLS,
                        SlidingWindowType.TIME_BASED,
                        strategy(lockFree));
    }

    private static CircuitBreaker slowCalls() {
        return CircuitBreaker.of(
                "slow",
                timeWindowConfig(false)
                        .slowCallDurationThreshold(Settings.TIMEOUT)
                        .slowCallRateThreshold(Settings.FAILING_PERCENT)
                        .build());
    }

    private static CircuitBreaker opened(CircuitBreaker breaker) {
        Opened.of(guard(breaker));
        return breaker;
    }

    private static Guard asking(CircuitBreaker open) {
        return body -> {
            if (!open.tryAcquirePermission()) {
                return Refusals.note();
            }
            throw new IllegalStateException("let in");
        };
    }

    /** The same clock as nopanic's coarse one, for the window and for how long calls take. */
    private static CircuitBreaker coarse() {
        Time time = Clocks.coarse();
        return CircuitBreaker.of(
                "time",
                timeWindowConfig(false)
                        .clock(new NanosClock(time::nanos))
                        .currentTimestampFunction(clock -> time.nanos(), TimeUnit.NANOSECONDS)
                        .build());
    }

    private static CircuitBreaker countWindow(boolean lockFree) {
        return countWindow(Settings.COUNT_WINDOW, lockFree);
    }

    static CircuitBreaker countWindow(int calls, boolean lockFree) {
        return CircuitBreaker.of(
                "count",
                config().slidingWindow(calls, calls, SlidingWindowType.COUNT_BASED, strategy(lockFree))
                        .build());
    }

    static CircuitBreaker withoutTrace() {
        return CircuitBreaker.of(
                "time", timeWindowConfig(false).writableStackTraceEnabled(false).build());
    }

    private static SlidingWindowSynchronizationStrategy strategy(boolean lockFree) {
        return lockFree
                ? SlidingWindowSynchronizationStrategy.LOCK_FREE
                : SlidingWindowSynchronizationStrategy.SYNCHRONIZED;
    }

    static Guard guard(CircuitBreaker breaker) {
        return breaker::executeCallable;
    }

    /** Without a clock: how long the call took is given as nothing. */
    private static Recorder byHand(CircuitBreaker breaker) {
        return failed -> {
            try {
                breaker.acquirePermission();
            } catch (CallNotPermittedException refused) {
                return false;
            }
            if (failed) {
                breaker.onError(0, TimeUnit.NANOSECONDS, Work.FAILURE);
            } else {
                breaker.onSuccess(0, TimeUnit.NANOSECONDS);
            }
            return true;
        };
    }

    static Retry retryPolicy() {
        return Retry.of("retry", retryConfig().build());
    }

    static RetryConfig.Builder<Object> retryConfig() {
        return RetryConfig.custom().maxAttempts(Settings.ATTEMPTS).waitDuration(Duration.ofMillis(1));
    }

    private static Guard retryAtOnce() {
        return Retry.of("retry", retryConfig().waitDuration(Duration.ZERO).build())::executeCallable;
    }

    private static Guard retry() {
        return retryPolicy()::executeCallable;
    }

    private static RateLimiterConfig limiterConfig(int permits) {
        return RateLimiterConfig.custom()
                .limitForPeriod(permits)
                .limitRefreshPeriod(permits == 1 ? Settings.OPEN : Duration.ofSeconds(1))
                .timeoutDuration(Duration.ZERO)
                .build();
    }

    private static RateLimiter semaphoreLimiter(int permits) {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(Threads::daemon);
        return new SemaphoreBasedRateLimiter("semaphore", limiterConfig(permits), scheduler);
    }

    static RateLimiter atomicLimiter(int permits) {
        return RateLimiter.of("atomic", limiterConfig(permits));
    }

    private static Guard guard(RateLimiter limiter) {
        return limiter::executeCallable;
    }

    private static RateLimiter emptied(RateLimiter limiter) {
        if (!limiter.acquirePermission()) {
            throw new IllegalStateException("a new limiter has no permit");
        }
        return limiter;
    }

    private static Guard asking(RateLimiter limiter) {
        RateLimiter empty = emptied(limiter);
        return body -> empty.acquirePermission() ? body.call() : Refusals.note();
    }

    static Bulkhead bulkhead(int calls) {
        return Bulkhead.of(
                "bulkhead",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(calls)
                        .maxWaitDuration(Duration.ZERO)
                        .build());
    }

    private static Guard guard(Bulkhead bulkhead) {
        return bulkhead::executeCallable;
    }

    private static Guard asking(Bulkhead full) {
        return body -> {
            if (!full.tryAcquirePermission()) {
                return Refusals.note();
            }
            throw new IllegalStateException("let in");
        };
    }

    private static Bulkhead full() {
        Bulkhead bulkhead = bulkhead(1);
        bulkhead.acquirePermission();
        return bulkhead;
    }

    /** It guards a future, so the call goes to another thread. */
    private static Guard timeLimiter() {
        ExecutorService threads = Executors.newCachedThreadPool(Threads::daemon);
        TimeLimiter limiter = TimeLimiter.of(Settings.TIMEOUT);
        return body -> limiter.executeFutureSupplier(() -> threads.submit(body));
    }

    private static Guard fallback() {
        return body -> Decorators.ofCallable(body)
                .withFallback((Throwable thrown) -> Work.INSTEAD)
                .call();
    }
}
