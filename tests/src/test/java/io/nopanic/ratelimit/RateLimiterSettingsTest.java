package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterSettingsTest extends RateLimiterScene {

    @Test
    void refusesSettingsThatMakeNoSense() {
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RateLimiter.of(bad, SECOND))
                    .withMessage("permits is " + bad + ", allowed is a whole number of at least 1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter(1, SECOND).burst(bad))
                    .withMessageStartingWith("burst is " + bad);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter(1, SECOND).maxQueued(bad))
                    .withMessageStartingWith("maxQueued is " + bad);
        }
        for (Duration bad : List.of(
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofDays(3_650).plusNanos(1),
                Duration.ofDays(400 * 365),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .as("%s", bad)
                    .isThrownBy(() -> RateLimiter.of(1, bad))
                    .withMessageStartingWith("period is " + bad + ", allowed is a duration");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(1, SECOND).maxWait(Duration.ofNanos(-1)))
                .withMessageStartingWith("maxWait is");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(1, Duration.ofDays(1)).burst(3_651).build())
                .withMessageStartingWith("burst is 3651, allowed is");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder().build())
                .withMessageStartingWith("rate is not set");
    }

    @Test
    void refusesStrictRatesThatItCannotRemember() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(RateLimiter.MAX_STRICT_PERMITS + 1, SECOND)
                        .strict()
                        .build())
                .withMessageStartingWith("permits is 1000001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(10, SECOND).burst(5).strict().build())
                .withMessageStartingWith("burst is 5");
        assertThatCode(() -> limiter(10, SECOND).burst(10).strict().build()).doesNotThrowAnyException();
    }

    @Test
    void takesTheLargestSettings() {
        RateLimiter limiter = limiter(Integer.MAX_VALUE, Duration.ofDays(3_650))
                .maxWait(Duration.ofSeconds(Long.MAX_VALUE))
                .maxQueued(Integer.MAX_VALUE)
                .build();
        assertThat(limiter.availablePermits()).isEqualTo(Integer.MAX_VALUE);
        assertThat(limiter.tryTake(Integer.MAX_VALUE)).isTrue();
        assertThat(limiter.tryTake(1)).isFalse();
        assertThat(desk(limiter.weighted(Integer.MAX_VALUE)).ask().waits()).isTrue();
        assertThat(desk(limiter.weighted(Integer.MAX_VALUE)).ask().waits()).isTrue();
    }

    @Test
    void periodsOfOtherUnitsAreTheSamePeriod() {
        for (Duration minute : List.of(Duration.ofMinutes(1), Duration.ofSeconds(60), Duration.ofMillis(60_000))) {
            Desk desk = desk(limiter(60, minute).burst(1).build());
            assertThat(desk.letsIn()).isTrue();
            assertThat(desk.ask().refusal().retryAfter()).contains(SECOND);
        }
    }

    @Test
    void unlimitedWaitIsWithoutLimitAndZeroIsNone() {
        Desk unlimited = desk(limiter(1, Duration.ofDays(3_650)).unlimitedWait().build());
        assertThat(unlimited.letsIn()).isTrue();
        assertThat(unlimited.ask().waits()).isTrue();
        for (int i = 0; i < 20; i++) {
            assertThat(unlimited.ask().waits()).isTrue();
        }
        Desk none = desk(limiter(1, Duration.ofNanos(1)).maxWait(Duration.ZERO).build());
        assertThat(none.letsIn()).isTrue();
        assertThat(none.ask().isIn()).isFalse();
        assertThat(none.ask().waits()).isFalse();
    }

    @Test
    void describesItself() {
        assertThat(limiter(10, SECOND).maxWait(Duration.ofMillis(500)).build().describe())
                .isEqualTo("10 per PT1S, burst 10, waits up to PT0.5S");
        assertThat(limiter(10, SECOND).burst(2).unlimitedWait().build().describe())
                .isEqualTo("10 per PT1S, burst 2, waits without limit");
        assertThat(limiter(10, SECOND).strict().build().describe())
                .isEqualTo("at most 10 in any PT1S, refuses what it cannot let pass at once");
        assertThat(limiter(10, SECOND).build()).hasToString("rate limiter 'limit'");
    }

    @Test
    void readsNoTimeAfterACall() {
        RateLimiter limiter = limiter(10, SECOND).build();
        assertThat(limiter.readsTimeOnEntry()).isTrue();
        assertThat(limiter.readsTimeOnSettle()).isFalse();
        assertThat(limiter.judgesOutcomes()).isFalse();
        assertThat(limiter.concurrencyLimit()).isEqualTo(Integer.MAX_VALUE);
        assertThat(limiter.settle(0, 0, 0, null, new IOException())).isNull();
    }
}
