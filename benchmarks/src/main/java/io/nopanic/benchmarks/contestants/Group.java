package io.nopanic.benchmarks.contestants;

import java.util.Locale;

/** Contestants that do the same work. */
public enum Group {
    /** What guards are made of, by itself. */
    FLOOR("Floors", Calls.SUCCEED),
    /** A closed breaker; no call fails. */
    BREAKER("Circuit breaker, calls succeed", Calls.SUCCEED),
    /** A closed breaker that also times calls, to find slow ones; none is. */
    BREAKER_SLOW("Circuit breaker that looks for slow calls, calls succeed", Calls.SUCCEED),
    /** A closed breaker; every third call throws. */
    BREAKER_FAILING("Circuit breaker, a third of the calls throws", Calls.THIRD_FAILS),
    /** A closed breaker that is told of calls by hand, every third of them a failed one. */
    BREAKER_BY_HAND("Circuit breaker, told by hand, a third failed", Calls.THIRD_FAILS),
    /** A breaker that has opened. */
    BREAKER_OPEN("Circuit breaker, open", Calls.REFUSED),
    /** A retry that is not needed. */
    RETRY("Retry, the first attempt succeeds", Calls.SUCCEED),
    /** A retry that is needed by every third call, whose second attempt succeeds; it does not wait in between. */
    RETRY_FAILING("Retry, a third of the calls needs a second attempt", Calls.RETRIED),
    /** A rate limiter that has permits. */
    LIMITER("Rate limiter, granted", Calls.SUCCEED),
    /** A rate limiter that has permits; every third call throws. */
    LIMITER_FAILING("Rate limiter, granted, a third of the calls throws", Calls.THIRD_FAILS),
    /** A rate limiter that remembers when each of its permits was taken, and has some. */
    LIMITER_STRICT("Rate limiter without bursts beyond its rate, granted", Calls.SUCCEED),
    /** Such a limiter without permits. */
    LIMITER_STRICT_EMPTY("Rate limiter without bursts beyond its rate, refused", Calls.REFUSED),
    /** A limit that adapts itself to how calls end, and has room. */
    LIMITER_ADAPTIVE("Adaptive limit, granted", Calls.SUCCEED),
    /** A limit that adapts itself, and has room; every third call throws what lowers it. */
    LIMITER_ADAPTIVE_FAILING("Adaptive limit, granted, a third of the calls throws", Calls.THIRD_FAILS),
    /** A limit that adapts itself, and has no room. */
    LIMITER_ADAPTIVE_EMPTY("Adaptive limit, refused", Calls.REFUSED),
    /** A rate limiter without permits. */
    LIMITER_EMPTY("Rate limiter, refused", Calls.REFUSED),
    /** A bulkhead with room. */
    BULKHEAD("Bulkhead, room", Calls.SUCCEED),
    /** A bulkhead with room; every third call throws. */
    BULKHEAD_FAILING("Bulkhead, a third of the calls throws", Calls.THIRD_FAILS),
    /** A bulkhead without room. */
    BULKHEAD_FULL("Bulkhead, full", Calls.REFUSED),
    /** A timeout that does not come. */
    TIMEOUT("Timeout, the call is in time", Calls.SUCCEED),
    /** A timeout that does not come; every third call throws. */
    TIMEOUT_FAILING("Timeout, a third of the calls throws", Calls.THIRD_FAILS),
    /** A fallback that is not needed. */
    FALLBACK("Fallback, not needed", Calls.SUCCEED),
    /** A fallback that is needed by every third call. */
    FALLBACK_FAILING("Fallback, a third of the calls throws", Calls.REPLACED),
    /** A hedge that is not needed. */
    HEDGE("Hedge, the first copy succeeds", Calls.SUCCEED),
    /** A hedge whose first copy fails every third time, so that another one has to succeed. */
    HEDGE_FAILING("Hedge, a third of the calls needs a second copy", Calls.RETRIED),
    /** A cache that has the answer. */
    CACHE("Cache, hit", Calls.REMEMBERED),
    /** A cache that does not have the answer, is full, and so puts another one out; every third call throws. */
    CACHE_MISS("Cache, miss, a third of the calls throws", Calls.THIRD_FAILS),
    /** Three policies around a call. */
    PIPELINE("Retry, breaker, bulkhead", Calls.SUCCEED),
    /** Three policies around a call; every third call throws what is not to be retried. */
    PIPELINE_FAILING("Retry, breaker, bulkhead, a third of the calls throws", Calls.THIRD_FAILS),
    /** Three policies around a call, of which the breaker has opened. */
    PIPELINE_OPEN("Retry, breaker, bulkhead, the breaker is open", Calls.REFUSED),
    /** Three policies around a call, of which the bulkhead has no room. */
    PIPELINE_FULL("Retry, breaker, bulkhead, the bulkhead is full", Calls.REFUSED),
    /** A breaker and a bulkhead that are told of calls by hand, every third of them a failed one. */
    PIPELINE_BY_HAND("Breaker and bulkhead, told by hand, a third failed", Calls.THIRD_FAILS),
    /** Four policies around a call. */
    PIPELINE_LIMITED("Retry, breaker, rate limiter, bulkhead", Calls.SUCCEED),
    /** Four policies around a call; every third call throws what is not to be retried. */
    PIPELINE_LIMITED_FAILING("Retry, breaker, rate limiter, bulkhead, a third of the calls throws", Calls.THIRD_FAILS),
    /** Four policies around a call, of which the breaker has opened. */
    PIPELINE_LIMITED_OPEN("Retry, breaker, rate limiter, bulkhead, the breaker is open", Calls.REFUSED),
    /** The four around a stage that is complete when it is returned. */
    STAGED_COMPLETE("The four around a complete stage", Calls.SUCCEED),
    /** The four around a stage that completes later. */
    STAGED_PENDING("The four around a pending stage", Calls.SUCCEED),
    /** The four around a stage that completes later; every third fails. */
    STAGED_FAILING("The four around a pending stage, a third fails", Calls.THIRD_FAILS),
    /** The four around a stage, of which the breaker has opened. */
    STAGED_OPEN("The four around a stage, the breaker is open", Calls.REFUSED);

    /** How the calls of a group end. */
    public enum Calls {
        /** All return. */
        SUCCEED,
        /** Every third throws, two return. */
        THIRD_FAILS,
        /** All return, every third of them with its second attempt. */
        RETRIED,
        /** All return, every third of them something else instead of what it threw. */
        REPLACED,
        /** All return what is remembered; none is made. */
        REMEMBERED,
        /** None is let in. */
        REFUSED
    }

    private final String title;
    private final Calls calls;

    Group(String title, Calls calls) {
        this.title = title;
        this.calls = calls;
    }

    /** What it is called in tables. */
    public String title() {
        return title;
    }

    /** How its calls end. */
    public Calls calls() {
        return calls;
    }

    /** What it is called on the command line. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
