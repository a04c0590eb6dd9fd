package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.CapturedLog;
import io.nopanic.events.Event;
import io.nopanic.events.Events;
import io.nopanic.spi.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RateLimiterChangeTest extends RateLimiterScene {

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
    void aBurstThatIsSetAsTheRateChangesIsNotUndone() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        RateLimiter limiter = RateLimiter.builder()
                .rate(10, SECOND)
                .burst(30)
                .time(time.time().withTicker(() -> {
                    meanwhile.getAndSet(() -> {}).run();
                    return time.nanos();
                }))
                .build();
        meanwhile.set(() -> limiter.setRate(new Rate(10, SECOND, 5)));
        limiter.setRate(20, SECOND);
        assertThat(limiter.rate()).isEqualTo(new Rate(20, SECOND, 5));
        assertThat(limiter.availablePermits()).isEqualTo(5);
        meanwhile.set(() -> limiter.setRate(10, SECOND));
        limiter.setRate(new Rate(10, SECOND, 7));
        assertThat(limiter.rate()).as("whatever the rate is").isEqualTo(new Rate(10, SECOND, 7));
    }

    @Test
    void thoseWhoWaitWaitForTheNewRate() {
        RateLimiter limiter =
                limiter(1, Duration.ofSeconds(100)).unlimitedWait().build();
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

    @Test
    void aStrictRateOfALongerPeriodCountsOnlyWhatWasTaken() {
        RateLimiter limiter = limiter(3, SECOND).strict().build();
        assertThat(limiter.tryTake()).isTrue();
        limiter.setRate(3, Duration.ofMinutes(1));
        assertThat(limiter.availablePermits()).isEqualTo(2);
        assertThat(limiter.tryTake(2)).isTrue();
        assertThat(limiter.tryTake()).isFalse();
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.availablePermits()).isEqualTo(3);
    }

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
        try (CapturedLog log = new CapturedLog(Events.class)) {
            Desk desk = desk(limiter);
            assertThat(desk.ask().isIn()).isTrue();
            Desk.Visitor waiting = desk.ask();
            assertThat(desk.ask().refusal()).isInstanceOf(RateLimitedException.class);
            time.advance(SECOND);
            assertThat(waiting.check()).isEqualTo(Entry.Waiting.ADMITTED);
            assertThat(log.records()).hasSize(1);
        }
        assertThat(seen).containsExactly(1, 1);
    }
}
