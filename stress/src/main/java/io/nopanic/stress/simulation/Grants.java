package io.nopanic.stress.simulation;

import io.nopanic.ratelimit.Rate;
import io.nopanic.stress.script.Divergence;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a rate limiter lets in, as those behind it see it. In any span of time these are at most the burst and what is refilled: so a bucket that is emptied by them, and by nothing else, never holds less than
 * nothing. In the strict mode no period holds more than the rate. Begins anew when the rate changes, for what was there before the change fits into the new burst.
 */
final class Grants {

    private final Clockwork clock;
    private final boolean strict;
    private Rate rate;
    private long startNanos;

    /** When the bucket will be full, in parts of a permit, of which {@link Rate#permits} come with each nanosecond. */
    private long fullAt;

    /** When the last ones were let in, as many as pass in a period. */
    private final Deque<Long> lastNanos = new ArrayDeque<>();

    Grants(Clockwork clock, boolean strict, Rate rate) {
        this.clock = clock;
        this.strict = strict;
        this.rate = rate;
        startNanos = clock.nanos();
    }

    /** The rate is about to change. */
    void change(Rate next) {
        rate = next;
        startNanos = clock.nanos();
        fullAt = 0;
        lastNanos.clear();
    }

    /** One more was let in. */
    void add() {
        long sinceNanos = clock.nanos() - startNanos;
        if (strict) {
            lastNanos.addLast(sinceNanos);
            if (lastNanos.size() > rate.permits()) {
                long periodNanos = sinceNanos - lastNanos.removeFirst();
                Divergence.unless(
                        periodNanos >= rate.period().toNanos(),
                        rate.permits() + 1 + " calls were let in within " + periodNanos + " ns");
            }
            return;
        }
        long permit = rate.period().toNanos();
        long now = sinceNanos * rate.permits();
        fullAt = Math.max(fullAt, now) + permit;
        Divergence.unless(
                fullAt - now <= rate.burst() * permit,
                "more calls were let in than burst and rate allow, " + sinceNanos + " ns after the rate was set");
    }
}
