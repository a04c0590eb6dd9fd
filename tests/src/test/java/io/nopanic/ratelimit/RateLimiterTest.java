package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.events.Event;
import io.nopanic.outcome.RejectedException;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.testkit.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.manual();

    private RateLimiter.Builder limiter(int permits, Duration period) {
        return RateLimiter.builder().name("limit").rate(permits, period).time(time.time());
    }

    private Desk desk(Admission admission) {
        return new Desk(admission, time);
    }

    private void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    // ----------------------------------------------------------------------------------------------------------- rate

    @Test
    void letsTheBurstInAndThenTheRate() {
        Desk desk = desk(limiter(10, SECOND).burst(3).build());
        assertThat(desk.letsIn(100)).isEqualTo(3);
        int in = 0;
        for (int i = 0; i < 10_000; i++) {
            advanceMillis(1);
            in += desk.letsIn() ? 1 : 0;
        }
        assertThat(in).isEqualTo(100);
    }

    @Test
    void theBurstIsTheRateUnlessItIsSet() {
        assertThat(limiter(10, SECOND).build().rate()).isEqualTo(Rate.of(10, SECOND));
        assertThat(limiter(10, SECOND).burst(3).build().rate()).isEqualTo(new Rate(10, SECOND, 3));
    }

    @Test
    void aQuietHourIsNotCreditedTwice() {
        Desk desk = desk(limiter(10, SECOND).build());
        time.advance(Duration.ofHours(1));
        assertThat(desk.letsIn(10)).isEqualTo(10);
        assertThat(desk.letsIn(10)).isZero();
    }

    @Test
    void aGreedyCallerGetsTheBurstAndTheRateAfterAQuietTimeAndNoMore() {
        Desk desk = desk(limiter(15, Duration.ofMinutes(1)).build());
        time.advance(Duration.ofMinutes(10));
        Passing passing = passingFor(desk, Duration.ofMinutes(3));
        passing.assertNeverMoreThan(15, 15, Duration.ofMinutes(1).toNanos());
        assertThat(passing.mostWithin(Duration.ofMinutes(1).toNanos())).isLessThanOrEqualTo(30);
    }

    @Test
    void inTheStrictModeNoRollingPeriodHoldsMoreThanTheRate() {
        Desk desk = desk(limiter(15, Duration.ofMinutes(1)).strict().build());
        time.advance(Duration.ofSeconds(619));
        Passing passing = passingFor(desk, Duration.ofMinutes(3));
        assertThat(passing.mostWithin(Duration.ofMinutes(1).toNanos())).isEqualTo(15);
    }

    private Passing passingFor(Desk desk, Duration duration) {
        Passing passing = new Passing();
        long endNanos = time.nanos() + duration.toNanos();
        while (endNanos - time.nanos() > 0) {
            while (desk.letsIn()) {
                passing.add(1, time.nanos());
            }
            advanceMillis(250);
        }
        return passing;
    }

    @Test
    void permitsOfLessThanAMillisecondAndOfYearsAreExact() {
        for (Duration period : List.of(
                Duration.ofNanos(1), Duration.ofNanos(900), Duration.ofNanos(900_000), Duration.ofDays(3_650))) {
            Desk desk = desk(limiter(1, period).build());
            assertThat(desk.letsIn(2)).as("%s", period).isEqualTo(1);
            time.advance(period.minusNanos(1));
            assertThat(desk.letsIn()).as("%s", period).isFalse();
            time.advance(Duration.ofNanos(1));
            assertThat(desk.letsIn(2)).as("%s", period).isEqualTo(1);
        }
    }

    // -------------------------------------------------------------------------------------------------------- refusing

    @Test
    void refusesAtOnceUnlessToldToWaitAndSaysWhenItWouldHaveWorked() {
        Desk desk = desk(limiter(4, SECOND).build());
        assertThat(desk.letsIn(4)).isEqualTo(4);
        advanceMillis(100);
        RejectedException refusal = desk.ask().refusal();
        assertThat(refusal).isInstanceOf(RateLimitedException.class);
        assertThat(refusal.policy()).isEqualTo("limit");
        assertThat(refusal.pipeline()).isEqualTo("desk");
        assertThat(refusal.retryAfter()).contains(Duration.ofMillis(150));
        assertThat(refusal).hasMessageContaining("'limit'").hasMessageContaining("retry after PT0.15S");
        advanceMillis(149);
        assertThat(desk.letsIn()).isFalse();
        advanceMillis(1);
        assertThat(desk.letsIn()).isTrue();
    }

    @Test
    void refusesAtOnceWhenTheWaitWouldBeTooLong() {
        Desk desk = desk(limiter(1, Duration.ofHours(1)).maxWait(Duration.ofMillis(500)).build());
        assertThat(desk.letsIn()).isTrue();
        assertThat(desk.ask().refusal().retryAfter()).contains(Duration.ofHours(1));
        assertThat(time.elapsed()).isZero();
    }

    @Test
    void refusesAtOnceWhenADeadlineAroundTheCallIsNearerThanThePermit() {
        Desk desk = desk(limiter(1, SECOND).unlimitedWait().build());
        assertThat(desk.letsIn()).isTrue();
        assertThat(desk.ask(SECOND.toNanos() - 1).refusal().retryAfter()).contains(SECOND);
        assertThat(desk.ask(SECOND.toNanos()).waits()).isTrue();
        assertThat(desk.ask(SECOND.toNanos()).refusal().retryAfter()).contains(SECOND.multipliedBy(2));
    }

    @Test
    void refusesAtOnceWhenTooManyWait() {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().maxQueued(2).build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        assertThat(desk.ask().waits()).isTrue();
        assertThat(desk.ask().waits()).isTrue();
        assertThat(limiter.queued()).isEqualTo(2);
        RejectedException refusal = desk.ask().refusal();
        assertThat(refusal).hasMessageContaining("too many calls wait");
        assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(3));
    }

    @Test
    void eachRefusalIsItsOwnAndGrowsWithNobodysUse() {
        Desk desk = desk(limiter(1, SECOND).build());
        assertThat(desk.letsIn()).isTrue();
        RejectedException first = desk.ask().refusal();
        for (int i = 0; i < 10_000; i++) {
            RejectedException refusal = desk.ask().refusal();
            refusal.addSuppressed(new IllegalStateException());
            assertThat(refusal).isNotSameAs(first);
            assertThat(refusal.getSuppressed()).isEmpty();
            assertThat(refusal.getStackTrace()).isEmpty();
        }
        first.addSuppressed(new IllegalStateException());
        assertThat(first.getSuppressed()).isEmpty();
    }

    @Test
    void refusalsAreSerializable() throws IOException, ClassNotFoundException {
        RateLimitedException refusal = new RateLimitedException("limit", "orders", "no", 1_500_000_000);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(refusal);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            RateLimitedException copy = (RateLimitedException) in.readObject();
            assertThat(copy).hasMessage(refusal.getMessage());
            assertThat(copy.retryAfter()).contains(Duration.ofMillis(1_500));
        }
    }

    // --------------------------------------------------------------------------------------------------------- waiting

    @Test
    void waitsAreRoundedUpSoThatNobodyIsLetInEarly() {
        Desk desk = desk(limiter(3, Duration.ofSeconds(10)).maxWait(Duration.ofSeconds(12)).build());
        List<Desk.Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            visitors.add(desk.ask());
        }
        assertThat(visitors.stream().map(Desk.Visitor::isIn)).startsWith(true, true, true).endsWith(false);
        List<Duration> in = new ArrayList<>();
        for (int i = 3; i < 6; i++) {
            Desk.Visitor visitor = visitors.get(i);
            time.advance(Duration.ofNanos(visitor.check() - 1));
            assertThat(visitor.check()).isEqualTo(1);
            time.advance(Duration.ofNanos(1));
            assertThat(visitor.check()).isEqualTo(Entry.Waiting.ADMITTED);
            in.add(time.elapsed());
        }
        assertThat(in).containsExactly(
                Duration.ofNanos(3_333_333_334L), Duration.ofNanos(6_666_666_667L), Duration.ofSeconds(10));
        assertThat(visitors.get(6).refusal().retryAfter()).contains(Duration.ofNanos(13_333_333_334L));
    }

    @Test
    void inTheStrictModeThoseWhoWaitComeInWithTheNextPeriod() {
        Desk desk = desk(limiter(3, Duration.ofSeconds(10)).strict().maxWait(Duration.ofSeconds(12)).build());
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

    // --------------------------------------------------------------------------------------------------------- leaving

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

    // --------------------------------------------------------------------------------------------------------- weights

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
        assertThat(view.describe()).isEqualTo(
                "4 permits a call of 10 per PT1S, burst 10, refuses what it cannot let pass at once");
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

    // -------------------------------------------------------------------------------------------------------- changing

    @Test
    void permitsStayWhenTheRateChanges() {
        RateLimiter limiter = limiter(10, SECOND).build();
        assertThat(limiter.tryTake(6)).isTrue();
        limiter.setRate(100, SECOND);
        assertThat(limiter.rate()).isEqualTo(Rate.of(100, SECOND));
        assertThat(limiter.availablePermits()).isEqualTo(4);
        advanceMillis(10);
        assertThat(limiter.availablePermits()).isEqualTo(5);
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.availablePermits()).isEqualTo(100);
        limiter.setRate(3, Duration.ofMinutes(1));
        assertThat(limiter.availablePermits()).isEqualTo(3);
    }

    @Test
    void fractionsOfAPermitStayWhenTheRateChanges() {
        RateLimiter limiter = limiter(1, Duration.ofSeconds(10)).build();
        assertThat(limiter.tryTake()).isTrue();
        time.advance(Duration.ofSeconds(9));
        limiter.setRate(1, SECOND);
        advanceMillis(99);
        assertThat(limiter.availablePermits()).isZero();
        advanceMillis(1);
        assertThat(limiter.availablePermits()).isEqualTo(1);
    }

    @Test
    void aBurstSetByItselfStaysAndOneThatIsTheRateFollows() {
        RateLimiter follows = limiter(10, SECOND).build();
        follows.setRate(20, SECOND);
        assertThat(follows.rate().burst()).isEqualTo(20);
        RateLimiter stays = limiter(10, SECOND).burst(3).build();
        stays.setRate(20, SECOND);
        assertThat(stays.rate().burst()).isEqualTo(3);
        stays.setRate(new Rate(20, SECOND, 7));
        assertThat(stays.rate().burst()).isEqualTo(7);
    }

    @Test
    void thoseWhoWaitWaitForTheNewRate() {
        RateLimiter limiter = limiter(1, Duration.ofSeconds(100)).unlimitedWait().build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        assertThat(first.check()).isEqualTo(Duration.ofSeconds(100).toNanos());
        assertThat(second.check()).isEqualTo(Duration.ofSeconds(200).toNanos());
        limiter.setRate(1, SECOND);
        assertThat(first.wakeUps()).isEqualTo(1);
        assertThat(first.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(second.wakeUps()).isEqualTo(1);
        assertThat(second.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void thoseWhoCanNoLongerMakeItAreRefusedWhenTheRateFalls() {
        RateLimiter limiter = limiter(1, SECOND).maxWait(Duration.ofSeconds(3)).build();
        Desk desk = desk(limiter);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        limiter.setRate(1, Duration.ofSeconds(2));
        assertThat(first.wakeUps()).isZero();
        assertThat(second.wakeUps()).isEqualTo(1);
        assertThat(second.check()).isEqualTo(Entry.Waiting.REFUSED);
        assertThat(second.check()).isEqualTo(Entry.Waiting.REFUSED);
        assertThat(second.refusal().retryAfter()).contains(Duration.ofSeconds(4));
        assertThat(limiter.queued()).isEqualTo(1);
        time.advance(SECOND);
        assertThat(first.check()).isEqualTo(SECOND.toNanos());
        time.advance(SECOND);
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void aRateThatIsRefusedChangesNothing() {
        RateLimiter limiter = limiter(10, SECOND).burst(10).build();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(0, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(new Rate(1, Duration.ofDays(3_650), 2)));
        assertThat(limiter.rate()).isEqualTo(Rate.of(10, SECOND));
        assertThat(limiter.availablePermits()).isEqualTo(10);
    }

    @Test
    void aStrictRateRemembersWhatPassedBeforeItChanged() {
        RateLimiter limiter = limiter(5, SECOND).strict().build();
        assertThat(limiter.tryTake(5)).isTrue();
        limiter.setRate(3, SECOND);
        assertThat(limiter.availablePermits()).isZero();
        time.advance(SECOND);
        assertThat(limiter.availablePermits()).isEqualTo(3);
        assertThat(limiter.tryTake(3)).isTrue();
        limiter.setRate(6, SECOND);
        assertThat(limiter.availablePermits()).isEqualTo(3);
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.setRate(new Rate(6, SECOND, 2)));
    }

    // ---------------------------------------------------------------------------------------------------------- events

    @Test
    void saysWhoWaitsAndWhoIsRefused() {
        RateLimiter limiter = limiter(1, SECOND).maxWait(SECOND).build();
        List<Event> events = new ArrayList<>();
        limiter.events().subscribe(events::add);
        Desk desk = desk(limiter);
        desk.ask();
        desk.ask();
        desk.ask();
        Event.Stamp stamp = new Event.Stamp("limit", time.nanos(), time.wallTime());
        assertThat(events)
                .containsExactly(
                        new Event.RateLimiterWaited(stamp, 1_000_000_000),
                        new Event.RateLimiterRefused(stamp, 2_000_000_000));
    }

    @Test
    void saysOnceWhoIsRefusedAfterWaiting() {
        RateLimiter limiter = limiter(1, SECOND).maxWait(SECOND).build();
        List<Event.RateLimiterRefused> events = new ArrayList<>();
        limiter.events().subscribe(Event.RateLimiterRefused.class, events::add);
        Desk desk = desk(limiter);
        desk.ask();
        Desk.Visitor waiting = desk.ask();
        limiter.setRate(1, Duration.ofSeconds(5));
        assertThat(events).isEmpty();
        waiting.check();
        waiting.check();
        assertThat(events).extracting(Event.RateLimiterRefused::retryAfterNanos).containsExactly(5_000_000_000L);
    }

    @Test
    void aListenerThatThrowsOrCallsTheLimiterChangesNothing() {
        RateLimiter limiter = limiter(1, SECOND).maxWait(SECOND).build();
        List<Integer> seen = new ArrayList<>();
        limiter.events().subscribe(event -> {
            seen.add(limiter.availablePermits() + limiter.queued());
            limiter.setRate(1, SECOND);
            throw new AssertionError("a listener that throws");
        });
        Desk desk = desk(limiter);
        assertThat(desk.ask().isIn()).isTrue();
        Desk.Visitor waiting = desk.ask();
        assertThat(desk.ask().refusal()).isInstanceOf(RateLimitedException.class);
        time.advance(SECOND);
        assertThat(waiting.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(seen).containsExactly(1, 1);
    }

    // -------------------------------------------------------------------------------------------------------- settings

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
                .isThrownBy(() -> limiter(RateLimiter.MAX_STRICT_PERMITS + 1, SECOND).strict().build())
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
