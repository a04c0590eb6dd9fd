package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.outcome.RejectedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterTest extends RateLimiterScene {

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
        Desk desk = desk(
                limiter(1, Duration.ofHours(1)).maxWait(Duration.ofMillis(500)).build());
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
}
