package io.nopanic.benchmarks.contestants;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.retry.Retry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Resilience4j, several policies around a call, through its decorators. They are put around each call, because each may be another one. */
final class Resilience4jPipelines {

    private static final String NAME = Resilience4j.NAME;
    private static final String NO_TRACE = NAME + ", no stack trace";
    private static final String ONCE = NAME + ", decorated once";

    private Resilience4jPipelines() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.PIPELINE, NAME, () -> three(retry(), breaker())),
                new Contestant(Group.PIPELINE, ONCE, () -> once(threeAround(retry(), breaker()))),
                new Contestant(Group.PIPELINE_FAILING, NAME, () -> three(givingUp(), breaker())),
                new Contestant(Group.PIPELINE_OPEN, NAME, () -> Opened.of(three(givingUp(), breaker()))),
                new Contestant(
                        Group.PIPELINE_OPEN, NO_TRACE, () -> Opened.of(three(givingUp(), Resilience4j.withoutTrace()))),
                new Contestant(Group.PIPELINE_FULL, NAME, Resilience4jPipelines::full),
                new Contestant(Group.PIPELINE_BY_HAND, NAME, Resilience4jPipelines::byHand),
                new Contestant(Group.PIPELINE_LIMITED, NAME, () -> four(retry(), breaker())),
                new Contestant(Group.PIPELINE_LIMITED, ONCE, () -> once(fourAround(retry(), breaker()))),
                new Contestant(Group.PIPELINE_LIMITED_FAILING, NAME, () -> four(givingUp(), breaker())),
                new Contestant(Group.PIPELINE_LIMITED_OPEN, NAME, () -> Opened.of(four(givingUp(), breaker()))),
                new Contestant(
                        Group.PIPELINE_LIMITED_OPEN,
                        NO_TRACE,
                        () -> Opened.of(four(givingUp(), Resilience4j.withoutTrace()))),
                new Contestant(Group.STAGED_COMPLETE, NAME, () -> staged(retry())),
                new Contestant(Group.STAGED_PENDING, NAME, () -> staged(retry())),
                new Contestant(Group.STAGED_FAILING, NAME, () -> staged(givingUp())),
                new Contestant(Group.STAGED_OPEN, NAME, () -> Opened.staged(staged(givingUp()))));
    }

    /** Puts policies around a call. */
    @FunctionalInterface
    private interface Decoration {

        Callable<Object> around(Callable<Object> body);
    }

    private static CircuitBreaker breaker() {
        return Resilience4j.timeWindow(false);
    }

    private static Retry retry() {
        return Resilience4j.retryPolicy();
    }

    /** Repeats calls, but neither those that fail as they do here nor those that are refused. */
    @SuppressWarnings("unchecked") // an array of classes
    private static Retry givingUp() {
        return Retry.of(
                "retry",
                Resilience4j.retryConfig()
                        .ignoreExceptions(
                                Work.Failure.class, CallNotPermittedException.class, BulkheadFullException.class)
                        .build());
    }

    private static Guard three(Retry retry, CircuitBreaker breaker) {
        return each(threeAround(retry, breaker));
    }

    private static Decoration threeAround(Retry retry, CircuitBreaker breaker) {
        return threeAround(retry, breaker, Resilience4j.bulkhead(Settings.CONCURRENT));
    }

    private static Decoration threeAround(Retry retry, CircuitBreaker breaker, Bulkhead bulkhead) {
        return body -> Decorators.ofCallable(body)
                .withBulkhead(bulkhead)
                .withCircuitBreaker(breaker)
                .withRetry(retry)
                .decorate();
    }

    private static Guard four(Retry retry, CircuitBreaker breaker) {
        return each(fourAround(retry, breaker));
    }

    private static Decoration fourAround(Retry retry, CircuitBreaker breaker) {
        RateLimiter limiter = Resilience4j.atomicLimiter(Settings.PLENTY);
        Bulkhead bulkhead = Resilience4j.bulkhead(Settings.CONCURRENT);
        return body -> Decorators.ofCallable(body)
                .withBulkhead(bulkhead)
                .withRateLimiter(limiter)
                .withCircuitBreaker(breaker)
                .withRetry(retry)
                .decorate();
    }

    private static Guard each(Decoration decoration) {
        return body -> decoration.around(body).call();
    }

    /** For a program that always makes the same call. Each thread has its own here, and finding that takes 2 ns. */
    @SuppressWarnings("ThreadLocalUsage") // there are few guards, and the process is short
    private static Guard once(Decoration decoration) {
        ThreadLocal<Decorated> calls = new ThreadLocal<>();
        return body -> {
            Decorated mine = calls.get();
            if (mine == null || mine.body != body) {
                mine = new Decorated(body, decoration.around(body));
                calls.set(mine);
            }
            return mine.call.call();
        };
    }

    private record Decorated(Callable<Object> body, Callable<Object> call) {}

    /** A refusal by the bulkhead must not count as a failure, else the breaker would open. */
    private static Guard full() {
        Bulkhead bulkhead = Resilience4j.bulkhead(1);
        bulkhead.acquirePermission();
        CircuitBreaker breaker = CircuitBreaker.of(
                "time",
                Resilience4j.timeWindowConfig(false)
                        .ignoreExceptions(BulkheadFullException.class)
                        .build());
        return each(threeAround(givingUp(), breaker, bulkhead));
    }

    /** Without a clock: how long the call took is given as nothing. */
    private static Recorder byHand() {
        CircuitBreaker breaker = breaker();
        Bulkhead bulkhead = Resilience4j.bulkhead(Settings.CONCURRENT);
        return failed -> {
            if (!breaker.tryAcquirePermission()) {
                return false;
            }
            if (!bulkhead.tryAcquirePermission()) {
                breaker.releasePermission();
                return false;
            }
            bulkhead.onComplete();
            if (failed) {
                breaker.onError(0, TimeUnit.NANOSECONDS, Work.FAILURE);
            } else {
                breaker.onSuccess(0, TimeUnit.NANOSECONDS);
            }
            return true;
        };
    }

    private static StagedGuard staged(Retry retry) {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(Threads::daemon);
        CircuitBreaker breaker = breaker();
        RateLimiter limiter = Resilience4j.atomicLimiter(Settings.PLENTY);
        Bulkhead bulkhead = Resilience4j.bulkhead(Settings.CONCURRENT);
        return body -> Decorators.ofCompletionStage(body)
                .withBulkhead(bulkhead)
                .withRateLimiter(limiter)
                .withCircuitBreaker(breaker)
                .withRetry(retry, scheduler)
                .get();
    }
}
