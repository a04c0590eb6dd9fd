package io.nopanic.ratelimit;

import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import java.util.function.LongFunction;

/** Says what a limiter did: to those who listen, and to those it refuses. Thread-safe. */
final class Teller {

    private final String policy;
    private final Events events;
    private final LongFunction<Event.Stamp> stamps;

    Teller(String policy, Events events, LongFunction<Event.Stamp> stamps) {
        this.policy = policy;
        this.events = events;
        this.stamps = stamps;
    }

    void waits(long nowNanos, long waitNanos) {
        if (events.isListenedTo()) {
            events.publish(new Event.RateLimiterWaited(stamps.apply(nowNanos), waitNanos));
        }
    }

    void refused(long nowNanos, long retryAfterNanos) {
        if (events.isListenedTo()) {
            events.publish(new Event.RateLimiterRefused(stamps.apply(nowNanos), retryAfterNanos));
        }
    }

    Entry refuse(EntryRequest request, Refusal why, long retryAfterNanos) {
        refused(request.nowNanos(), retryAfterNanos);
        return new Entry.Refused(exception(request, why, retryAfterNanos));
    }

    RateLimitedException exception(EntryRequest request, Refusal why, long retryAfterNanos) {
        return new RateLimitedException(policy, request.pipeline(), why.detail, retryAfterNanos);
    }
}
