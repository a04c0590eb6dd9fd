package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nopanic.CallMode;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Policy;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limiter under the engine, for blocking and for asynchronous calls. */
@Timeout(60)
class RateLimiterPipelineTest extends RateLimiterScene {

    private static Pipeline pipeline(Policy policy) {
        return Pipeline.builder()
                .name("orders")
                .with(policy)
                .executor(Runnable::run)
                .build();
    }

    private static CompletableFuture<Integer> call(Pipeline pipeline, AtomicInteger started) {
        return pipeline.callAsync(() -> CompletableFuture.completedFuture(started.incrementAndGet()));
    }

    @Test
    void blockingAndAsynchronousCallsShareTheRate() throws Exception {
        Pipeline pipeline = pipeline(limiter(3, SECOND).build());
        AtomicInteger calls = new AtomicInteger();
        assertThat(pipeline.call(calls::incrementAndGet)).isEqualTo(1);
        assertThat(call(pipeline, calls)).isCompletedWithValue(2);
        assertThat(pipeline.<Integer>get(calls::incrementAndGet)).isEqualTo(3);
        assertThatThrownBy(() -> pipeline.call(calls::incrementAndGet)).isInstanceOf(RateLimitedException.class);
        assertThat(catchThrowable(call(pipeline, calls)::join))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(RateLimitedException.class, refusal -> {
                    assertThat(refusal.policy()).isEqualTo("limit");
                    assertThat(refusal.pipeline()).isEqualTo("orders");
                    assertThat(refusal.retryAfter()).contains(Duration.ofNanos(333_333_334));
                });
        assertThat(calls).hasValue(3);
    }

