package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.CapturedLog;
import io.nopanic.events.Event;
import io.nopanic.outcome.Classifier;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.spi.Entry;
import io.nopanic.spi.Waiter;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdaptiveRateLimiterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.manual();

    private static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final class SlowDown extends Exception implements HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable Duration hint;

        SlowDown(@Nullable Duration hint) {
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.ofNullable(hint);
        }
    }

    private record Response(int status, @Nullable Duration hint) implements HasRetryAfter {
        @Override
        public Optional<Duration> retryAfter() {
            return Optional.ofNullable(hint);
        }
    }

    private AdaptiveRateLimiter.Builder limiter(double rate) {
        return AdaptiveRateLimiter.builder()
                .name("adapt")
                .rate(rate, SECOND)
                .throttleOn(Busy.class)
                .time(time.time());
    }

    private @Nullable Waiter ends(AdaptiveRateLimiter limiter, @Nullable Object result, @Nullable Throwable error) {
        return limiter.settle(0, time.nanos(), time.nanos(), result, error);
    }

    private void fails(AdaptiveRateLimiter limiter, Throwable error) {
        ends(limiter, null, error);
    }

    private void succeeds(AdaptiveRateLimiter limiter, int times) {
        for (int i = 0; i < times; i++) {
            ends(limiter, "fine", null);
        }
    }

    // ----------------------------------------------------------------------------------------------------------- rate

    @Test
    void aThrottleHalvesTheRateAndSuccessesRaiseItAgain() {
        AdaptiveRateLimiter limiter = limiter(10).build();
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
        fails(limiter, new Busy());
        assertThat(limiter.ratePerSecond()).isEqualTo(5);
        succeeds(limiter, 10);
        assertThat(limiter.ratePerSecond()).isCloseTo(6, within(1e-9));
        succeeds(limiter, 1_000);
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
    }

    @Test
    void theRateStaysBetweenItsBounds() {
        AdaptiveRateLimiter limiter = limiter(10).maxRate(12).increase(1.5).build();
        succeeds(limiter, 5);
        assertThat(limiter.ratePerSecond()).isEqualTo(12);
        for (int i = 0; i < 10; i++) {
            fails(limiter, new Busy());
            time.advance(SECOND);
        }
        assertThat(limiter.ratePerSecond()).isEqualTo(1);
        AdaptiveRateLimiter floored = limiter(10).minRate(8).build();
        fails(floored, new Busy());
        assertThat(floored.ratePerSecond()).isEqualTo(8);
    }

    @Test
    void theRateIsWhatPasses() {
        AdaptiveRateLimiter limiter = limiter(100).build();
        Desk desk = new Desk(limiter, time);
        assertThat(desk.letsIn(1_000)).isEqualTo(100);
        fails(limiter, new Busy());
        int in = 0;
        for (int i = 0; i < 10_000; i++) {
            time.advance(Duration.ofMillis(1));
            in += desk.letsIn() ? 1 : 0;
        }
        assertThat(in).isEqualTo(500);
    }

    @Test
    void theBurstShrinksWithTheRate() {
        AdaptiveRateLimiter limiter = limiter(10).minRate(0.5).build();
        assertThat(limiter.availablePermits()).isEqualTo(10);
        fails(limiter, new Busy());
        assertThat(limiter.availablePermits()).isEqualTo(5);
        time.advance(Duration.ofHours(1));
        assertThat(limiter.availablePermits()).isEqualTo(5);
        for (int i = 0; i < 10; i++) {
            fails(limiter, new Busy());
            time.advance(Duration.ofSeconds(10));
        }
        assertThat(limiter.ratePerSecond()).isEqualTo(0.5);
        assertThat(limiter.availablePermits()).isEqualTo(1);
    }

    @Test
    void refusalsOfCallsThatWereOnTheirWayTogetherCountOnce() {
        AdaptiveRateLimiter limiter = limiter(64).minRate(1).build();
        for (int i = 0; i < 20; i++) {
            fails(limiter, new Busy());
        }
        assertThat(limiter.ratePerSecond()).isEqualTo(32);
        time.advance(SECOND.minusNanos(1));
        fails(limiter, new Busy());
        assertThat(limiter.ratePerSecond()).isEqualTo(32);
        time.advance(Duration.ofNanos(1));
        fails(limiter, new Busy());
        assertThat(limiter.ratePerSecond()).isEqualTo(16);
    }

    @Test
    void aSlowCallThatWasLetInBeforeTheLastCutDoesNotCutAgain() {
        AdaptiveRateLimiter limiter =
                limiter(64).minRate(1).window(Duration.ZERO).build();
        long slowStartNanos = time.nanos();
        time.advance(SECOND);
        fails(limiter, new Busy());
        time.advance(Duration.ofSeconds(30));
        limiter.settle(0, slowStartNanos, time.nanos(), null, new Busy());
        assertThat(limiter.ratePerSecond()).isEqualTo(32);
        fails(limiter, new Busy());
        assertThat(limiter.ratePerSecond()).isEqualTo(16);
    }

    // --------------------------------------------------------------------------------------------------------- signals

    @Test
    void onlyWhatTheDependencySaysIsAThrottle() {
        AdaptiveRateLimiter limiter = limiter(10).throttleIf(error -> true).build();
        fails(limiter, new RateLimitedException("inner", "p", "no", 1_000_000_000L));
        fails(limiter, new CompletionException(new RateLimitedException("inner", "p", "no", 1_000_000_000L)));
        fails(limiter, new CancellationException());
        fails(limiter, new InterruptedException());
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
        assertThat(limiter.availablePermits()).isEqualTo(10);
    }

    @Test
    void failuresOfOtherKindsChangeNothing() {
        AdaptiveRateLimiter limiter = limiter(10).maxRate(20).build();
        fails(limiter, new IOException());
        fails(limiter, new SlowDown(null));
        fails(limiter, new StackOverflowError());
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
    }

    @Test
    void signalsAreNamedByTypePredicateAndResultAndFoundInWrappers() {
        List<AdaptiveRateLimiter> limiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            limiters.add(AdaptiveRateLimiter.builder()
                    .rate(10, SECOND)
                    .time(time.time())
                    .throttleOn(Busy.class)
                    .throttleIf(IOException.class, e -> "busy".equals(e.getMessage()))
                    .throttleIf(e -> e instanceof IllegalStateException)
                    .throttleOnResult(Response.class, r -> r.status() == 429 || r.status() == 503)
                    .build());
        }
        fails(limiters.get(0), new CompletionException(new Busy()));
        fails(limiters.get(1), new IOException("busy"));
        fails(limiters.get(2), new IllegalStateException());
        ends(limiters.get(3), new Response(429, null), null);
        ends(limiters.get(4), new Response(200, Duration.ofNanos(1)), null);
        fails(limiters.get(5), new SlowDown(Duration.ZERO));
        assertThat(limiters).allSatisfy(each -> assertThat(each.ratePerSecond()).isEqualTo(5));
        AdaptiveRateLimiter other = limiters.get(0);
        fails(other, new IOException("away"));
        ends(other, new Response(500, null), null);
        assertThat(other.ratePerSecond()).isCloseTo(5.1, within(1e-9));
    }

    @Test
    void aPredicateOrAHintThatThrowsNeverReachesTheCall() {
        AdaptiveRateLimiter limiter = limiter(10)
                .throttleIf(IOException.class, e -> {
                    throw new AssertionError("a predicate that throws");
                })
                .build();
        HasRetryAfter unreadable = () -> {
            throw new IllegalStateException("a hint that throws");
        };
        try (CapturedLog predicates = new CapturedLog(Classifier.class);
                CapturedLog hints = new CapturedLog(AdaptiveRateLimiter.class)) {
            fails(limiter, new IOException());
            ends(limiter, unreadable, null);
            ends(limiter, unreadable, null);
            assertThat(predicates.records()).hasSize(1);
            assertThat(hints.records()).hasSize(1);
        }
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
    }

    // ----------------------------------------------------------------------------------------------------------- hints

    @Test
    void aHintBlocksForItsLengthAndThenOneCallPasses() {
        AdaptiveRateLimiter limiter = limiter(10).build();
        Desk desk = new Desk(limiter, time);
        fails(limiter, new SlowDown(Duration.ofSeconds(7)));
        assertThat(limiter.availablePermits()).isZero();
        assertThat(desk.ask(0).refusal().retryAfter()).contains(Duration.ofSeconds(7));
        time.advance(Duration.ofSeconds(7).minusNanos(1));
        assertThat(desk.letsIn()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(desk.letsIn(10)).isEqualTo(1);
        assertThat(desk.ask(0).refusal().retryAfter()).contains(Duration.ofMillis(200));
    }

    @Test
    void aHintIsCutToTheLongestBlock() {
        for (Duration hint :
                List.of(Duration.ofSeconds(61), Duration.ofDays(400 * 365), Duration.ofSeconds(Long.MAX_VALUE))) {
            AdaptiveRateLimiter limiter = limiter(10).build();
            Desk desk = new Desk(limiter, time);
            fails(limiter, new SlowDown(hint));
            assertThat(desk.ask(0).refusal().retryAfter()).contains(Duration.ofSeconds(60));
        }
        AdaptiveRateLimiter limiter =
                limiter(10).maxBlock(Duration.ofSeconds(5)).build();
        fails(limiter, new SlowDown(Duration.ofSeconds(7)));
        assertThat(new Desk(limiter, time).ask(0).refusal().retryAfter()).contains(Duration.ofSeconds(5));
    }

    @Test
    void aHintThatMakesNoSenseBlocksNothing() {
        for (Duration hint : List.of(Duration.ZERO, Duration.ofSeconds(-5), Duration.ofSeconds(Long.MIN_VALUE))) {
            AdaptiveRateLimiter limiter = limiter(10).build();
            fails(limiter, new SlowDown(hint));
            assertThat(limiter.availablePermits()).as("%s", hint).isEqualTo(5);
        }
    }

    @Test
    void theLongestOfSeveralHintsHoldsWhateverTheRateDoesMeanwhile() {
        AdaptiveRateLimiter limiter = limiter(10).increase(3).build();
        Desk desk = new Desk(limiter, time);
        fails(limiter, new SlowDown(Duration.ofSeconds(5)));
        fails(limiter, new SlowDown(Duration.ofSeconds(2)));
        succeeds(limiter, 10);
        assertThat(limiter.ratePerSecond()).isEqualTo(10);
        time.advance(Duration.ofSeconds(4));
        fails(limiter, new Busy());
        succeeds(limiter, 1);
        time.advance(SECOND.minusNanos(1));
        assertThat(desk.letsIn()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(desk.letsIn()).isTrue();
        assertThat(desk.letsIn()).isFalse();
    }

    // --------------------------------------------------------------------------------------------------------- waiting

    @Test
    void thoseWhoWaitMoveUpWhenTheRateRises() {
        AdaptiveRateLimiter limiter =
                limiter(1).maxRate(100).increase(99).unlimitedWait().build();
        Desk desk = new Desk(limiter, time);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        assertThat(first.check()).isEqualTo(SECOND.toNanos());
        assertThat(ends(limiter, "fine", null)).isSameAs(first);
        assertThat(first.check()).isEqualTo(10_000_000);
        time.advance(Duration.ofMillis(10));
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
        assertThat(second.wakeUps()).isEqualTo(1);
        time.advance(Duration.ofMillis(10));
        assertThat(second.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    @Test
    void thoseWhoCanNoLongerMakeItAreRefusedWhenAHintBlocks() {
        AdaptiveRateLimiter limiter = limiter(1).maxWait(Duration.ofSeconds(10)).build();
        Desk desk = new Desk(limiter, time);
        assertThat(desk.letsIn()).isTrue();
        Desk.Visitor first = desk.ask();
        Desk.Visitor second = desk.ask();
        Waiter woken = ends(limiter, null, new SlowDown(Duration.ofSeconds(9)));
        assertThat(woken).isSameAs(second);
        assertThat(second.check()).isEqualTo(Entry.Waiting.REFUSED);
        assertThat(second.refusal().retryAfter()).contains(Duration.ofSeconds(11));
        assertThat(first.check()).isEqualTo(Duration.ofSeconds(9).toNanos());
        time.advance(Duration.ofSeconds(9));
        assertThat(first.check()).isEqualTo(Entry.Waiting.ADMITTED);
    }

    // ---------------------------------------------------------------------------------------------------------- events

    @Test
    void saysWhenTheRateChanges() {
        AdaptiveRateLimiter limiter = AdaptiveRateLimiter.builder()
                .rate(600, Duration.ofMinutes(1))
                .increase(60)
                .throttleOn(Busy.class)
                .time(time.time())
                .build();
        List<Event.RateChanged> events = new ArrayList<>();
        limiter.events().subscribe(Event.RateChanged.class, events::add);
        succeeds(limiter, 1);
        fails(limiter, new Busy());
        fails(limiter, new Busy());
        succeeds(limiter, 6);
        assertThat(events).extracting(Event.RateChanged::toPerSecond).containsExactly(5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
        assertThat(events).extracting(Event.RateChanged::fromPerSecond).startsWith(10.0, 5.0);
    }

    @Test
    void changesByManyThreadsAreToldInTheirOrder() throws Exception {
        AdaptiveRateLimiter limiter =
                limiter(50).window(Duration.ZERO).increase(1).build();
        List<Event.RateChanged> events = new CopyOnWriteArrayList<>();
        limiter.events().subscribe(Event.RateChanged.class, events::add);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean bad = i == 0;
            threads.add(new Thread(() -> {
                for (int call = 0; call < 300; call++) {
                    ends(limiter, "fine", bad ? new Busy() : null);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        double rate = 50;
        for (Event.RateChanged each : events) {
            assertThat(each.fromPerSecond()).isEqualTo(rate);
            rate = each.toPerSecond();
        }
        assertThat(limiter.ratePerSecond()).isEqualTo(rate);
    }

    @Test
    void saysWhoWaitsAndWhoIsRefused() {
        AdaptiveRateLimiter limiter = limiter(1).maxWait(SECOND).build();
        List<Event> events = new ArrayList<>();
        limiter.events().subscribe(events::add);
        Desk desk = new Desk(limiter, time);
        desk.ask();
        desk.ask();
        desk.ask();
        Event.Stamp stamp = new Event.Stamp("adapt", time.nanos(), time.wallTime());
        assertThat(events)
                .containsExactly(
                        new Event.RateLimiterWaited(stamp, 1_000_000_000),
                        new Event.RateLimiterRefused(stamp, 2_000_000_000));
        assertThat(limiter.queued()).isEqualTo(1);
    }
}
