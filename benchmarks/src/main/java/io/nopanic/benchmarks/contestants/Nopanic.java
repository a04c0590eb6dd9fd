package io.nopanic.benchmarks.contestants;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.budget.Budget;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.fallback.Fallback;
import io.nopanic.outcome.RejectedException;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Policy;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Time;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** nopanic itself, one policy at a time. */
final class Nopanic {

    static final String NAME = "nopanic";
    static final String COARSE = "nopanic, coarse clock";
    private static final String EVIDENCE = "nopanic, evidence";
    private static final String SLOW_EVIDENCE = EVIDENCE + " and calls in flight";
    static final String FRAMEWORK = "nopanic, as a framework";
    private static final String NO_BUDGET = "nopanic, no budget";
    static final String LEASED = COARSE + " and leases";

    private static final Waiter NOBODY_WAITS = () -> {};

    /** How many permits a lease has. */
    private static final int LEASE = 32;

    private Nopanic() {}

    static List<Contestant> all() {
        return Stream.concat(breakers().stream(), singles().stream()).toList();
    }

    private static List<Contestant> breakers() {
        Time exact = Clocks.exact();
        Supplier<Time> coarse = Clocks::coarse;
        return List.of(
                new Contestant(Group.BREAKER, NAME, () -> guard(timeWindow(exact))),
                new Contestant(Group.BREAKER, COARSE, () -> guard(timeWindow(coarse.get()))),
                new Contestant(Group.BREAKER, "nopanic, count window", () -> guard(countWindow())),
                new Contestant(Group.BREAKER, "nopanic, consecutive failures", () -> guard(consecutive())),
                new Contestant(Group.BREAKER, EVIDENCE, () -> guard(evidence(exact))),
                new Contestant(Group.BREAKER, SLOW_EVIDENCE, () -> guard(slowEvidence(exact))),
                new Contestant(
                        Group.BREAKER, SLOW_EVIDENCE + ", coarse clock", () -> guard(slowEvidence(coarse.get()))),
                new Contestant(Group.BREAKER_SLOW, NAME, () -> guard(slowCalls(exact))),
                new Contestant(Group.BREAKER_SLOW, COARSE, () -> guard(slowCalls(coarse.get()))),
                new Contestant(Group.BREAKER_FAILING, NAME, () -> guard(timeWindow(exact))),
                new Contestant(Group.BREAKER_FAILING, COARSE, () -> guard(timeWindow(coarse.get()))),
                new Contestant(Group.BREAKER_FAILING, "nopanic, count window", () -> guard(countWindow())),
                new Contestant(Group.BREAKER_FAILING, EVIDENCE, () -> guard(evidence(exact))),
                new Contestant(Group.BREAKER_FAILING, EVIDENCE + ", coarse clock", () -> guard(evidence(coarse.get()))),
                new Contestant(Group.BREAKER_BY_HAND, NAME, () -> byPermit(timeWindow(exact))),
                new Contestant(Group.BREAKER_BY_HAND, COARSE, () -> byPermit(timeWindow(coarse.get()))),
                new Contestant(Group.BREAKER_BY_HAND, "nopanic, count window", () -> byPermit(countWindow())),
                new Contestant(Group.BREAKER_BY_HAND, FRAMEWORK, () -> bySpi(timeWindow(exact), exact)),
                new Contestant(Group.BREAKER_OPEN, NAME, () -> Opened.of(guard(timeWindow(exact)))),
                new Contestant(Group.BREAKER_OPEN, FRAMEWORK, () -> asking(opened(timeWindow(exact)), exact)));
    }