    @Test
    void asynchronousCallsComeInAtTheirTimeAndInTheirOrder() {
        Pipeline pipeline = pipeline(limiter(1, SECOND).unlimitedWait().build());
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "call " + i;
            pipeline.callAsync(() -> CompletableFuture.completedFuture(seen.add(name + " at " + time.elapsed())));
        }
        time.advance(Duration.ofSeconds(10));
        assertThat(seen).containsExactly("call 0 at PT0S", "call 1 at PT1S", "call 2 at PT2S", "call 3 at PT3S");
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aBlockingCallWaitsForItsPermit() throws Exception {
        VirtualTime own = VirtualTime.create();
        Pipeline pipeline = pipeline(RateLimiter.builder()
                .rate(10, SECOND)
                .burst(1)
                .maxWait(SECOND)
                .time(own.time())
                .build());
        List<Duration> in = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pipeline.call(() -> in.add(own.elapsed()));
        }
        assertThat(in).containsExactly(Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(200));
    }

    @Test
    void aCancelledCallGivesItsPlaceBackAndThoseBehindMoveUp() {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().build();
        Pipeline pipeline = pipeline(limiter);
        AtomicInteger calls = new AtomicInteger();
        call(pipeline, calls);
        CompletableFuture<Integer> second = call(pipeline, calls);
        CompletableFuture<Integer> third = call(pipeline, calls);
        CompletableFuture<Integer> fourth = call(pipeline, calls);
        CompletableFuture<Integer> fifth = call(pipeline, calls);
        second.cancel(false);
        third.cancel(false);
        assertThat(limiter.queued()).isEqualTo(2);
        time.advance(SECOND);
        assertThat(fourth).isCompletedWithValue(2);
        time.advance(SECOND);
        assertThat(fifth).isCompletedWithValue(3);
        assertThatThrownBy(second::join).isInstanceOf(CancellationException.class);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void anInterruptedCallGivesItsPlaceBackAndThoseBehindMoveUp() throws InterruptedException {
        RateLimiter limiter = limiter(1, SECOND).unlimitedWait().build();
        Pipeline pipeline = pipeline(limiter);
        AtomicInteger calls = new AtomicInteger();
        call(pipeline, calls);
        List<Throwable> thrown = new ArrayList<>();
        Thread waiting = new Thread(() -> thrown.add(catchThrowable(() -> pipeline.call(calls::incrementAndGet))));
        waiting.start();
        time.awaitParked(1);
        CompletableFuture<Integer> behind = call(pipeline, calls);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown).singleElement().isInstanceOf(InterruptedException.class);
        time.advance(SECOND);
        assertThat(behind).isCompletedWithValue(2);
        assertThat(limiter.queued()).isZero();
    }

    @Test
    void aHundredThousandCallsThatWaitRunWithoutGrowingTheStack() {
        RateLimiter limiter =
                limiter(1, Duration.ofNanos(10)).burst(100_000).unlimitedWait().build();
        Pipeline pipeline = pipeline(limiter);
        assertThat(limiter.tryTake(100_000)).isTrue();
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Integer> last = CompletableFuture.completedFuture(0);
        for (int i = 0; i < 100_000; i++) {
            last = call(pipeline, calls);
        }
        assertThat(calls).hasValue(0);
        time.advance(Duration.ofMillis(1));
        assertThat(last).isCompletedWithValue(100_000);
        assertThat(limiter.queued()).isZero();
    }

    @Test
    void aWeightedViewStandsInAPipelineOfItsOwn() throws Exception {
        RateLimiter limiter = limiter(10, SECOND).build();
        Pipeline light = pipeline(limiter);
        Pipeline heavy = pipeline(limiter.weighted(8));
        assertThat(heavy.call(() -> "one")).isEqualTo("one");
        assertThatThrownBy(() -> heavy.call(() -> "two"))
                .isInstanceOfSatisfying(
                        RateLimitedException.class,
                        refusal -> assertThat(refusal.retryAfter()).contains(Duration.ofMillis(600)));
        assertThat(light.call(() -> "three")).isEqualTo("three");
        assertThat(limiter.availablePermits()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(CallMode.class)
    void everyCallUsesUpAPermitHoweverItEnds(CallMode mode) throws Exception {
        RateLimiter limiter = limiter(3, SECOND).build();
        Pipeline pipeline = pipeline(limiter);
        IOException failure = new IOException();
        StackOverflowError error = new StackOverflowError();
        assertThat(mode.call(pipeline, () -> "fine")).isEqualTo("fine");
        assertThatThrownBy(() -> mode.call(pipeline, CallMode.failing(failure))).isSameAs(failure);
        assertThatThrownBy(() -> mode.call(pipeline, CallMode.failing(error))).isSameAs(error);
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> mode.call(pipeline, calls::incrementAndGet)).isInstanceOf(RateLimitedException.class);
        assertThat(calls).hasValue(0);
        time.advance(SECOND);
        assertThat(limiter.availablePermits()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(CallMode.class)
    void anAdaptiveLimiterHearsWhatEveryCallSays(CallMode mode) throws Exception {
        AdaptiveRateLimiter limiter = AdaptiveRateLimiter.builder()
                .rate(10, SECOND)
                .increase(1)
                .throttleOn(IOException.class)
                .throttleOnResult(Integer.class, status -> status == 429)
                .time(time.time())
                .build();
        Pipeline pipeline = pipeline(limiter);
        assertThatThrownBy(() -> mode.call(pipeline, CallMode.failing(new IOException())))
                .isInstanceOf(IOException.class);
        assertThat(limiter.ratePerSecond()).isEqualTo(5);
        time.advance(SECOND);
        assertThat(mode.call(pipeline, () -> 429)).isEqualTo(429);
        assertThat(limiter.ratePerSecond()).isEqualTo(2.5);
        assertThat(mode.call(pipeline, () -> 200)).isEqualTo(200);
        assertThat(limiter.ratePerSecond()).isEqualTo(3.5);
        RateLimiter empty = limiter(1, SECOND).build();
        assertThat(empty.tryTake()).isTrue();
        Pipeline refusing = Pipeline.builder()
                .with(limiter)
                .with(empty)
                .executor(Runnable::run)
                .build();
        assertThatThrownBy(() -> mode.call(refusing, () -> "never")).isInstanceOf(RateLimitedException.class);
        assertThat(limiter.ratePerSecond()).isEqualTo(3.5);
    }
}
