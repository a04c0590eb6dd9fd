package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.Guarded;
import io.nopanic.testkit.Mode;
import io.nopanic.testkit.ScriptedDependency;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening on evidence: a score of failures against successes. */
class EvidenceTest {

    private static final Duration SLOW = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder(double failureCost, double threshold) {
        return CircuitBreaker.adaptive()
                .time(time.time())
                .failureCost(failureCost)
                .evidenceThreshold(threshold)
                .ignore(IllegalArgumentException.class);
    }

    private static Permit admit(CircuitBreaker breaker) throws InterruptedException {
        return Pipeline.of(breaker).admit();
    }

    private static void fail(CircuitBreaker breaker, int calls) throws InterruptedException {
        for (int i = 0; i < calls; i++) {
            admit(breaker).failed(new IOException());
        }
    }

    private static void succeed(CircuitBreaker breaker, int calls) throws InterruptedException {
        for (int i = 0; i < calls; i++) {
            admit(breaker).succeeded("good");
        }
    }

    private static void assertClosedUntilOneMoreFails(CircuitBreaker breaker) throws InterruptedException {
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        fail(breaker, 1);
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    // ---------------- the score

    @ParameterizedTest
    @CsvSource({"1, 8", "0.1, 1.1", "0.1, 2.2", "10, 40", "2.5, 11.5", "0.07, 0.5", "100, 9.5", "1, 0.05"})
    void tripsOnExactlyTheCallOnWhichTheCostsOfFailuresReachTheThreshold(double cost, double threshold)
            throws Exception {
        SplittableRandom random = new SplittableRandom(99);
        for (int round = 0; round < 200; round++) {
            CircuitBreaker breaker = builder(cost, threshold).build();
            double failureRate = random.nextDouble();
            double score = 0;
            for (int call = 0; call < 1000 && score < threshold - 1e-9; call++) {
                assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
                if (random.nextDouble() < failureRate) {
                    score += cost;
                    fail(breaker, 1);
                } else {
                    score = Math.max(0, score - 1);
                    succeed(breaker, 1);
                }
            }
            assertThat(breaker.state() == CircuitState.OPEN).isEqualTo(score >= threshold - 1e-9);
        }
    }

    @Test
    void costsThatAreNoDecimalFractionsAddUp() throws Exception {
        CircuitBreaker breaker = builder(1 / 3.0, 4).build();
        fail(breaker, 11);
        assertClosedUntilOneMoreFails(breaker);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failuresInARowTripInEveryMode(Mode mode) {
        CircuitBreaker breaker = CircuitBreaker.adaptive().time(time.time()).build();
        Guarded service = mode.guard(
                Pipeline.of(breaker),
                time,
                ScriptedDependency.on(time).fail(8, IOException::new).thenSucceed("ok"));
        service.call(7);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        service.call();
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void successesBeforeAFailureAreWorthNothing() throws Exception {
        CircuitBreaker breaker = builder(1, 5).build();
        succeed(breaker, 1000);
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
        fail(breaker, 4);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void successesAfterFailuresTakeTheEvidenceAwayAndNoMore() throws Exception {
        CircuitBreaker breaker = builder(3, 30).build();
        fail(breaker, 9);
        succeed(breaker, 12);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(9);
        fail(breaker, 4);
        assertClosedUntilOneMoreFails(breaker);

        CircuitBreaker other = builder(3, 30).build();
        fail(other, 9);
        succeed(other, 100);
        assertThat(other.snapshot().counts()).isEqualTo(Counts.NONE);
        fail(other, 9);
        assertClosedUntilOneMoreFails(other);
    }

    @Test
    void showsTheFailuresSinceThereWasNoEvidence() throws Exception {
        CircuitBreaker breaker = builder(1, 100).build();
        fail(breaker, 4);
        succeed(breaker, 2);
        fail(breaker, 1);
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(5, 5, 0, 0, 5));
        succeed(breaker, 3);
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    @Test
    void aMillionFailuresWeighNoMoreThanTheThreshold() throws Exception {
        CircuitBreaker breaker = builder(1, 10_000).build();
        breaker.forceClosed();
        fail(breaker, 100_000);
        assertThat(breaker.state()).isEqualTo(CircuitState.FORCED_CLOSED);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(65_535);
        succeed(breaker, 9_999);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(65_535);
        succeed(breaker, 1);
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    @Test
    void ignoredAndCancelledCallsSayNothing() throws Exception {
        CircuitBreaker breaker = builder(1, 2).build();
        fail(breaker, 1);
        for (int i = 0; i < 20; i++) {
            admit(breaker).failed(new IllegalArgumentException("caller's fault"));
            admit(breaker).failed(new CancellationException());
            admit(breaker).close();
        }
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(1);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void outcomesFromBeforeTheBreakerOpenedOrWasResetAreLate() throws Exception {
        CircuitBreaker breaker = builder(1, 2).build();
        Permit early = admit(breaker);
        Permit other = admit(breaker);
        fail(breaker, 2);
        early.failed(new IOException());
        breaker.reset();
        other.failed(new IOException());
        assertThat(breaker.snapshot().lateOutcomes()).isEqualTo(2);
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
        fail(breaker, 1);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void forcedClosedItCountsAndDoesNotTrip() throws Exception {
        CircuitBreaker breaker = builder(1, 3).slowAfter(SLOW).build();
        breaker.forceClosed();
        fail(breaker, 50);
        List<Permit> hung = List.of(admit(breaker), admit(breaker));
        time.advance(SLOW.multipliedBy(2));
        admit(breaker).close();
        assertThat(breaker.state()).isEqualTo(CircuitState.FORCED_CLOSED);
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(52, 50, 0, 2, 52));
        hung.forEach(Permit::close);
        breaker.reset();
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    // ---------------- fading

    /** Calls fail 5 min apart, to the second; what was there before counts half. */
    @Test
    void evidenceFadesByHalvesAtTheNextFailure() throws Exception {
        Duration halfLife = Duration.ofSeconds(302);
        CircuitBreaker breaker = builder(1, 8).build();
        fail(breaker, 6);
        time.advance(halfLife);
        fail(breaker, 4); // 3 + 4
        assertClosedUntilOneMoreFails(breaker);

        CircuitBreaker other = builder(1, 8).build();
        fail(other, 7);
        time.advance(halfLife.multipliedBy(3));
        fail(other, 7); // 7/8 + 7
        assertClosedUntilOneMoreFails(other);
    }

    @Test
    void evidenceDoesNotFadeWithinTheHalfLifeNorBySuccesses() throws Exception {
        CircuitBreaker breaker = builder(1, 8).build();
        fail(breaker, 4);
        time.advance(Duration.ofSeconds(298));
        fail(breaker, 3);
        time.advance(Duration.ofSeconds(298));
        assertClosedUntilOneMoreFails(breaker);

        CircuitBreaker other = builder(1, 100).build();
        fail(other, 8);
        time.advance(Duration.ofHours(1));
        succeed(other, 7);
        assertThat(other.snapshot().counts().failures()).isEqualTo(8);
        succeed(other, 1);
        assertThat(other.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    @Test
    void failuresThatHaveFadedAwayAreNotShown() throws Exception {
        CircuitBreaker breaker = builder(1, 8).build();
        fail(breaker, 7);
        time.advance(Duration.ofDays(30));
        fail(breaker, 1);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(1);
        fail(breaker, 6);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void twoFailuresADayNeverTrip() throws Exception {
        CircuitBreaker breaker = builder(1, 2.5).build();
        for (int day = 0; day < 1000; day++) {
            fail(breaker, 2);
            assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
            time.advance(Duration.ofHours(24));
        }
    }

    /** Two calls that fail together may count in another order than that in which they have read the clock. */
    @Test
    void aFailureThatReadTheClockBeforeTheLastOneLetsNothingFade() {
        long second = 1L << 30;
        TripRule.Memory memory = new EvidenceRule(1000, 3000, Confidence.fixed(3), SlowLimit.NONE).begin(0);
        assertThat(memory.record(Ending.FAILURE, 0, 0, 5 * second)).isFalse();
        assertThat(memory.record(Ending.FAILURE, 0, 0, 5 * second - 1)).isFalse();
        assertThat(memory.record(Ending.FAILURE, 0, 0, 5 * second - 2)).isTrue();
    }

    // ---------------- slow calls

    @Test
    void aTimeoutCostsAsMuchAsASlowFailure() throws Exception {
        CircuitBreaker breaker = builder(1, 7).build();
        admit(breaker).failed(new TimeoutException());
        admit(breaker).failed(new TimeoutException());
        assertClosedUntilOneMoreFails(breaker);
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "7.5"})
    void aSlowFailureCostsSoManyTimesAsMuch(double factor) throws Exception {
        CircuitBreaker breaker =
                builder(2, 2 * factor * 2 + 2).slowCost(factor).slowAfter(SLOW).build();
        for (int i = 0; i < 2; i++) {
            Permit slow = admit(breaker);
            time.advance(SLOW);
            slow.failed(new IOException());
        }
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void aSlowSuccessIsASuccess() throws Exception {
        CircuitBreaker breaker = builder(1, 4).slowAfter(SLOW).build();
        fail(breaker, 3);
        Permit slow = admit(breaker);
        time.advance(SLOW);
        slow.succeeded("at last");
        fail(breaker, 1);
        assertClosedUntilOneMoreFails(breaker);
    }

    /** Lets somebody look at the calls in flight, a slice of time after the last look. */
    private void look(CircuitBreaker breaker) throws InterruptedException {
        time.advance(SLOW.dividedBy(16));
        admit(breaker).close();
    }

    @Test
    void overdueCallsTripOneByOneFromTheSecondLookOn() throws Exception {
        CircuitBreaker breaker = builder(1, 6).slowAfter(SLOW).build();
        Duration slice = SLOW.dividedBy(32);
        List<Permit> hung = List.of(admit(breaker), admit(breaker));
        time.advance(SLOW.plus(slice));
        admit(breaker).close();
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(2, 0, 0, 2, 2));
        time.advance(slice);
        admit(breaker).close();
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(2, 1, 0, 2, 2));
        time.advance(slice);
        assertThatThrownBy(() -> admit(breaker)).isInstanceOf(CircuitOpenException.class);
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(2, 2, 0, 2, 2));
        hung.forEach(permit -> permit.succeeded("late"));
        assertThat(breaker.snapshot().lateOutcomes()).isEqualTo(2);
    }

    @Test
    void anOverdueCallCountsOnce() throws Exception {
        CircuitBreaker breaker = builder(1, 10).slowAfter(SLOW).build();
        Permit first = admit(breaker);
        Permit second = admit(breaker);
        time.advance(SLOW);
        for (int i = 0; i < 20; i++) {
            look(breaker); // 2 * 3, however often somebody looks
        }
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(2, 2, 0, 2, 2));
        first.failed(new IOException()); // has cost that already
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(2, 2, 0, 1, 2));
        fail(breaker, 3);
        second.succeeded("at last"); // 9 - 1
        fail(breaker, 1);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void anOverdueCallCountsOnceThoughItReadTheClockBeforeItWasOverdue() throws Exception {
        CircuitBreaker breaker = builder(1, 10).slowAfter(SLOW).build();
        long startNanos = time.nanos();
        long hung = breaker.tryAcquire(startNanos);
        time.advance(SLOW);
        look(breaker);
        look(breaker);
        breaker.settle(hung, startNanos, startNanos + SLOW.dividedBy(2).toNanos(), null, new IOException());
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(1, 1, 0, 0, 1));
        fail(breaker, 6); // 3 + 6
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void afterAPauseOfTheProcessTheAnswersThatHaveComeMeanwhileAreSeenFirst() throws Exception {
        CircuitBreaker breaker = builder(1, 3).slowAfter(SLOW).build();
        List<Permit> calls = List.of(admit(breaker), admit(breaker), admit(breaker));
        time.advance(SLOW.multipliedBy(5));
        admit(breaker).succeeded("first");
        admit(breaker).succeeded("second");
        calls.forEach(permit -> permit.succeeded("in time, but seen late"));
        for (int i = 0; i < 5; i++) {
            look(breaker);
        }
        assertThat(breaker.snapshot().counts()).isEqualTo(Counts.NONE);
    }

    @Test
    void aFailureIsEnoughTogetherWithOverdueCalls() throws Exception {
        CircuitBreaker breaker = builder(1, 4).slowAfter(SLOW).build();
        admit(breaker);
        time.advance(SLOW.dividedBy(2));
        Permit other = admit(breaker);
        time.advance(SLOW.multipliedBy(3).dividedBy(5));
        admit(breaker).close();
        time.advance(SLOW.dividedBy(16));
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        other.failed(new IOException());
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void toOverdueCallsOldEvidenceCountsNoMoreThanToAFailure() throws Exception {
        CircuitBreaker breaker = builder(1, 8).slowAfter(SLOW).build();
        fail(breaker, 7);
        time.advance(Duration.ofHours(1));
        admit(breaker);
        time.advance(SLOW.multipliedBy(2));
        look(breaker);
        look(breaker);
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(8);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    /** One call in a hundred takes 5 s where 1 s is slow, so that 4 % of the calls of a second are overdue at any time, and all end well. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void aFewCallsThatTakeLongAreNoOutageHoweverManyCallsThereAre(int perSecond) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        CircuitBreaker breaker =
                CircuitBreaker.adaptive().time(time.time()).slowAfter(SLOW).build();
        Queue<Permit> slow = new ArrayDeque<>();
        Queue<Long> endsNanos = new ArrayDeque<>();
        long startNanos = time.nanos();
        for (int call = 0; call < 200_000; call++) {
            time.advance(Duration.ofNanos(1_000_000_000L / perSecond));
            while (!endsNanos.isEmpty() && endsNanos.peek() <= time.nanos()) {
                endsNanos.remove();
                slow.remove().succeeded("late");
            }
            Permit permit = admit(breaker);
            if (random.nextInt(100) == 0) {
                slow.add(permit);
                endsNanos.add(time.nanos() + 5_000_000_000L);
            } else {
                permit.succeeded("good");
            }
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        assertThat(time.nanos() - startNanos).isGreaterThan(19_000_000_000L);
    }

    /** Below a quarter of the calls it does not pay to open, and all of them end well. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 3000, 10_000})
    void overdueCallsCountAsFarApartAsTheyBecameOverdue(int perSecond) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        CircuitBreaker breaker = builder(1, 12).slowAfter(SLOW).build();
        Queue<Permit> slow = new ArrayDeque<>();
        Queue<Long> endsNanos = new ArrayDeque<>();
        for (int call = 0; call < 8 * perSecond; call++) {
            time.advance(Duration.ofNanos(1_000_000_000L / perSecond));
            while (!endsNanos.isEmpty() && endsNanos.peek() <= time.nanos()) {
                endsNanos.remove();
                slow.remove().succeeded("late");
            }
            Permit permit = admit(breaker);
            if (random.nextInt(100) < 15) {
                slow.add(permit);
                endsNanos.add(time.nanos() + 1_500_000_000L);
            } else {
                permit.succeeded("good");
            }
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    /** The answers that came in the pause come back while those that have counted still hang: these do not count again. */
    @Test
    void whatHasCountedDoesNotCountAgainAsOthersComeBackAfterAPause() throws Exception {
        CircuitBreaker breaker = builder(1, 40).slowAfter(SLOW).build();
        for (int i = 0; i < 8; i++) {
            admit(breaker);
        }
        time.advance(SLOW);
        for (int i = 0; i < 20; i++) {
            look(breaker);
        }
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(8);
        List<Permit> good = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            good.add(admit(breaker));
        }
        time.advance(SLOW.multipliedBy(5));
        admit(breaker).close();
        good.forEach(permit -> permit.succeeded("in time, but seen late"));
        for (int i = 0; i < 20; i++) {
            look(breaker);
        }
        fail(breaker, 40 - 24 + 8 - 1); // 8 * 3 - 8
        assertClosedUntilOneMoreFails(breaker);
    }

    /** Once a second nothing happens for a while, as when memory is cleaned up; what ends meanwhile is seen after it. */
    @ParameterizedTest
    @ValueSource(ints = {5, 20, 50, 70, 300, 2000})
    void afterAPauseOverdueCallsStillCountOneAfterTheOther(int pauseMillis) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        CircuitBreaker breaker = builder(1, 7).slowAfter(SLOW).build();
        Queue<Permit> slow = new ArrayDeque<>();
        Queue<Long> endsNanos = new ArrayDeque<>();
        for (int call = 0; call < 100_000; call++) {
            time.advance(call % 5000 == 4999 ? Duration.ofMillis(pauseMillis) : Duration.ofNanos(200_000));
            while (!endsNanos.isEmpty() && endsNanos.peek() <= time.nanos()) {
                endsNanos.remove();
                slow.remove().succeeded("late");
            }
            Permit permit = admit(breaker);
            if (random.nextInt(50) == 0) {
                slow.add(permit);
                endsNanos.add(time.nanos() + 3_000_000_000L);
            } else {
                permit.succeeded("good");
            }
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 10_000})
    void whereHalfOfTheCallsHangItOpensThoughTheOthersEndWell(int perSecond) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        CircuitBreaker breaker =
                CircuitBreaker.adaptive().time(time.time()).slowAfter(SLOW).build();
        long startNanos = time.nanos();
        while (breaker.state() == CircuitState.CLOSED && time.nanos() - startNanos < 5_000_000_000L) {
            time.advance(Duration.ofNanos(1_000_000_000L / perSecond));
            long permit = breaker.tryAcquire(time.nanos());
            if (permit >= 0 && random.nextBoolean()) {
                breaker.settle(permit, time.nanos(), time.nanos(), "good", null);
            }
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(Duration.ofNanos(time.nanos() - startNanos)).isBetween(SLOW, Duration.ofMillis(1250));
    }

    @Test
    void anOverdueCallHasCountedThoughItThenSaysNothing() throws Exception {
        CircuitBreaker breaker = builder(1, 6).slowAfter(SLOW).build();
        Permit overdue = admit(breaker);
        time.advance(SLOW);
        look(breaker);
        look(breaker);
        overdue.close();
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(1, 1, 0, 0, 1));
        fail(breaker, 2);
        assertClosedUntilOneMoreFails(breaker);
    }

    /** 100 calls begin in a second, and each hangs for 30 s. */
    @Test
    void aHungDependencyIsFoundOutByItsCallsInFlight() throws Exception {
        Outbreak watching =
                hang(CircuitBreaker.adaptive().time(time.time()).slowAfter(SLOW).build());
        assertThat(watching.calls).isLessThanOrEqualTo(111);
        assertThat(watching.after).isLessThanOrEqualTo(Duration.ofMillis(1110));
        Outbreak ending = hang(CircuitBreaker.adaptive().time(time.time()).build());
        assertThat(ending.calls).isGreaterThanOrEqualTo(3000);
        assertThat(ending.after).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    }

    private record Outbreak(int calls, Duration after) {}

    private Outbreak hang(CircuitBreaker breaker) throws Exception {
        Queue<Permit> hung = new ArrayDeque<>();
        long startNanos = time.nanos();
        int calls = 0;
        while (breaker.state() == CircuitState.CLOSED) {
            try {
                hung.add(admit(breaker));
                calls++;
            } catch (CircuitOpenException refused) {
                break;
            }
            time.advance(Duration.ofMillis(10));
            if (time.nanos() - startNanos >= Duration.ofSeconds(30).toNanos()) {
                hung.remove().failed(new IOException());
            }
        }
        return new Outbreak(calls, Duration.ofNanos(time.nanos() - startNanos));
    }

    // ---------------- the threshold

    @ParameterizedTest
    @CsvSource({"1, 5", "10, 7", "30, 8", "100, 10", "1000, 12"})
    void theExpectedRateDecidesHowManyFailuresInARowItTakes(double rate, int failures) throws Exception {
        CircuitBreaker breaker =
                CircuitBreaker.adaptive().time(time.time()).expectedRate(rate).build();
        fail(breaker, failures - 1);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void aLongerTimeBetweenFalseTripsTakesMoreEvidence() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.adaptive()
                .time(time.time())
                .expectedRate(1)
                .meanTimeToFalseTrip(Duration.ofSeconds(60_000))
                .build();
        fail(breaker, 9);
        assertClosedUntilOneMoreFails(breaker);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "10, 7", "30, 8", "100, 10", "1000, 12", "100000, 12", "0.01, 5"})
    void theCallRateIsLearnedFromTheCallsRefusedInAnOutage(double rate, int failures) throws Exception {
        CircuitBreaker breaker = learning(Duration.ofNanos((long) (40 / rate * 1e9)));
        fail(breaker, 8);
        endOutage(breaker, 40);
        fail(breaker, failures - 1);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void twoOutagesMeetInTheGeometricMean() throws Exception {
        CircuitBreaker breaker = learning(Duration.ofSeconds(4));
        fail(breaker, 8);
        endOutage(breaker, 4000);
        fail(breaker, 12);
        endOutage(breaker, 40);
        fail(breaker, 9); // as at 100 a second
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void callsRefusedWhileProbesAreOutCountToo() throws Exception {
        CircuitBreaker breaker = learning(Duration.ofSeconds(1));
        fail(breaker, 8);
        time.advance(Duration.ofSeconds(1));
        Permit probe = admit(breaker);
        refuse(breaker, 100);
        probe.succeeded("good");
        succeed(breaker, 2);
        fail(breaker, 9);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void anOutageWithFewCallsTeachesNothing() throws Exception {
        CircuitBreaker breaker = learning(Duration.ofMillis(19));
        fail(breaker, 8);
        endOutage(breaker, 19);
        fail(breaker, 7);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void anOutageThatWasEndedByHandTeachesNothing() throws Exception {
        CircuitBreaker breaker = learning(Duration.ofSeconds(1));
        fail(breaker, 8);
        refuse(breaker, 1000);
        breaker.reset();
        fail(breaker, 7);
        assertClosedUntilOneMoreFails(breaker);
    }

    @Test
    void whatWasToldIsNotLearned() throws Exception {
        for (UnaryOperator<CircuitBreakerBuilder> told : List.<UnaryOperator<CircuitBreakerBuilder>>of(
                settings -> settings.expectedRate(30), settings -> settings.evidenceThreshold(8))) {
            CircuitBreaker breaker = told.apply(CircuitBreaker.builder()
                            .time(time.time())
                            .failureCost(1)
                            .openFor(Duration.ofMillis(40)))
                    .build();
            fail(breaker, 8);
            endOutage(breaker, 40);
            fail(breaker, 7);
            assertClosedUntilOneMoreFails(breaker);
        }
    }

    private CircuitBreaker learning(Duration open) {
        return CircuitBreaker.builder()
                .time(time.time())
                .failureCost(1)
                .openFor(open)
                .build();
    }

    private static void refuse(CircuitBreaker breaker, int calls) {
        for (int i = 0; i < calls; i++) {
            assertThatThrownBy(() -> admit(breaker)).isInstanceOf(CircuitOpenException.class);
        }
    }

    /** So many calls are refused until it probes; then three probes succeed. */
    private void endOutage(CircuitBreaker breaker, int refused) throws Exception {
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        refuse(breaker, refused);
        time.advance(breaker.snapshot().retryAfter().orElseThrow());
        succeed(breaker, 3);
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    // ---------------- settings

    private static void assertRefused(
            String message, UnaryOperator<CircuitBreakerBuilder> setting, CircuitBreakerBuilder builder) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.apply(builder))
                .withMessageContaining(message)
                .withMessageContaining("allowed is");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, 1e9})
    void refusesNumbersThatMakeNoSense(double value) {
        CircuitBreakerBuilder builder = CircuitBreaker.builder();
        assertRefused("failureCost is " + value, b -> b.failureCost(value), builder);
        assertRefused("slowCost is " + value, b -> b.slowCost(value), builder);
        assertRefused("expectedRate is " + value, b -> b.expectedRate(value), builder);
        assertRefused("evidenceThreshold is " + value, b -> b.evidenceThreshold(value), builder);
        assertThat(builder.build().describe())
                .isEqualTo(CircuitBreaker.withDefaults("untouched").describe());
    }

    @Test
    void refusesDurationsThatMakeNoSense() {
        for (Duration bad : List.of(
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofMillis(999),
                Duration.ofDays(365).plusNanos(1))) {
            assertRefused("meanTimeToFalseTrip is " + bad, b -> b.meanTimeToFalseTrip(bad), CircuitBreaker.builder());
        }
        assertThatNullPointerException()
                .isThrownBy(() -> CircuitBreaker.builder().meanTimeToFalseTrip(null))
                .withMessageContaining("meanTimeToFalseTrip");
    }

    @Test
    void refusesWhatItReplaces() {
        for (UnaryOperator<CircuitBreakerBuilder> other : List.<UnaryOperator<CircuitBreakerBuilder>>of(
                b -> b.consecutiveFailures(5),
                b -> b.failureRate(0.5),
                b -> b.minimumCalls(5),
                b -> b.countWindow(10),
                b -> b.timeWindow(Duration.ofSeconds(10)),
                b -> b.slowAfter(SLOW).slowCallRate(0.5))) {
            assertRefused(
                    "failureCost is 1.0",
                    b -> {
                        other.apply(b).build();
                        return b;
                    },
                    CircuitBreaker.adaptive());
        }
    }

    @Test
    void refusesDetailsOfWhatIsNotAskedFor() {
        for (UnaryOperator<CircuitBreakerBuilder> detail : List.<UnaryOperator<CircuitBreakerBuilder>>of(
                b -> b.slowCost(2), b -> b.meanTimeToFalseTrip(Duration.ofHours(1)), b -> b.evidenceThreshold(5))) {
            assertRefused(
                    "failureCost is not set",
                    b -> {
                        detail.apply(b).build();
                        return b;
                    },
                    CircuitBreaker.builder());
        }
    }

    @Test
    void takesTheExtremesOfEverySetting() throws Exception {
        for (double cost : new double[] {0.05, 0.333, 99.7, 100}) {
            for (double rate : new double[] {0.001, 10_000_000}) {
                CircuitBreaker breaker = CircuitBreaker.adaptive()
                        .time(time.time())
                        .failureCost(cost)
                        .slowCost(100)
                        .expectedRate(rate)
                        .meanTimeToFalseTrip(rate < 1 ? Duration.ofSeconds(1) : Duration.ofDays(365))
                        .build();
                int failures = 0;
                while (breaker.state() == CircuitState.CLOSED) {
                    fail(breaker, 1);
                    failures++;
                }
                assertThat(failures).isBetween(1, 300);
            }
        }
    }

    @Test
    void describesItself() {
        assertThat(CircuitBreaker.adaptive().build().describe())
                .isEqualTo(
                        "opens at failures outweighing successes by 8.0, at 1.0 each and 3.0 if slow; open for 2.0 x the"
                                + " root of the calls refused, from PT0.1S to PT30S +-20 %; 3 probes");
    }

    @Test
    void opensWhereCallsAreFewAndAllFail() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.adaptive().time(time.time()).build();
        int calls = 0;
        while (breaker.state() == CircuitState.CLOSED) {
            fail(breaker, 1);
            calls++;
            time.advance(Duration.ofSeconds(40));
            assertThat(calls).isLessThanOrEqualTo(8);
        }
        assertThat(calls).isEqualTo(8);
    }

    @Test
    void aThresholdForACostThatIsNoFractionKeepsItsPromise() {
        for (double cost : new double[] {1.02, 1.24, 2.04, 0.96, 37.3}) {
            io.nopanic.tuning.Cusum test = io.nopanic.tuning.Cusum.ofFailureCost(cost);
            double threshold = test.threshold(18_000, test.toleratedRate());
            assertThat(threshold / cost - Math.rint(threshold / cost))
                    .as("failures at a cost of %s", cost)
                    .isCloseTo(0, org.assertj.core.api.Assertions.within(1e-9));
        }
    }
}
