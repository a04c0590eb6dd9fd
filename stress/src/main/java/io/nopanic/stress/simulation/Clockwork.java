package io.nopanic.stress.simulation;

import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.time.Duration;

/** The clocks of a world: virtual time, over which the monotonic clock can jump ahead, so that all timers are late. */
final class Clockwork {

    final VirtualTime virtual = VirtualTime.create();
    private long jumpedNanos;
    final Time time = virtual.time().withTicker(() -> virtual.nanos() + jumpedNanos);

    void pass(long nanos) {
        virtual.advance(Duration.ofNanos(nanos));
    }

    /** As after a pause of the machine. */
    void jumpAhead(long nanos) {
        jumpedNanos += nanos;
    }

    void jumpWallClock(long nanos) {
        virtual.jumpWallClock(Duration.ofNanos(nanos));
    }

    long nanos() {
        return time.nanos();
    }
}
