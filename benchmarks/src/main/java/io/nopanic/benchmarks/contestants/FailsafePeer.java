package io.nopanic.benchmarks.contestants;

import dev.failsafe.Bulkhead;
import dev.failsafe.BulkheadFullException;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.CircuitBreakerOpenException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Fallback;
import dev.failsafe.Policy;
import dev.failsafe.RateLimiter;
import dev.failsafe.RetryPolicy;
import dev.failsafe.Timeout;
import java.time.Duration;
import java.util.List;

/** Failsafe, through its executor, and by its permits where the call is not its affair. */
final class FailsafePeer {

    private static final String NAME = "Failsafe";
    private static final String TIME = "Failsafe, time window";
    private static final String COUNT = "Failsafe, count window";
    private static final String PERMITS = "Failsafe, by permits";

    private FailsafePeer() {}

    static List<Contestant> all() {
        return List.of(
                new Contestant(Group.BREAKER, TIME, () -> guard(timeWindow())),
                new Contestant(Group.BREAKER, COUNT, () -> guard(countWindow())),
                new Contestant(Group.BREAKER_FAILING, TIME, () -> guard(timeWindow())),
                new Contestant(Group.BREAKER_FAILING, COUNT, () -> guard(countWindow())),
                new Contestant(Group.BREAKER_BY_HAND, TIME, () -> byHand(timeWindow())),
                new Contestant(Group.BREAKER_BY_HAND, COUNT, () -> byHand(countWindow())),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(guard(timeWindow()))),
                new Contestant(Group.BREAKER_OPEN, PERMITS, () -> asking(opened())),
                new Contestant(Group.RETRY, NAME, () -> guard(retry())),
                new Contestant(Group.RETRY_FAILING, NAME, () -> guard(retry())),
                new Contestant(Group.LIMITER, NAME, () -> guard(limiter())),
                new Contestant(Group.LIMITER, PERMITS, () -> asking(limiter())),
                new Contestant(Group.LIMITER, NAME + ", smooth, by permits", () -> asking(smoothLimiter())),
                new Contestant(Group.LIMITER_FAILING, NAME, () -> guard(limiter())),
                new Contestant(Group.LIMITER_FAILING, PERMITS, () -> asking(limiter())),
                new Contestant(Group.LIMITER_EMPTY, PERMITS, () -> asking(empty())),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD, PERMITS, () -> asking(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> guard(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, PERMITS, () -> asking(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, PERMITS, () -> asking(full())),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> guard(full())),
                new Contestant(Group.TIMEOUT, NAME, () -> guard(timeout())),
                new Contestant(Group.TIMEOUT_FAILING, NAME, () -> guard(timeout())),
                new Contestant(Group.FALLBACK, NAME, () -> guard(Fallback.of(Work.INSTEAD))),
                new Contestant(Group.FALLBACK_FAILING, NAME, () -> guard(Fallback.of(Work.INSTEAD))),
                new Contestant(Group.PIPELINE, NAME, () -> three(retry())),
                new Contestant(Group.PIPELINE_FAILING, NAME, () -> three(givingUp())),
                new Contestant(Group.PIPELINE_OPEN, NAME, () -> Opened.of(three(givingUp()))),
                new Contestant(Group.PIPELINE_FULL, NAME, FailsafePeer::fullPipeline),
                new Contestant(Group.PIPELINE_BY_HAND, NAME, FailsafePeer::pipelineByHand),
                new Contestant(Group.PIPELINE_LIMITED, NAME, () -> guard(four(retry()))),
                new Contestant(Group.PIPELINE_LIMITED_FAILING, NAME, () -> guard(four(givingUp()))),
                new Contestant(Group.PIPELINE_LIMITED_OPEN, NAME, () -> Opened.of(guard(four(givingUp())))),
                new Contestant(Group.STAGED_COMPLETE, NAME, () -> staged(retry())),
                new Contestant(Group.STAGED_PENDING, NAME, () -> staged(retry())),
                new Contestant(Group.STAGED_FAILING, NAME, () -> staged(givingUp())),
                new Contestant(Group.STAGED_OPEN, NAME, () -> Opened.staged(staged(givingUp()))));
    }

    static CircuitBreaker<Object> timeWindow() {
        return CircuitBreaker.builder()
                .withFailureRateThreshold(Settings.FAILING_PERCENT, Settings.MINIMUM_CALLS, Settings.WINDOW)
                .withDelay(Settings.OPEN)
                .build();
    }

    static CircuitBreaker<Object> countWindow() {
        return CircuitBreaker.builder()
                .withFailureThreshold(Settings.FAILING_PERCENT, Settings.COUNT_WINDOW)
                .withDelay(Settings.OPEN)
                .build();
    }

