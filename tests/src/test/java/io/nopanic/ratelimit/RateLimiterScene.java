package io.nopanic.ratelimit;

import io.nopanic.spi.Admission;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;

/** What tests of the rate limiter begin with: a time that stands still, and limiters on it. */
abstract class RateLimiterScene {

    static final Duration SECOND = Duration.ofSeconds(1);

    final VirtualTime time = VirtualTime.manual();

    RateLimiter.Builder limiter(int permits, Duration period) {
        return RateLimiter.builder().name("limit").rate(permits, period).time(time.time());
    }

    Desk desk(Admission admission) {
        return new Desk(admission, time);
    }

    void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }
}
