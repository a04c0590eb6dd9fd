package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.fallback.Fallback;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.spi.Policy;
import io.nopanic.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a call reads the clock, which is most of what guarding it costs. */
class ClockReadingsTest {

    private static final Callable<String> GOOD = () -> "value";
    private static final Callable<String> BAD = () -> {
        throw new IllegalStateException("down");
    };

    private static final Callable<String> THROTTLED = () -> {
        throw new IOException("slow down");
    };

    private long nowNanos = 1;
    private int readings;

    private final Time time = Time.of(
            () -> {
                readings++;
                return nowNanos;
            },
            (delayNanos, action) -> () -> false,
            (blocker, nanos) -> {},
            InstantSource.system());

    @Test
    void fourPoliciesReadItOnce() throws Exception {
        assertThat(readingsOf(GOOD, retry(), breaker().build(), limiter(), bulkhead()))
                .isEqualTo(1);
    }

    @Test
    void aBreakerWithATimeWindowReadsItOnce() throws Exception {
        assertThat(readingsOf(GOOD, breaker().build())).isEqualTo(1);
        assertThat(readingsOf(BAD, breaker().build())).isEqualTo(1);
    }

    @Test
    void aBreakerThatWatchesSlowCallsReadsItWhenTheyBeginAndEnd() throws Exception {
        assertThat(readingsOf(GOOD, breaker().slowAfter(Duration.ofSeconds(1)).build()))
                .isEqualTo(2);
    }

    @Test
    void rulesWithoutTimeDoNotReadIt() throws Exception {
        assertThat(readingsOf(
                        GOOD,
                        retry(),
                        breaker().countWindow(10).minimumCalls(10).build(),
                        bulkhead()))
                .isZero();
        assertThat(readingsOf(BAD, breaker().consecutiveFailures(10).build())).isZero();
    }

    @Test
    void aBreakerThatOpensOnEvidenceReadsItForAFailureOnly() throws Exception {
        assertThat(readingsOf(GOOD, adaptive().build())).isZero();
        assertThat(readingsOf(BAD, adaptive().build())).isEqualTo(1);
        assertThat(readingsOf(GOOD, adaptive().slowAfter(Duration.ofSeconds(1)).build()))
                .isEqualTo(2);
    }

    @Test
    void aSuccessAfterAFailureDoesNotReadItEither() throws Exception {
        CircuitBreaker breaker = adaptive().build();
        readingsOf(BAD, breaker);
        assertThat(readingsOf(GOOD, breaker)).isZero();
        assertThat(breaker.snapshot().counts().failures()).isZero();
    }

    @Test
    void anAdaptiveRateLimiterReadsItAgainOnlyForAnOutcomeThatChangesTheRate() throws Exception {
        AdaptiveRateLimiter limiter = AdaptiveRateLimiter.builder()
                .rate(1000, Duration.ofSeconds(1))
                .throttleOn(IOException.class)
                .time(time)
                .build();
        assertThat(readingsOf(GOOD, limiter)).isEqualTo(1);
        assertThat(readingsOf(BAD, limiter)).isEqualTo(1);
        assertThat(readingsOf(THROTTLED, limiter)).isEqualTo(2);
        assertThat(readingsOf(GOOD, limiter)).isEqualTo(2);
        assertThat(limiter.ratePerSecond()).isBetween(500.0, 501.0);
    }

    @Test
    void byHandItIsReadOnceAtMostUnlessAPolicyNeedsTheEnd() throws Exception {
        CircuitBreaker countsCalls = breaker().countWindow(10).minimumCalls(10).build();
        assertThat(readingsByHand(GOOD, countsCalls, bulkhead())).isZero();
        assertThat(readingsByHand(BAD, countsCalls, bulkhead())).isZero();
        assertThat(readingsByHand(GOOD, breaker().build())).isEqualTo(1);
        assertThat(readingsByHand(BAD, breaker().build())).isEqualTo(1);
        assertThat(readingsByHand(GOOD, breaker().build(), limiter(), bulkhead()))
                .isEqualTo(1);
        assertThat(readingsByHand(GOOD, limiter(), bulkhead(), limiter())).isEqualTo(1);
    }