    static Guard guard(Policy<Object> policy) {
        return guard(Failsafe.with(policy));
    }

    private static Guard guard(FailsafeExecutor<Object> executor) {
        return body -> executor.get(body::call);
    }

    private static Recorder byHand(CircuitBreaker<Object> breaker) {
        return failed -> {
            if (!breaker.tryAcquirePermit()) {
                return false;
            }
            if (failed) {
                breaker.recordFailure();
            } else {
                breaker.recordSuccess();
            }
            return true;
        };
    }

    private static RetryPolicy<Object> retry() {
        return RetryPolicy.builder().withMaxAttempts(Settings.ATTEMPTS).build();
    }

    /** Repeats calls, but neither those that fail as they do here nor those that are refused. */
    private static RetryPolicy<Object> givingUp() {
        return RetryPolicy.builder()
                .withMaxAttempts(Settings.ATTEMPTS)
                .abortOn(List.of(Work.Failure.class, CircuitBreakerOpenException.class, BulkheadFullException.class))
                .build();
    }

    private static CircuitBreaker<Object> opened() {
        CircuitBreaker<Object> breaker = timeWindow();
        Opened.of(guard(breaker));
        return breaker;
    }

    private static Guard asking(CircuitBreaker<Object> open) {
        return body -> {
            if (!open.tryAcquirePermit()) {
                return Refusals.note();
            }
            throw new IllegalStateException("let in");
        };
    }

    private static RateLimiter<Object> limiter() {
        return RateLimiter.burstyBuilder(Settings.PLENTY, Duration.ofSeconds(1)).build();
    }

    /** It keeps no permits over a quiet time. */
    private static RateLimiter<Object> smoothLimiter() {
        return RateLimiter.smoothBuilder(Settings.PLENTY, Duration.ofSeconds(1)).build();
    }

    private static RateLimiter<Object> empty() {
        RateLimiter<Object> limiter =
                RateLimiter.burstyBuilder(1, Settings.OPEN).build();
        if (!limiter.tryAcquirePermit()) {
            throw new IllegalStateException("a new limiter has no permit");
        }
        return limiter;
    }

    private static Guard asking(RateLimiter<Object> limiter) {
        return body -> limiter.tryAcquirePermit() ? body.call() : Refusals.note();
    }

    private static Guard asking(Bulkhead<Object> bulkhead) {
        return body -> {
            if (!bulkhead.tryAcquirePermit()) {
                return Refusals.note();
            }
            try {
                return body.call();
            } finally {
                bulkhead.releasePermit();
            }
        };
    }

    private static Bulkhead<Object> full() {
        Bulkhead<Object> bulkhead = Bulkhead.of(1);
        if (!bulkhead.tryAcquirePermit()) {
            throw new IllegalStateException("a new bulkhead is full");
        }
        return bulkhead;
    }

    private static Timeout<Object> timeout() {
        return Timeout.builder(Settings.TIMEOUT).withInterrupt().build();
    }

    private static Guard three(RetryPolicy<Object> retry) {
        return guard(Failsafe.with(retry, timeWindow(), Bulkhead.of(Settings.CONCURRENT)));
    }

    private static FailsafeExecutor<Object> four(RetryPolicy<Object> retry) {
        return Failsafe.with(retry, timeWindow(), limiter(), Bulkhead.of(Settings.CONCURRENT));
    }

    /** A refusal by the bulkhead must not count as a failure, else the breaker would open. */
    private static Guard fullPipeline() {
        CircuitBreaker<Object> breaker = CircuitBreaker.builder()
                .handle(Work.Failure.class)
                .withFailureRateThreshold(Settings.FAILING_PERCENT, Settings.MINIMUM_CALLS, Settings.WINDOW)
                .build();
        return guard(Failsafe.with(givingUp(), breaker, full()));
    }

    private static Recorder pipelineByHand() {
        CircuitBreaker<Object> breaker = timeWindow();
        Bulkhead<Object> bulkhead = Bulkhead.of(Settings.CONCURRENT);
        return failed -> {
            if (!breaker.tryAcquirePermit() || !bulkhead.tryAcquirePermit()) {
                return false;
            }
            bulkhead.releasePermit();
            if (failed) {
                breaker.recordFailure();
            } else {
                breaker.recordSuccess();
            }
            return true;
        };
    }

    /** It hands every call to its pool of threads. */
    private static StagedGuard staged(RetryPolicy<Object> retry) {
        FailsafeExecutor<Object> executor = four(retry);
        return body -> executor.getStageAsync(body::get);
    }
}
