package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.spi.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterWaitingTest extends RateLimiterScene {

    @Test
    void waitsAreRoundedUpSoThatNobodyIsLetInEarly() {
        Desk desk = desk(limiter(3, Duration.ofSeconds(10))
                .maxWait(Duration.ofSeconds(12))
                .build());
        List<Desk.Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            visitors.add(desk.ask());
        }
        assertThat(visitors.stream().map(Desk.Visitor::isIn))
                .startsWith(true, true, true)
                .endsWith(false);
        List<Duration> in = new ArrayList<>();
        for (int i = 3; i < 6; i++) {
            Desk.Visitor visitor = visitors.get(i);
            time.advance(Duration.ofNanos(visitor.check() - 1));
            assertThat(visitor.check()).isEqualTo(1);
            time.advance(Duration.ofNanos(1));
            assertThat(visitor.check()).isEqualTo(Entry.Waiting.ADMITTED);
            in.add(time.elapsed());
        }
        assertThat(in)
                .containsExactly(
                        Duration.ofNanos(3_333_333_334L), Duration.ofNanos(6_666_666_667L), Duration.ofSeconds(10));
        assertThat(visitors.get(6).refusal().retryAfter()).contains(Duration.ofNanos(13_333_333_334L));
    }

    @Test
    void inTheStrictModeThoseWhoWaitComeInWithTheNextPeriod() {
        Desk desk = desk(limiter(3, Duration.ofSeconds(10))
                .strict()
                .maxWait(Duration.ofSeconds(12))
                .build());
        List<Desk.Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            visitors.add(desk.ask());
        }
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(visitors.get(3).check()).isEqualTo(1);
        time.advance(Duration.ofNanos(1));
        for (int i = 3; i < 6; i++) {
            assertThat(visitors.get(i).check()).isEqualTo(Entry.Waiting.ADMITTED);
        }
        assertThat(visitors.get(6).refusal().retryAfter()).contains(Duration.ofSeconds(20));
    }

    @Test
    void aWaitOfExactlyTheLongestIsAllowed() {
        Desk desk = desk(limiter(1, SECOND).maxWait(SECOND).build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor visitor = desk.ask();
        assertThat(visitor.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(visitor.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void theFirstWhoCameIsServedFirstAndNobodyBargesIn() {
        Desk desk = desk(limiter(1, SECOND).unlimitedWait().build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        time.advance(SECOND);
        // The permit is there, and neither has asked for it yet.
        Desk.Visitor third = desk.ask();
        assertThat(third.waits()).isTrue();
        assertThat(second.check()).isEqualTo(SECOND.toNanos());
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        time.advance(SECOND);
        assertThat(third.check()).isEqualTo(SECOND.toNanos());
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void aCallThatNeedsManyPermitsIsNotOvertakenByOnesThatNeedFew() {
        RateLimiter limiter = limiter(10, SECOND).unlimitedWait().build();
        Desk one = desk(limiter);
        Desk five = desk(limiter.weighted(5));
        assertThat(five.letsIn(2)).isEqualTo(2);
        Desk.Visitor heavy = five.ask();
        Desk.Visitor light = one.ask();
        advanceMillis(400);
        assertThat(light.check()).isEqualTo(200_000_000L);
        assertThat(heavy.check()).isEqualTo(100_000_000L);
        advanceMillis(100);
        assertThat(heavy.check()).isEqualTo(Entry.Waiting.ADMITTED);
        advanceMillis(100);
        assertThat(light.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void whoeverAsksLetsInAllWhosePermitsAreThere() {
        Desk desk = desk(limiter(1, SECOND).burst(3).unlimitedWait().build());
        assertThat(desk.letsIn(3)).isEqualTo(3);
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        Desk.Visitor third = desk.ask();
        time.advance(Duration.ofSeconds(3));
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(first.wakeUps()).isEqualTo(1);
        assertThat(third.wakeUps()).isEqualTo(1);
        assertThat(second.wakeUps()).isZero();
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(third.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void thoseWhoComeWhenNobodyWaitsAnyMoreAreServedAtOnce() {
        Desk desk = desk(limiter(1, SECOND).unlimitedWait().build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor waiting = desk.ask();
        time.advance(Duration.ofSeconds(2));
        assertThat(waiting.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(desk.letsIn()).isFalse();
        time.advance(SECOND);
        assertThat(desk.letsIn()).isTrue();
    }

    @Test
    void thoseBehindOneWhoLeavesMoveUp() {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        Desk.Visitor third = desk.ask();
        assertThat(third.check()).isEqualTo(SECOND.multipliedBy(3).toNanos());
        assertThat(first.leave()).isSameAs(second);
        assertThat(second.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
        // It would ask again by itself only at the third second.
        assertThat(third.wakeUps()).isEqualTo(1);
        assertThat(third.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(third.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(limiter.queued()).isZero();
    }

    @Test
    void oneWhoLeavesFromTheMiddleMakesRoomForTheNext() {
        Desk desk = desk(limiter(1, SECOND).maxWait(Duration.ofSeconds(2)).build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        assertThat(desk.ask().isIn()).isFalse();
        assertThat(second.leave()).isNull();
        Desk.Visitor third = desk.ask();
        assertThat(third.waits()).isTrue();
        time.advance(SECOND);
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        time.advance(SECOND);
        assertThat(third.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void oneWhoWaitsIsNotRefusedBecauseAnotherRanLate() {
        Desk desk = desk(limiter(1, SECOND).maxWait(Duration.ofSeconds(2)).build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        // Nobody asks for the permit of the first second, and only one can be kept.
        time.advance(Duration.ofSeconds(2));
        assertThat(second.check()).isGreaterThan(0);
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(second.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void aPermitGivenToOneWhoIsLeavingGoesToTheNext() {
        Desk desk = desk(limiter(1, SECOND).unlimitedWait().build());
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        time.advance(SECOND);
        assertThat(second.check()).isPositive();
        // First has its permit and has not asked for it.
        assertThat(first.wakeUps()).isEqualTo(1);
        assertThat(first.leave()).isSameAs(second);
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(desk.letsIn()).isFalse();
    }

    @Test
    void oneWhoHasGoneNeverGetsAPermit() {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor gone = desk.ask();
        assertThat(gone.leave()).isNull();
        assertThat(gone.leave()).isNull();
        time.advance(SECOND);
        assertThat(limiter.availablePermits()).isEqualTo(1);
        assertThat(desk.letsIn()).isTrue();
    }

    @Test
    void manyWhoLeaveInAnyOrderLeaveNothingBehind() {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        List<Desk.Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            visitors.add(desk.ask());
        }
        for (int i = 0; i < 50_000; i += 2) {
            visitors.get(i).check();
            visitors.get(i).leave();
        }
        for (int i = 49_999; i > 1; i -= 2) {
            visitors.get(i).leave();
        }
        assertThat(limiter.queued()).isEqualTo(1);
        time.advance(SECOND);
        assertThat(visitors.get(1).check()).isEqualTo(Entry.Waiting.ADMITTED);
    }
}