    @Test
    void byHandOneReadingTellsAllPoliciesTheEnd() throws Exception {
        Policy[] policies = {
            breaker().slowAfter(Duration.ofSeconds(1)).build(),
            breaker().build(),
            breaker().slowAfter(Duration.ofSeconds(1)).build()
        };
        assertThat(readingsByHand(GOOD, policies)).isEqualTo(2);
    }

    @Test
    void byHandTheReadingAtTheEndTellsPoliciesFurtherOutToo() throws Exception {
        CircuitBreaker inner = breaker().slowAfter(Duration.ofSeconds(1)).build();
        CircuitBreaker outer = breaker().build();
        Permit permit = Pipeline.of(outer, inner).admit();
        nowNanos += Duration.ofSeconds(29).toNanos();
        permit.succeeded("value");
        assertThat(inner.snapshot().counts().slow()).isEqualTo(1);
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(outer.snapshot().counts().calls()).isEqualTo(1);
    }

    @Test
    void aReadingThatAListenerNeedsServesThePoliciesToo() throws Exception {
        assertThat(readingsOfListened(GOOD, bulkhead())).isEqualTo(2);
        assertThat(readingsOfListened(GOOD, breaker().build())).isEqualTo(3);
        assertThat(readingsOfListened(GOOD, retry(), breaker().build(), limiter(), bulkhead()))
                .isEqualTo(2);
        assertThat(readingsOfListened(BAD, breaker().build(), limiter())).isEqualTo(3);
    }

    @Test
    void aFailureCountsWhenItEndsEvenIfTheClockWasReadBefore() throws Exception {
        CircuitBreaker breaker = breaker().minimumCalls(2).build();
        Pipeline pipeline = Pipeline.of(breaker, limiter());
        endsAfter(pipeline, Duration.ofSeconds(29), BAD);
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(1);
    }

    @Test
    void aSuccessMayCountWhenItBegan() throws Exception {
        CircuitBreaker breaker = breaker().build();
        Pipeline pipeline = Pipeline.of(breaker, limiter());
        endsAfter(pipeline, Duration.ofSeconds(29), GOOD);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
        nowNanos += Duration.ofSeconds(5).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isZero();
    }

    @Test
    void aSuccessCountsNoEarlierThanTheLastCallThatBegan() throws Exception {
        CircuitBreaker breaker = breaker().build();
        Pipeline pipeline = Pipeline.of(breaker, limiter());
        pipeline.call(() -> {
            nowNanos += Duration.ofSeconds(29).toNanos();
            return pipeline.call(GOOD);
        });
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(2);
    }

