package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CircuitBreakerTest {

    private static final Duration OPEN = Duration.ofSeconds(30);

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder() {
        return CircuitBreaker.builder().name("db").time(time.time());
    }

    private static void succeed(Pipeline pipeline, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            pipeline.call(() -> "ok");
        }
    }

    private static void fail(Pipeline pipeline, int times) {
        for (int i = 0; i < times; i++) {
            assertThatThrownBy(() -> pipeline.call(() -> {
                        throw new IOException("down");
                    }))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 0, 4, CLOSED", "1.0, 0, 5, OPEN", "1.0, 1, 9, CLOSED",
        "0.5, 5, 4, CLOSED", "0.5, 5, 5, OPEN", "0.07, 93, 6, CLOSED",
        "0.07, 93, 7, OPEN", "0.01, 99, 1, OPEN", "0.6, 2, 3, OPEN"
    })
    void opensWhenTheFailureRateReachesTheThreshold(double rate, int successes, int failures, CircuitState expected)
            throws Exception {
        for (CircuitBreaker breaker : List.of(
                builder().failureRate(rate).build(),
                builder().failureRate(rate).countWindow(100).build())) {
            Pipeline pipeline = Pipeline.of(breaker);
            succeed(pipeline, successes);
            fail(pipeline, failures);
            assertThat(breaker.state()).isEqualTo(expected);
        }
    }

    @Test
    void successesAloneNeverOpenIt() throws Exception {
        CircuitBreaker breaker = builder().failureRate(0.5).minimumCalls(10).build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 9);
        succeed(pipeline, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(breaker.snapshot().counts().failureRate()).isEqualTo(0.9);
    }

    @Test
    void refusesWhileOpenAndTellsWhenToComeBack() {
        CircuitBreaker breaker = builder().consecutiveFailures(3).openFor(OPEN).build();
        Pipeline pipeline = Pipeline.builder().name("orders").with(breaker).build();
        fail(pipeline, 3);
        time.advance(Duration.ofSeconds(10));
        assertThatThrownBy(() -> pipeline.call(() -> "never")).isInstanceOfSatisfying(CircuitOpenException.class, e -> {
            assertThat(e.retryAfter()).contains(Duration.ofSeconds(20));
            assertThat(e.policy()).isEqualTo("db");
            assertThat(e.pipeline()).isEqualTo("orders");
            assertThat(e.state()).isEqualTo(CircuitState.OPEN);
            assertThat(e).hasCauseInstanceOf(IOException.class);
            assertThat(e.getStackTrace()).isEmpty();
        });
        assertThat(breaker.snapshot().refused()).isEqualTo(1);
    }

    @Test
    void stateAgreesWithTheClockWithoutACall() {
        CircuitBreaker breaker = builder().consecutiveFailures(1).openFor(OPEN).build();
        fail(Pipeline.of(breaker), 1);
        time.advance(OPEN.minusNanos(1));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }

    @Test
    void closesAfterAllProbesSucceedAndForgetsTheWindow() throws Exception {
        CircuitBreaker breaker =
                builder().consecutiveFailures(1).openFor(OPEN).probes(2).build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 1);
        time.advance(OPEN);
        succeed(pipeline, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        succeed(pipeline, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(breaker.snapshot().counts().calls()).isZero();
    }

    @Test
    void opensAgainForLongerEachTimeAProbeFails() {
        CircuitBreaker breaker = builder()
                .consecutiveFailures(1)
                .openFor(Duration.ofSeconds(1))
                .openGrowth(2, Duration.ofSeconds(5))
                .build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 1);
        for (int seconds : new int[] {1, 2, 4, 5, 5}) {
            assertThat(breaker.snapshot().retryAfter()).contains(Duration.ofSeconds(seconds));
            time.advance(Duration.ofSeconds(seconds));
            fail(pipeline, 1);
        }
    }

    @Test
    void aProbeThatNeverReturnsIsReclaimedAndCountsAsFailed() throws Exception {
        CircuitBreaker breaker = builder()
                .consecutiveFailures(1)
                .openFor(OPEN)
                .probeTimeout(Duration.ofSeconds(2))
                .build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 1);
        time.advance(OPEN);
        Permit hanging = pipeline.admit();
        time.advance(Duration.ofSeconds(2));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        hanging.succeeded(null);
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(breaker.snapshot().lateOutcomes()).isEqualTo(1);
        time.advance(OPEN);
        succeed(pipeline, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void anOutcomeOfAnEarlierStateChangesNothing() throws Exception {
        CircuitBreaker breaker = builder().consecutiveFailures(2).openFor(OPEN).build();
        Pipeline pipeline = Pipeline.of(breaker);
        Permit old = pipeline.admit();
        fail(pipeline, 2);
        time.advance(OPEN);
        Permit probe = pipeline.admit();
        old.succeeded("late");
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        probe.failed(new IOException());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void lateFailuresNeitherTripAgainNorPushOutTheProbe() throws Exception {
        List<Event> events = new ArrayList<>();
        CircuitBreaker breaker =
                builder().consecutiveFailures(3).openFor(Duration.ofSeconds(10)).build();
        breaker.events().subscribe(Event.BreakerStateChanged.class, events::add);
        Pipeline pipeline = Pipeline.of(breaker);
        List<Permit> calls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            calls.add(pipeline.admit());
        }
        calls.subList(0, 3).forEach(call -> call.failed(new IOException()));
        for (Permit call : calls.subList(3, 10)) {
            time.advance(Duration.ofSeconds(1));
            call.failed(new IOException());
        }
        assertThat(events).hasSize(1);
        time.advance(Duration.ofSeconds(3));
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }

    @Test
    void callsInFlightCountAsSlowBeforeTheyReturn() throws Exception {
        CircuitBreaker breaker = builder()
                .slowAfter(Duration.ofSeconds(1))
                .slowCallRate(1.0)
                .minimumCalls(5)
                .build();
        Pipeline pipeline = Pipeline.of(breaker);
        for (int i = 0; i < 5; i++) {
            pipeline.admit();
        }
        time.advance(Duration.ofMillis(990));
        pipeline.admit();
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(breaker.snapshot().inFlight()).hasValue(6);
        time.advance(Duration.ofMillis(1000 / 32 + 11));
        assertThatThrownBy(pipeline::admit).isInstanceOf(CircuitOpenException.class);
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(5);
    }

    @Test
    void aCallInFlightThatWasCountedAsSlowIsCountedOnceWhenItReturns() throws Exception {
        CircuitBreaker breaker = builder().slowAfter(Duration.ofSeconds(1)).build();
        Pipeline pipeline = Pipeline.of(breaker);
        Permit call = pipeline.admit();
        time.advance(Duration.ofSeconds(100));
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(1);
        call.succeeded("ok");
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(1);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(1);
        Permit cancelled = pipeline.admit();
        time.advance(Duration.ofSeconds(2));
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(2);
        cancelled.close();
        assertThat(breaker.snapshot().counts().slow()).isEqualTo(1);
        assertThat(breaker.snapshot().inFlight()).hasValue(0);
    }

    @Test
    void timeoutsFailuresAndSlowCallsAreCountedApart() throws Exception {
        CircuitBreaker breaker =
                builder().minimumCalls(100).slowAfter(Duration.ofSeconds(1)).build();
        Pipeline pipeline = Pipeline.of(breaker);
        pipeline.admit().failed(new IOException());
        pipeline.admit().failed(new TimeoutException());
        Permit slow = pipeline.admit();
        Permit slowFailure = pipeline.admit();
        time.advance(Duration.ofSeconds(1));
        slow.succeeded(1);
        slowFailure.failed(new IOException());
        pipeline.admit().succeeded(1);
        var counts = breaker.snapshot().counts();
        assertThat(counts.calls()).isEqualTo(5);
        assertThat(counts.failures()).isEqualTo(3);
        assertThat(counts.timeouts()).isEqualTo(1);
        assertThat(counts.slow()).isEqualTo(2);
        assertThat(counts.failedOrSlow()).isEqualTo(4);
    }

    @Test
    void outcomesLeaveTheWindowWithTheirBucket() throws Exception {
        CircuitBreaker breaker = builder()
                .minimumCalls(100)
                .timeWindow(Duration.ofSeconds(30), 10)
                .build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 7);
        time.advance(Duration.ofSeconds(29));
        succeed(pipeline, 3);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(10);
        time.advance(Duration.ofSeconds(1));
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(3);
        time.advance(Duration.ofDays(1));
        assertThat(breaker.snapshot().counts().calls()).isZero();
    }

    @Test
    void aCountWindowForgetsTheOldestCall() throws Exception {
        CircuitBreaker breaker =
                builder().countWindow(10).minimumCalls(10).failureRate(0.6).build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 5);
        succeed(pipeline, 5);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(5);
        fail(pipeline, 5);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(5);
        succeed(pipeline, 3);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(10);
        fail(pipeline, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void byHandIsIdempotentAndOutlivesTheClock() {
        List<Event.BreakerStateChanged> events = new ArrayList<>();
        CircuitBreaker breaker = builder().consecutiveFailures(1).openFor(OPEN).build();
        breaker.events().subscribe(Event.BreakerStateChanged.class, events::add);
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 1);
        breaker.forceOpen();
        breaker.forceOpen();
        time.advance(OPEN.multipliedBy(10));
        assertThat(breaker.state()).isEqualTo(CircuitState.FORCED_OPEN);
        breaker.forceClosed();
        fail(pipeline, 50);
        assertThat(breaker.state()).isEqualTo(CircuitState.FORCED_CLOSED);
        assertThat(breaker.snapshot().counts().calls()).isEqualTo(50);
        breaker.reset();
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(events)
                .extracting(Event.BreakerStateChanged::to)
                .containsExactly(
                        CircuitState.OPEN, CircuitState.FORCED_OPEN, CircuitState.FORCED_CLOSED, CircuitState.CLOSED);
    }

    @Test
    void aHintOfTheFailureLengthensTheOpenTimeUpToTheCap() {
        class Throttled extends RuntimeException implements io.nopanic.outcome.HasRetryAfter {
            final Duration hint;

            Throttled(Duration hint) {
                this.hint = hint;
            }

            @Override
            public java.util.Optional<Duration> retryAfter() {
                return java.util.Optional.of(hint);
            }
        }
        for (var expected : List.of(
                new Duration[] {Duration.ofSeconds(1), OPEN},
                new Duration[] {Duration.ofSeconds(45), Duration.ofSeconds(45)},
                new Duration[] {Duration.ofDays(999), Duration.ofSeconds(60)})) {
            CircuitBreaker breaker =
                    builder().consecutiveFailures(1).openFor(OPEN).build();
            assertThatThrownBy(() -> Pipeline.of(breaker).run(() -> {
                        throw new Throttled(expected[0]);
                    }))
                    .isInstanceOf(Throttled.class);
            assertThat(breaker.snapshot().retryAfter()).contains(expected[1]);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 0.5, 4, CLOSED", "10, 0.5, 5, OPEN", "3, 0, 1, OPEN", "10, 1.0, 9, CLOSED"})
    void judgesProbesByRateWhenToldTo(int probes, double rate, int failures, CircuitState expected) throws Exception {
        CircuitBreakerBuilder builder =
                builder().consecutiveFailures(1).openFor(OPEN).probes(probes);
        CircuitBreaker breaker = (rate > 0 ? builder.probeFailureRate(rate) : builder).build();
        Pipeline pipeline = Pipeline.of(breaker);
        fail(pipeline, 1);
        time.advance(OPEN);
        List<Permit> out = new ArrayList<>();
        for (int i = 0; i < probes; i++) {
            out.add(pipeline.admit());
        }
        out.subList(0, failures).forEach(probe -> probe.failed(new IOException()));
        out.subList(failures, probes).forEach(probe -> probe.succeeded(1));
        assertThat(breaker.state()).isEqualTo(expected);
    }
}