    private static List<Contestant> singles() {
        Time exact = Clocks.exact();
        Supplier<Time> coarse = Clocks::coarse;
        return List.of(
                new Contestant(Group.RETRY, NAME, () -> guard(retry())),
                new Contestant(Group.RETRY, NO_BUDGET, () -> guard(retryWithoutBudget())),
                new Contestant(Group.RETRY_FAILING, NAME, () -> guard(retryOnLargeBudget(exact))),
                new Contestant(Group.RETRY_FAILING, COARSE, () -> guard(retryOnLargeBudget(coarse.get()))),
                new Contestant(Group.RETRY_FAILING, NO_BUDGET, () -> guard(retryWithoutBudget())),
                new Contestant(Group.LIMITER, NAME, () -> guard(plenty(exact))),
                new Contestant(Group.LIMITER, COARSE, () -> guard(plenty(coarse.get()))),
                new Contestant(Group.LIMITER, LEASED, () -> guard(leased(coarse.get()))),
                new Contestant(Group.LIMITER_FAILING, NAME, () -> guard(plenty(exact))),
                new Contestant(Group.LIMITER_FAILING, LEASED, () -> guard(leased(coarse.get()))),
                new Contestant(Group.LIMITER_EMPTY, NAME, () -> asking(empty(exact))),
                new Contestant(Group.LIMITER_EMPTY, COARSE, () -> asking(empty(coarse.get()))),
                new Contestant(Group.LIMITER_EMPTY, "nopanic, exception", () -> guard(empty(exact))),
                new Contestant(Group.BULKHEAD, NAME, () -> guard(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FAILING, NAME, () -> guard(Bulkhead.of(Settings.CONCURRENT))),
                new Contestant(Group.BULKHEAD_FULL, NAME, () -> guard(full())),
                new Contestant(Group.BULKHEAD_FULL, FRAMEWORK, () -> asking(full(), exact)),
                new Contestant(Group.TIMEOUT, NAME, () -> guard(timeout(exact))),
                new Contestant(Group.TIMEOUT, COARSE, () -> guard(timeout(coarse.get()))),
                new Contestant(Group.TIMEOUT_FAILING, NAME, () -> guard(timeout(exact))),
                new Contestant(Group.TIMEOUT_FAILING, COARSE, () -> guard(timeout(coarse.get()))),
                new Contestant(Group.FALLBACK, NAME, () -> guard(Fallback.ofValue(Work.INSTEAD))),
                new Contestant(Group.FALLBACK_FAILING, NAME, () -> guard(Fallback.ofValue(Work.INSTEAD))));
    }

    private static CircuitBreakerBuilder breaker() {
        return CircuitBreaker.builder().openFor(Settings.OPEN);
    }

    static CircuitBreaker timeWindow(Time time) {
        return breaker()
                .time(time)
                .timeWindow(Settings.WINDOW)
                .failureRate(Settings.FAILING)
                .minimumCalls(Settings.MINIMUM_CALLS)
                .build();
    }

    private static CircuitBreaker slowCalls(Time time) {
        return breaker()
                .time(time)
                .timeWindow(Settings.WINDOW)
                .failureRate(Settings.FAILING)
                .slowAfter(Settings.TIMEOUT)
                .slowCallRate(Settings.FAILING)
                .minimumCalls(Settings.MINIMUM_CALLS)
                .build();
    }

    private static CircuitBreaker opened(CircuitBreaker breaker) {
        Opened.of(guard(breaker));
        return breaker;
    }

    private static CircuitBreaker countWindow() {
        return countWindow(Settings.COUNT_WINDOW);
    }

    static CircuitBreaker countWindow(int calls) {
        return breaker()
                .countWindow(calls)
                .failureRate(Settings.FAILING)
                .minimumCalls(calls)
                .build();
    }

    static CircuitBreaker evidence(Time time) {
        return onEvidence(time).build();
    }

    private static CircuitBreaker slowEvidence(Time time) {
        return onEvidence(time).slowAfter(Settings.TIMEOUT).build();
    }

    /** Enough for a third that fails not to be, in whatever order calls of many threads come. */
    private static CircuitBreakerBuilder onEvidence(Time time) {
        return breaker().time(time).failureCost(1).evidenceThreshold(Settings.MINIMUM_CALLS);
    }

    private static CircuitBreaker consecutive() {
        return breaker().consecutiveFailures(Settings.COUNT_WINDOW).build();
    }

    private static Retry retry() {
        return Retry.builder()
                .attempts(Settings.ATTEMPTS)
                .backoff(Backoff.none())
                .build();
    }

    private static Retry retryWithoutBudget() {
        return Retry.builder()
                .attempts(Settings.ATTEMPTS)
                .backoff(Backoff.none())
                .noBudget()
                .build();
    }

    /** The usual budget is for a fifth of the calls; here a third needs a second attempt. */
    private static Retry retryOnLargeBudget(Time time) {
        return Retry.builder()
                .time(time)
                .attempts(Settings.ATTEMPTS)
                .backoff(Backoff.none())
                .budget(Budget.builder().time(time).ratio(1).build())
                .build();
    }

    static RateLimiter plenty(Time time) {
        return RateLimiter.builder()
                .time(time)
                .rate(Settings.PLENTY, Duration.ofSeconds(1))
                .burst(Integer.MAX_VALUE)
                .build();
    }

    static RateLimiter leased(Time time) {
        return RateLimiter.builder()
                .time(time)
                .rate(Settings.PLENTY, Duration.ofSeconds(1))
                .burst(Integer.MAX_VALUE)
                .leased(LEASE)
                .build();
    }

    private static RateLimiter empty(Time time) {
        RateLimiter limiter =
                RateLimiter.builder().time(time).rate(1, Settings.OPEN).build();
        if (!limiter.tryTake()) {
            throw new IllegalStateException("a new limiter has no permit");
        }
        return limiter;
    }

    private static Bulkhead full() {
        Bulkhead bulkhead = Bulkhead.of(1);
        if (bulkhead.tryAcquire(0) == Admission.NOT_NOW) {
            throw new IllegalStateException("a new bulkhead is full");
        }
        return bulkhead;
    }

    private static Timeout timeout(Time time) {
        return Timeout.builder().time(time).after(Settings.TIMEOUT).build();
    }

    static Guard guard(Policy... policies) {
        return Pipeline.of(policies)::call;
    }

    static Guard asking(RateLimiter limiter) {
        return body -> limiter.tryTake() ? body.call() : Refusals.note();
    }

    /** What a framework does that asks a policy itself; none is let in here. */
    static Guard asking(Admission policy, Time time) {
        return body -> {
            long nowNanos = policy.readsTimeOnEntry() ? time.nanos() : Admission.UNREAD_NANOS;
            if (policy.tryAcquire(nowNanos) == Admission.NOT_NOW && refuses(policy, time)) {
                return Refusals.note();
            }
            throw new IllegalStateException("let in");
        };
    }

    /** Asks a policy that had no permit at once; that counts the refusal, and lets a breaker think of probes. Nobody waits here. */
    private static boolean refuses(Admission policy, Time time) {
        EntryRequest request = new EntryRequest("framework", time.nanos(), Long.MAX_VALUE, NOBODY_WAITS);
        return policy.enter(request) instanceof Entry.Refused;
    }

    static Recorder byPermit(Admission... policies) {
        Pipeline pipeline = Pipeline.of(policies);
        return failed -> {
            Permit permit;
            try {
                permit = pipeline.admit();
            } catch (RejectedException refused) {
                return false;
            }
            return failed ? permit.failed(Work.FAILURE) : permit.succeeded(Work.ANSWER);
        };
    }

    /** The five shapes of policies are public, so a framework may ask them itself; it reads the clock only where the policy wants it. */
    private static Recorder bySpi(CircuitBreaker breaker, Time time) {
        return failed -> {
            long startNanos = breaker.readsTimeOnEntry() ? time.nanos() : 0;
            long permit = breaker.tryAcquire(startNanos);
            if (permit == Admission.NOT_NOW) {
                if (refuses(breaker, time)) {
                    return false;
                }
                throw new IllegalStateException("a breaker that was not half-open let a call in at second asking");
            }
            long nowNanos = breaker.readsTimeOnSettle() ? time.nanos() : 0;
            var unused = failed
                    ? breaker.settle(permit, startNanos, nowNanos, null, Work.FAILURE)
                    : breaker.settle(permit, startNanos, nowNanos, Work.ANSWER, null);
            return true;
        };
    }
}