    @Test
    void longCallsThatSucceedStillCountWhenSomeFail() throws Exception {
        CircuitBreaker breaker = breaker().build();
        Pipeline pipeline = Pipeline.of(breaker, limiter());
        longCalls(pipeline, 400);
        for (int i = 0; i < 5; i++) {
            catchThrowable(() -> pipeline.call(BAD));
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    /** Ten calls begin in every second, and each takes as many calls' time as are on the stack: the last to begin ends first. */
    private void longCalls(Pipeline pipeline, int depth) throws Exception {
        if (depth > 0) {
            pipeline.call(() -> {
                nowNanos += Duration.ofMillis(100).toNanos();
                longCalls(pipeline, depth - 1);
                return "value";
            });
        }
    }

    @Test
    void aSuccessCountsNoEarlierThanTheLastFailure() throws Exception {
        CircuitBreaker breaker = breaker().build();
        Pipeline pipeline = Pipeline.of(breaker, limiter());
        pipeline.call(() -> {
            nowNanos += Duration.ofSeconds(29).toNanos();
            catchThrowable(() -> pipeline.call(BAD));
            return "value";
        });
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(2);
    }

    @Test
    void aSuccessOfABreakerAloneCountsWhenItEnds() throws Exception {
        CircuitBreaker breaker = breaker().build();
        endsAfter(Pipeline.of(breaker), Duration.ofSeconds(29), GOOD);
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
    }

    @Test
    void whoListensDoesNotChangeWhenASuccessCounts() throws Exception {
        CircuitBreaker breaker = breaker().build();
        Pipeline pipeline = Pipeline.of(breaker);
        pipeline.events().subscribe(event -> {});
        endsAfter(pipeline, Duration.ofSeconds(29), GOOD);
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
    }

    /** How a pipeline is called: by code that blocks, or by code that returns a stage. */
    private enum Way {
        BLOCKING,
        STAGED;

        void call(Pipeline pipeline, Callable<String> code) {
            catchThrowable(() -> {
                if (this == BLOCKING) {
                    pipeline.call(code);
                } else {
                    pipeline.callAsync(() -> ended(code)).join();
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aLaterAttemptThatSucceedsCountsWhenItEnds(Way way) {
        CircuitBreaker breaker = breaker().build();
        Retry retry = Retry.builder().time(time).backoff(Backoff.none()).build();
        Iterator<Callable<String>> attempts =
                List.of(BAD, goodAfter(Duration.ofSeconds(29))).iterator();
        way.call(Pipeline.of(retry, breaker), () -> attempts.next().call());
        nowNanos += Duration.ofSeconds(20).toNanos();
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aFallbackThatTakesLongMakesTheCallSlow(Way way) {
        CircuitBreaker breaker = breaker().slowAfter(Duration.ofSeconds(1)).build();
        Fallback<String> fallback = Fallback.ofFunction(failure -> callUnchecked(goodAfter(Duration.ofSeconds(5))));
        way.call(Pipeline.of(breaker, fallback), BAD);
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(1);
    }

    private Callable<String> goodAfter(Duration duration) {
        return () -> {
            nowNanos += duration.toNanos();
            return "value";
        };
    }

    private static String callUnchecked(Callable<String> code) {
        try {
            return code.call();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void endsAfter(Pipeline pipeline, Duration duration, Callable<String> code) {
        catchThrowable(() -> pipeline.call(() -> {
            nowNanos += duration.toNanos();
            return code.call();
        }));
    }

    private int readingsOf(Callable<String> code, Policy... policies) {
        Pipeline pipeline = Pipeline.of(policies);
        readings = 0;
        catchThrowable(() -> pipeline.call(code));
        return readings;
    }

    private int readingsByHand(Callable<String> code, Policy... policies) throws Exception {
        Pipeline pipeline = Pipeline.of(policies);
        readings = 0;
        try (Permit permit = pipeline.admit()) {
            try {
                permit.succeeded(code.call());
            } catch (Exception failure) {
                permit.failed(failure);
            }
        }
        return readings;
    }

    /** The same for a blocking call and one that is complete at once. */
    private int readingsOfListened(Callable<String> code, Policy... policies) throws Exception {
        Pipeline.Builder builder = Pipeline.builder().time(time);
        List.of(policies).forEach(builder::with);
        Pipeline pipeline = builder.build();
        List<Event> heard = new ArrayList<>();
        pipeline.events().subscribe(heard::add);
        readings = 0;
        catchThrowable(() -> pipeline.call(code));
        int blocking = readings;
        readings = 0;
        catchThrowable(() -> pipeline.callAsync(() -> ended(code)).join());
        assertThat(readings).isEqualTo(blocking);
        assertThat(heard).hasSize(2);
        return blocking;
    }

    private static CompletableFuture<String> ended(Callable<String> code) {
        try {
            return CompletableFuture.completedFuture(code.call());
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private CircuitBreakerBuilder breaker() {
        return CircuitBreaker.builder().time(time);
    }

    private CircuitBreakerBuilder adaptive() {
        return CircuitBreaker.adaptive().time(time);
    }

    private Retry retry() {
        return Retry.builder().time(time).build();
    }

    private RateLimiter limiter() {
        return RateLimiter.builder()
                .rate(1000, Duration.ofSeconds(1))
                .time(time)
                .build();
    }

    private Bulkhead bulkhead() {
        return Bulkhead.of(10);
    }
}
