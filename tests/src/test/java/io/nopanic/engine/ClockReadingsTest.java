package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitBreakerBuilder;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Retry;
import io.nopanic.spi.Policy;
import io.nopanic.time.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** How often a call reads the clock, which is most of what guarding it costs. */
class ClockReadingsTest {

    private static final Callable<String> GOOD = () -> "value";
    private static final Callable<String> BAD = () -> {
        throw new IllegalStateException("down");
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
