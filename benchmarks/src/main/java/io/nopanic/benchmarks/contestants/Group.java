package io.nopanic.benchmarks.contestants;

import java.util.Locale;

/** Contestants that do the same work. */
public enum Group {
    /** What guards are made of, by itself. */
    FLOOR("Floors", Calls.SUCCEED),
    /** A closed breaker; no call fails. */
    BREAKER("Circuit breaker, calls succeed", Calls.SUCCEED),
    /** A closed breaker; every third call throws. */
    BREAKER_FAILING("Circuit breaker, a third of the calls throws", Calls.THIRD_FAILS),
    /** A closed breaker that is told of calls by hand, every third of them a failed one. */
    BREAKER_BY_HAND("Circuit breaker, told by hand, a third failed", Calls.THIRD_FAILS),
    /** A breaker that has opened. */
    BREAKER_OPEN("Circuit breaker, open", Calls.REFUSED),
    /** A retry that is not needed. */
    RETRY("Retry, the first attempt succeeds", Calls.SUCCEED),
    /** A rate limiter that has permits. */
    LIMITER("Rate limiter, granted", Calls.SUCCEED),
    /** A rate limiter without permits. */
    LIMITER_EMPTY("Rate limiter, refused", Calls.REFUSED),
    /** A bulkhead with room. */
    BULKHEAD("Bulkhead, room", Calls.SUCCEED),
    /** A bulkhead without room. */
    BULKHEAD_FULL("Bulkhead, full", Calls.REFUSED),
    /** A timeout that does not come. */
    TIMEOUT("Timeout, the call is in time", Calls.SUCCEED),
    /** A fallback that is not needed. */
    FALLBACK("Fallback, not needed", Calls.SUCCEED),
    /** Three policies around a call. */
    PIPELINE("Retry, breaker, bulkhead", Calls.SUCCEED),
    /** Four policies around a call. */
    PIPELINE_LIMITED("Retry, breaker, rate limiter, bulkhead", Calls.SUCCEED),
    /** The four around a stage that is complete when it is returned. */
    STAGED_COMPLETE("The four around a complete stage", Calls.SUCCEED),
    /** The four around a stage that completes later. */
    STAGED_PENDING("The four around a pending stage", Calls.SUCCEED);

    /** How the calls of a group end. */
    public enum Calls {
        /** All return. */
        SUCCEED,
        /** Every third throws, two return. */
        THIRD_FAILS,
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
