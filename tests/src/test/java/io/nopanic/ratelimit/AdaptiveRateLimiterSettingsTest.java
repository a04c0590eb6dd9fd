package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class AdaptiveRateLimiterSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.manual();

    private AdaptiveRateLimiter.Builder limiter(double rate) {
        return AdaptiveRateLimiter.builder().name("adapt").rate(rate, SECOND).time(time.time());
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        for (double bad : new double[] {
            0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE
        }) {
            assertRefused("rate is " + bad, () -> limiter(bad));
            assertRefused("minRate is " + bad, () -> limiter(1).minRate(bad));
            assertRefused("maxRate is " + bad, () -> limiter(1).maxRate(bad));
            assertRefused("increase is " + bad, () -> limiter(1).increase(bad));
            assertRefused("decrease is " + bad, () -> limiter(1).decrease(bad));
        }
        assertRefused("decrease is 1.0", () -> limiter(1).decrease(1));
        assertRefused("minRate is 2.0", () -> limiter(1).minRate(2).build());
        assertRefused("maxRate is 0.5", () -> limiter(1).maxRate(0.5).build());
        assertRefused(
                "minRate is " + Double.MIN_VALUE,
                () -> limiter(1).minRate(Double.MIN_VALUE).build());
        assertRefused(
                "maxRate is 1.0E9", () -> limiter(1).minRate(1e-8).maxRate(1e9).build());
        assertRefused("burst is 0", () -> limiter(1).burst(0));
        assertRefused(
                "burst is 2147483647", () -> limiter(1).burst(Integer.MAX_VALUE).build());
        assertRefused("window is", () -> limiter(1).window(Duration.ofNanos(-1)));
        assertRefused("maxBlock is", () -> limiter(1).maxBlock(Duration.ZERO));
        assertRefused("maxBlock is", () -> limiter(1).maxBlock(Duration.ofDays(3_651)));
        assertRefused("period is", () -> AdaptiveRateLimiter.of(1, Duration.ZERO));
        assertRefused("period is", () -> AdaptiveRateLimiter.of(1, Duration.ofSeconds(Long.MAX_VALUE)));
        assertRefused("rate is not set", () -> AdaptiveRateLimiter.builder().build());
    }

    private static void assertRefused(String message, Runnable code) {
        assertThatIllegalArgumentException().isThrownBy(code::run).withMessageStartingWith(message);
    }

    @Test
    void takesTheLargestAndTheSmallestSettings() {
        for (double rate : new double[] {1e9, 1e-6}) {
            AdaptiveRateLimiter limiter =
                    limiter(rate).throttleOn(RejectedExecutionException.class).build();
            Desk desk = new Desk(limiter, time);
            int burst = Math.max(1, (int) rate);
            assertThat(limiter.availablePermits()).isEqualTo(burst);
            for (int i = 0; i < 5; i++) {
                limiter.settle(0, time.nanos(), time.nanos(), null, new RejectedExecutionException());
                time.advance(SECOND);
            }
            assertThat(limiter.ratePerSecond()).isEqualTo(rate / 10);
            limiter.settle(0, time.nanos(), time.nanos(), "fine", null);
            assertThat(desk.letsIn()).isTrue();
        }
    }

    @Test
    void describesItself() {
        assertThat(limiter(10).maxWait(SECOND).build().describe())
                .isEqualTo(
                        "from 10.0 per PT1S, between 1.0 and 10.0, times 0.5 at most once per PT1S, plus 0.1 per success,"
                                + " burst 10 at 10.0, blocks up to PT1M, waits up to PT1S");
        assertThat(limiter(10).build()).hasToString("adaptive rate limiter 'adapt'");
        assertThat(limiter(10).build().judgesOutcomes()).isTrue();
    }
}
