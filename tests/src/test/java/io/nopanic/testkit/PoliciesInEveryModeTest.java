package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.hedge.Hedge;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Backoff;
import io.nopanic.retry.Retry;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The policies together, with several calls in flight: the same moments and the same answers in every mode. */
@org.junit.jupiter.api.Timeout(60)
class PoliciesInEveryModeTest {

    private final VirtualTime time = VirtualTime.manual();

    @ParameterizedTest
    @EnumSource(Mode.class)
    void opensHalfOpensAndCloses(Mode mode) {
        CircuitBreaker breaker = CircuitBreaker.builder().time(time.time()).build();
        RecordedEvents events = RecordedEvents.of(breaker);
        Guarded service = mode.guard(
                Pipeline.of(breaker),
                time,
                ScriptedDependency.on(time)
                        .fail(6)
                        .slow(Duration.ofSeconds(1), "slow probe")
                        .thenSucceed("ok"));
        assertThat(service.call(6)).last().extracting(Answer::error).isInstanceOf(CircuitOpenException.class);
        assertThat(service.callAfter(Duration.ofSeconds(30)).error()).isInstanceOf(ScriptedFailure.class);
        time.advance(Duration.ofSeconds(30));
        GuardedCall probe = service.start();
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        assertThat(service.call().refused()).isTrue();
        assertThat(probe.answer()).isEqualTo(new Answer("slow probe", null, Duration.ofSeconds(1)));
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(service.dependency().calls()).isEqualTo(7);
        assertThat(events.all(Event.BreakerStateChanged.class))
                .extracting(Event.BreakerStateChanged::to)
                .containsExactly(
                        CircuitState.OPEN,
                        CircuitState.HALF_OPEN,
                        CircuitState.OPEN,
                        CircuitState.HALF_OPEN,
                        CircuitState.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void waitsInLineForTheBulkhead(Mode mode) {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(3)
                .maxWait(Duration.ofMillis(2_500))
                .time(time.time())
                .build();
        Guarded service = mode.guard(
                Pipeline.of(bulkhead), time, ScriptedDependency.on(time).thenSlow(Duration.ofSeconds(1), "ok"));
        List<GuardedCall> calls = service.start(5);
        assertThat(bulkhead.queued()).isEqualTo(3);
        assertThat(calls.get(4).answer().error()).isInstanceOf(BulkheadFullException.class);
        time.advance(Duration.ofSeconds(10));
        assertThat(calls)
                .extracting(call -> call.answer().took())
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofMillis(2_500),
                        Duration.ZERO);
        assertThat(calls.get(3).answer().refused()).isTrue();
        assertThat(service.dependency().maxInFlight()).isEqualTo(1);
        assertThat(service.dependency().calls()).isEqualTo(3);
        assertThat(bulkhead.available()).isEqualTo(1);
        assertThat(time.pendingTimers()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aWaiterThatIsCancelledGivesItsPlaceToTheNext(Mode mode) {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(2)
                .maxWait(Duration.ofSeconds(10))
                .time(time.time())
                .build();
        Guarded service = mode.guard(
                Pipeline.of(bulkhead), time, ScriptedDependency.on(time).thenSlow(Duration.ofSeconds(1), "ok"));
        List<GuardedCall> calls = service.start(3);
        calls.get(1).cancel();
        assertThat(calls.get(1).answer().cancelled()).isTrue();
        assertThat(calls.get(2).answer()).isEqualTo(new Answer("ok", null, Duration.ofSeconds(2)));
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void waitsItsTurnAtTheRateLimiter(Mode mode) {
        RateLimiter limiter = RateLimiter.builder()
                .rate(1, Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(2))
                .time(time.time())
                .build();
        Guarded service = mode.guard(
                Pipeline.of(limiter), time, ScriptedDependency.on(time).thenSucceed("ok"));
        List<GuardedCall> calls = service.start(4);
        assertThat(calls.get(3).answer().refused()).isTrue();
        assertThat(time.elapsed()).isZero();
        time.advance(Duration.ofSeconds(10));
        assertThat(calls)
                .extracting(call -> call.answer().took())
                .containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ZERO);
        assertThat(time.pendingTimers()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void retriesAroundTimeoutsWithinATotalTime(Mode mode) {
        Retry retry = Retry.builder()
                .attempts(5)
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .time(time.time())
                .build();
        Guarded service = mode.guard(
                Pipeline.of(Timeout.of(Duration.ofSeconds(10)), retry, Timeout.of(Duration.ofSeconds(2))),
                time,
                ScriptedDependency.on(time).fail(1).thenHang());
        Answer answer = service.call();
        assertThat(answer.error()).isInstanceOf(TimeoutExceededException.class);
        assertThat(service.dependency().calledAt())
                .containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(7));
        assertThat(service.dependency().cancelled()).isEqualTo(3);
        assertThat(service.dependency().inFlight()).isZero();
        assertThat(time.pendingTimers()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void hedgesACallThatIsSlow(Mode mode) {
        Hedge hedge = Hedge.builder()
                .delay(Duration.ofMillis(100))
                .executor(time.threads())
                .time(time.time())
                .build();
        Guarded service = mode.guard(
                Pipeline.of(hedge),
                time,
                ScriptedDependency.on(time).slow(Duration.ofSeconds(5), "slow").slow(Duration.ofMillis(50), "hedge"));
        assertThat(service.call()).isEqualTo(new Answer("hedge", null, Duration.ofMillis(150)));
        time.settle();
        assertThat(service.dependency().calledAt()).containsExactly(Duration.ZERO, Duration.ofMillis(100));
        assertThat(service.dependency().cancelled()).isEqualTo(1);
        assertThat(service.dependency().inFlight()).isZero();
    }
}
