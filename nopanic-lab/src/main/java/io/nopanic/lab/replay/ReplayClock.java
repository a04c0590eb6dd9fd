package io.nopanic.lab.replay;

import io.nopanic.time.Ticker;
import io.nopanic.time.Time;
import java.time.Instant;

/** A clock that shows what it is told to. Used by one thread. */
final class ReplayClock implements Ticker {

    private long nowNanos;

    /** The time of a breaker that runs on this clock. Nothing can wait on it: a breaker does not. */
    Time time() {
        return Time.of(
                this,
                (delayNanos, action) -> {
                    throw new IllegalStateException("a breaker does not schedule");
                },
                (blocker, nanos) -> {
                    throw new IllegalStateException("a breaker does not wait");
                },
                () -> Instant.ofEpochSecond(0, nowNanos));
    }

    void set(long nanos) {
        nowNanos = nanos;
    }

    @Override
    public long nanos() {
        return nowNanos;
    }
}
