package io.nopanic.cli.load;

import io.nopanic.time.Time;

/** A clock that goes on by a fixed step with each call made, so that traffic of any length fits exactly into a window. Not thread-safe. */
final class SteppingClock {

    private final Time time = Time.system().withTicker(() -> this.nowNanos);
    private long nowNanos;

    Time time() {
        return time;
    }

    void set(long nanos) {
        nowNanos = nanos;
    }

    void step(long nanos) {
        nowNanos += nanos;
    }
}
