package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimiterWeightTest extends RateLimiterScene {

    @Test
    void weightsShareTheRate() {
        RateLimiter limiter = limiter(10, SECOND).build();
        assertThat(desk(limiter.weighted(4)).letsIn(10)).isEqualTo(2);
        assertThat(desk(limiter).letsIn(10)).isEqualTo(2);
        assertThat(limiter.availablePermits()).isZero();
        assertThat(desk(limiter.weighted(4)).ask().refusal().retryAfter()).contains(Duration.ofMillis(400));
    }

    @Test
    void aViewIsTheLimiterToEverybodyElse() {
        RateLimiter limiter = limiter(10, SECOND).build();
        Admission view = limiter.weighted(4);
        assertThat(view.name()).isEqualTo("limit");
        assertThat(view.kind()).isEqualTo(limiter.kind());
        assertThat(view.events()).isSameAs(limiter.events());
        assertThat(view.time()).contains(time.time());
        assertThat(view.readsTimeOnSettle()).isFalse();
        assertThat(view.describe())
                .isEqualTo("4 permits a call of 10 per PT1S, burst 10, refuses what it cannot let pass at once");
        assertThat(view).hasToString("rate limiter 'limit'");
    }

    @Test
    void moreThanTheBurstIsRefusedAsImpossible() {
        RateLimiter limiter = limiter(10, SECOND).burst(3).unlimitedWait().build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.weighted(4))
                .withMessage("permits is 4, allowed is a whole number from 1 to 3");
        assertThat(limiter.tryTake(4)).isFalse();
        assertThat(limiter.tryTake(Integer.MAX_VALUE)).isFalse();
        assertThat(limiter.availablePermits()).isEqualTo(3);
    }

    @Test
    void aWeightThatHasBecomeImpossibleIsRefusedWithoutATimeToComeBack() {
        RateLimiter limiter = limiter(10, SECOND).unlimitedWait().build();
        Desk desk = desk(limiter.weighted(5));
        assertThat(desk.letsIn(2)).isEqualTo(2);
        Desk.Visitor waiting = desk.ask();
        assertThat(waiting.waits()).isTrue();
        limiter.setRate(4, SECOND);
        assertThat(waiting.wakeUps()).isEqualTo(1);
        assertThat(waiting.check()).isEqualTo(Entry.Waiting.REFUSED);
        assertThat(waiting.refusal().retryAfter()).isEmpty();
        RejectedException refusal = desk.ask().refusal();
        assertThat(refusal.retryAfter()).isEmpty();
        assertThat(refusal).hasMessageContaining("more than the burst");
    }

    @Test
    void zeroAndNegativePermitsCannotBeAskedFor() {
        RateLimiter limiter = limiter(5, SECOND).build();
        for (int permits : new int[] {0, -1, -100, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> limiter.weighted(permits));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.tryTake(permits))
                    .withMessage("permits is " + permits + ", allowed is a whole number of at least 1");
        }
        assertThat(limiter.availablePermits()).isEqualTo(5);
    }

    @Test
    void takesByHandWhatIsThereAndNoMore() {
        RateLimiter limiter = limiter(5, SECOND).build();
        assertThat(limiter.tryTake(4)).isTrue();
        assertThat(limiter.tryTake(2)).isFalse();
        assertThat(limiter.tryTake()).isTrue();
        assertThat(limiter.tryTake()).isFalse();
        assertThat(limiter.availablePermits()).isZero();
        advanceMillis(399);
        assertThat(limiter.availablePermits()).isEqualTo(1);
    }

    @Test
    void nothingIsAvailableWhileSomebodyWaits() {
        RateLimiter limiter = limiter(10, SECOND).unlimitedWait().build();
        Desk heavy = desk(limiter.weighted(10));
        assertThat(heavy.letsIn()).isTrue();
        Desk.Visitor waiting = heavy.ask();
        advanceMillis(500);
        assertThat(limiter.availablePermits()).isZero();
        assertThat(limiter.tryTake()).isFalse();
        waiting.leave();
        assertThat(limiter.availablePermits()).isEqualTo(5);
        assertThat(limiter.tryTake(5)).isTrue();
    }
}
