package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.engine.Stubs.Copies;
import io.nopanic.engine.Stubs.Gate;
import io.nopanic.engine.Stubs.Limit;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Policy;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A clock or a timer that throws keeps no permit, and leaves no caller without an answer. */
@Timeout(60)
class FaultyClockTest {

    private static final long MS = 1_000_000;

    private final VirtualTime time = VirtualTime.create();
    private final AtomicBoolean clockThrows = new AtomicBoolean();
    private final AtomicBoolean clockIsBroken = new AtomicBoolean();
    private final Gate outer = new Gate();
    private final Gate inner = new Gate();

    /** Throws once after each time that it is told to, or for good. */
    private final Time fragile = time.time().withTicker(() -> {
        if (clockThrows.getAndSet(false) || clockIsBroken.get()) {
            throw new IllegalStateException("no clock");
        }
        return time.nanos();
    });

    private final Time withoutTimers = Time.of(
                    time::nanos,
                    (delayNanos, action) -> {
                        throw new OutOfMemoryError("unable to create native thread");
                    },
                    (blocker, nanos) -> {},
                    () -> Instant.EPOCH)
            .withExecutor(Runnable::run);

    private static Pipeline pipeline(Time time, Policy... policies) {
        Pipeline.Builder builder = Pipeline.builder().time(time);
        for (Policy policy : policies) {
            builder.with(policy);
        }
        return builder.build();
    }

    private String failingTheClock() {
        clockThrows.set(true);
        return "value";
    }

    private void assertAllIsBack() {
        assertThat(clockThrows).as("left to throw").isFalse();
        assertThat(outer.held).hasValue(0);
        assertThat(inner.held).hasValue(0);
    }

    @Test
    void permitsOfABlockingCallComeBack() throws Exception {
        assertThat(pipeline(fragile, outer).call(this::failingTheClock)).isEqualTo("value");
        assertAllIsBack();
        assertThat(pipeline(fragile, outer, inner).call(this::failingTheClock)).isEqualTo("value");
        assertAllIsBack();
    }

    @Test
    void permitsOfAnAsynchronousCallComeBack() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(fragile, outer, inner).callAsync(() -> source);
        source.complete(failingTheClock());
        assertThat(call).isCompletedWithValue("value");
        assertAllIsBack();
    }

    @Test
    void permitsOfACallByHandComeBack() throws Exception {
        Permit permit = pipeline(fragile, outer, inner).admit();
        assertThat(permit.succeeded(failingTheClock())).isTrue();
        assertAllIsBack();
    }

    @Test
    void aCallThatWaitsLeavesAtTheTimeThatWasReadLast() {
        time.advance(Duration.ofMillis(5));
        inner.setting = Gate.Setting.WAIT;
        CompletableFuture<String> call =
                pipeline(fragile, outer, inner).callAsync(() -> CompletableFuture.completedFuture("value"));
        clockIsBroken.set(true);
        inner.waiting.wake();
        assertThat(call).isCompletedExceptionally();
        assertThat(inner.left).hasValue(1);
        assertThat(inner.leftNanos).isEqualTo(time.nanos());
        assertAllIsBack();
    }

    @Test
    void aCopyThatEndsMeanwhileWins() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(fragile, new Copies(1, MS)).callAsync(() -> source);
        source.complete(failingTheClock());
        assertThat(call).isCompletedWithValue("value");
    }

    @Test
    void aCopyThatCannotStartLeavesTheCallToTheOthers() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(fragile, new Copies(1, MS)).callAsync(() -> source);
        failingTheClock();
        time.advance(Duration.ofMillis(1));
        assertThat(clockThrows).isFalse();
        source.completeExceptionally(new IOException());
        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aCallWhoseHedgeCannotBeTimedGoesOnWithoutIt() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call =
                pipeline(withoutTimers, new Copies(1, MS)).callAsync(() -> source);
        source.complete("value");
        assertThat(call).isCompletedWithValue("value");
    }

    @Test
    void aTimeoutIsAnAnswerThoughItCannotBeTold() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(fragile, new Limit(MS)).callAsync(() -> source);
        failingTheClock();
        time.advance(Duration.ofMillis(1));
        assertThat(clockThrows).isFalse();
        assertThat(source).isCancelled();
        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aCallThatCannotBeTimedIsGivenUp() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline(withoutTimers, new Limit(MS)).callAsync(() -> source);
        assertThat(call).isCompletedExceptionally();
        assertThat(source).isCancelled();
    }
}
