package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.events.CircuitState;
import io.nopanic.events.Counts;
import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Probing after a number of refused calls, and how many probes it takes to close. */
class QuadraticScheduleTest {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** Far above the shortest time, far below the longest. */
    private static final Duration SOME_TIME = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private CircuitBreakerBuilder builder() {
        return CircuitBreaker.builder().time(time.time()).consecutiveFailures(1).quadraticProbing();
    }

    private static Permit admit(CircuitBreaker breaker) throws InterruptedException {
        return Pipeline.of(breaker).admit();
    }

    private static void fail(CircuitBreaker breaker) throws InterruptedException {
        admit(breaker).failed(new IOException());
    }

    private static CircuitBreaker tripped(CircuitBreakerBuilder builder) throws InterruptedException {
        CircuitBreaker breaker = builder.build();
        while (breaker.state() == CircuitState.CLOSED) {
            fail(breaker);
        }
        return breaker;
    }

    private static Optional<Duration> refuse(CircuitBreaker breaker) {
        List<Duration> retryAfter = new ArrayList<>();
        assertThatExceptionOfType(CircuitOpenException.class)
                .isThrownBy(() -> admit(breaker))
                .satisfies(refused -> refused.retryAfter().ifPresent(retryAfter::add));
        return retryAfter.stream().findFirst();
    }

    private static int refusedUntilAProbe(CircuitBreaker breaker) {
        int refused = 0;
        while (breaker.state() == CircuitState.OPEN) {
            refuse(breaker);
            refused++;
        }
        return refused;
    }

    /** After how many refused calls in all each of the first probes comes, if all of them fail. */
    private List<Integer> probes(CircuitBreaker breaker, int count) throws InterruptedException {
        List<Integer> probes = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < count; i++) {
            time.advance(SOME_TIME);
            refused += refusedUntilAProbe(breaker);
            probes.add(refused);
            fail(breaker);
        }
        return probes;
    }

    // ---------------- after how many calls

    @Test
    void probesAfterTheSquaresOfRefusedCalls() throws Exception {
        assertThat(probes(tripped(builder()), 8)).containsExactly(2, 5, 10, 17, 26, 37, 50, 65);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 1, 2, 3", "0.7, 1, 2, 3", "1, 1, 2, 4", "4, 4, 12, 26", "1000, 1000, 32623, 213242"})
    void aGreaterKappaProbesMoreSeldom(double kappa, int first, int second, int third) throws Exception {
        CircuitBreaker breaker = tripped(builder().quadraticProbing(kappa, SHORTEST, Duration.ofDays(1)));
        assertThat(probes(breaker, 3)).containsExactly(first, second, third);
    }

    /** {@code kappa = 2 * sqrt(c)}. */
    @ParameterizedTest
    @CsvSource({"1, 2, 5, 10", "4, 4, 12, 26", "0.25, 1, 2, 4", "100, 20, 110, 320"})
    void theKappaFollowsFromTheCostOfAFailure(double cost, int first, int second, int third) throws Exception {
        CircuitBreaker breaker = tripped(
                CircuitBreaker.builder().time(time.time()).failureCost(cost).quadraticProbing());
        assertThat(probes(breaker, 3)).containsExactly(first, second, third);
    }

    @Test
    void callsRefusedWhileAProbeIsOutCountToo() throws Exception {
        CircuitBreaker breaker = tripped(builder());
        time.advance(SOME_TIME);
        assertThat(refusedUntilAProbe(breaker)).isEqualTo(2);
        Permit probe = admit(breaker);
        for (int i = 0; i < 98; i++) {
            assertThat(refuse(breaker)).isEmpty();
        }
        probe.failed(new IOException());
        time.advance(SOME_TIME);
        assertThat(refusedUntilAProbe(breaker)).isEqualTo(20);
    }

    @Test
    void closingBeginsAnew() throws Exception {
        CircuitBreaker breaker = tripped(builder());
        probes(breaker, 5);
        time.advance(SOME_TIME);
        refusedUntilAProbe(breaker);
        admit(breaker).succeeded("good");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
        fail(breaker);
        assertThat(probes(breaker, 3)).containsExactly(2, 5, 10);
    }

    // ---------------- not before, and not after

    @Test
    void doesNotProbeBeforeTheShortestTime() throws Exception {
        CircuitBreaker breaker = tripped(builder());
        for (int i = 0; i < 1000; i++) {
            refuse(breaker);
        }
        assertThat(refuse(breaker)).contains(SHORTEST);
        time.advance(SHORTEST.minusNanos(1));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }

    @Test
    void withALowTrafficTheFirstCallAfterTheLongestTimeIsAProbe() throws Exception {
        CircuitBreaker breaker = tripped(builder());
        assertThat(breaker.snapshot().retryAfter()).contains(LONGEST);
        time.advance(LONGEST.minusNanos(1));
        assertThat(refuse(breaker)).contains(Duration.ofNanos(1));
        time.advance(Duration.ofNanos(1));
        admit(breaker).succeeded("good");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void aShortestTimeOfNothingProbesAsSoonAsTheCallsHaveCome() throws Exception {
        CircuitBreaker breaker = tripped(builder().quadraticProbing(2, Duration.ZERO, LONGEST));
        assertThat(refusedUntilAProbe(breaker)).isEqualTo(2);
        fail(breaker);
        assertThat(refusedUntilAProbe(breaker)).isEqualTo(3);
    }

    @Test
    void theShortestMayBeTheLongest() throws Exception {
        CircuitBreaker breaker = tripped(builder().quadraticProbing(2, SOME_TIME, SOME_TIME));
        for (int i = 0; i < 10; i++) {
            assertThat(refuse(breaker)).contains(SOME_TIME);
        }
        time.advance(SOME_TIME);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }

    // ---------------- retryAfter

    @Test
    void retryAfterIsAsIfCallsWentOnToComeAsBefore() throws Exception {
        CircuitBreaker breaker = tripped(builder().quadraticProbing(10, SHORTEST, LONGEST));
        time.advance(SOME_TIME);
        assertThat(refuse(breaker)).contains(Duration.ofSeconds(9)); // 9 more, at one a second
        time.advance(SOME_TIME);
        for (int i = 0; i < 3; i++) {
            refuse(breaker);
        }
        assertThat(refuse(breaker)).contains(Duration.ofSeconds(2)); // 5 in 2 s, 5 more
        for (int i = 0; i < 4; i++) {
            refuse(breaker);
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        assertThat(refuse(breaker)).contains(Duration.ZERO);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
    }

    @Test
    void retryAfterIsWithinTheShortestAndTheLongestTime() throws Exception {
        CircuitBreaker breaker = tripped(builder().quadraticProbing(100, SHORTEST, LONGEST));
        time.advance(SOME_TIME);
        assertThat(refuse(breaker)).contains(LONGEST.minus(SOME_TIME));
        CircuitBreaker busy = tripped(builder().quadraticProbing(100, SHORTEST, LONGEST));
        time.advance(SHORTEST.dividedBy(100));
        for (int i = 0; i < 98; i++) {
            refuse(busy);
        }
        assertThat(refuse(busy)).contains(SHORTEST.minus(SHORTEST.dividedBy(100)));
    }

    @Test
    void aFailureThatAsksForMoreTimeGetsIt() throws Exception {
        CircuitBreaker breaker = builder().retryAfterCap(Duration.ofSeconds(40)).build();
        admit(breaker).failed(new Asking(Duration.ofSeconds(35)));
        for (int i = 0; i < 100; i++) {
            assertThat(refuse(breaker)).contains(Duration.ofSeconds(35));
        }
        time.advance(Duration.ofSeconds(35));
        admit(breaker).failed(new Asking(Duration.ofHours(1)));
        for (int i = 0; i < 100; i++) {
            assertThat(refuse(breaker)).contains(Duration.ofSeconds(40));
        }
    }

    private static final class Asking extends Exception implements HasRetryAfter {

        private static final long serialVersionUID = 1L;

        private final Duration hint;

        Asking(Duration hint) {
            super("busy");
            this.hint = hint;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(hint);
        }
    }

    // ---------------- jitter

    /** The lowest, the middle and the highest number that chance can give; of 100 refused calls 20, more or less. */
    @ParameterizedTest
    @CsvSource({"0, 80, 24, 16", "0.5, 100, 30, 20", "1, 120, 36, 24"})
    void jitterSpreadsTheTimesAndTheNumberOfCalls(double chance, long shortestMillis, long longestSeconds, int calls)
            throws Exception {
        CircuitBreaker breaker = tripped(builder().openJitter(0.2).random(always(chance)));
        assertThat(breaker.snapshot().retryAfter()).contains(Duration.ofSeconds(longestSeconds));
        for (int i = 0; i < 99; i++) {
            refuse(breaker);
        }
        assertThat(refuse(breaker)).contains(Duration.ofMillis(shortestMillis));
        time.advance(Duration.ofMillis(shortestMillis));
        fail(breaker);
        time.advance(SOME_TIME);
        assertThat(refusedUntilAProbe(breaker)).isEqualTo(calls);
    }

    private static RandomGenerator always(double number) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public double nextDouble() {
                return number;
            }
        };
    }

    // ---------------- with other rules

    @Test
    void aRateOverAWindowGoesWithIt() throws Exception {
        CircuitBreaker breaker = tripped(
                CircuitBreaker.builder().time(time.time()).countWindow(10).quadraticProbing());
        assertThat(breaker.snapshot().counts().failures()).isEqualTo(5);
        assertThat(probes(breaker, 4)).containsExactly(2, 5, 10, 17);
        time.advance(SOME_TIME);
        refusedUntilAProbe(breaker);
        admit(breaker).succeeded("good");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void evidenceGoesWithAFixedTime() throws Exception {
        CircuitBreaker breaker = tripped(CircuitBreaker.adaptive()
                .time(time.time())
                .openJitter(0)
                .openFor(SOME_TIME)
                .openGrowth(2, LONGEST));
        for (int i = 0; i < 100; i++) {
            assertThat(refuse(breaker)).contains(SOME_TIME);
        }
        time.advance(SOME_TIME);
        fail(breaker);
        assertThat(refuse(breaker)).contains(SOME_TIME.multipliedBy(2));
    }

    // ---------------- how many probes

    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.1, 1", "0.3, 2", "1, 3", "3, 4", "10, 5", "100, 5"})
    void theCostOfAFailureDecidesHowManyProbesItTakes(double cost, int probes) throws Exception {
        CircuitBreaker breaker = tripped(
                CircuitBreaker.builder().time(time.time()).failureCost(cost).openFor(SOME_TIME));
        time.advance(SOME_TIME);
        for (int i = 0; i < probes; i++) {
            assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
            admit(breaker).succeeded("good");
        }
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    private CircuitBreaker probing(CircuitBreakerBuilder builder) throws InterruptedException {
        CircuitBreaker breaker = tripped(builder.openFor(SOME_TIME));
        time.advance(SOME_TIME);
        return breaker;
    }

    @Test
    void oneProbeGoesAloneAndThenTheOthersAtOnce() throws Exception {
        CircuitBreaker breaker = probing(builder().closeAfter(3));
        Permit first = admit(breaker);
        refuse(breaker);
        first.succeeded("good");
        List<Permit> others = List.of(admit(breaker), admit(breaker));
        refuse(breaker);
        others.get(0).succeeded("good");
        refuse(breaker);
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        others.get(1).succeeded("good");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void aFirstProbeThatSaysNothingIsFollowedByAnotherOne() throws Exception {
        CircuitBreaker breaker = probing(builder().closeAfter(2).ignore(IllegalArgumentException.class));
        for (int i = 0; i < 3; i++) {
            Permit first = admit(breaker);
            refuse(breaker);
            first.failed(new IllegalArgumentException("caller's fault"));
        }
        admit(breaker).succeeded("good");
        admit(breaker).succeeded("good");
        assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void anyProbeThatFailsOpens() throws Exception {
        for (int good = 0; good < 3; good++) {
            CircuitBreaker breaker = probing(builder().closeAfter(3));
            for (int i = 0; i < good; i++) {
                admit(breaker).succeeded("good");
            }
            fail(breaker);
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
        }
    }

    @Test
    void aFirstProbeThatDoesNotComeBackHasFailed() throws Exception {
        CircuitBreaker breaker = probing(builder().closeAfter(3).probeTimeout(Duration.ofSeconds(2)));
        admit(breaker);
        time.advance(Duration.ofSeconds(2).minusNanos(1));
        refuse(breaker);
        time.advance(Duration.ofNanos(1));
        assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void aSlowProbeThatSucceedsIsASuccessAsItIsWhileClosed() throws Exception {
        CircuitBreaker breaker = probing(
                CircuitBreaker.builder().time(time.time()).failureCost(1).slowAfter(Duration.ofMillis(500)));
        Permit probe = admit(breaker);
        time.advance(Duration.ofMillis(500));
        probe.succeeded("at last");
        assertThat(breaker.state()).isEqualTo(CircuitState.HALF_OPEN);
        assertThat(breaker.snapshot().counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));
    }

    @Test
    void probesAreSentAllAtOnceWhereTheirNumberIsNamed() throws Exception {
        CircuitBreaker breaker = probing(
                CircuitBreaker.builder().time(time.time()).failureCost(1).probes(2));
        admit(breaker);
        admit(breaker);
        refuse(breaker);
    }

    // ---------------- settings

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 0, -1, 0.099, 1001})
    void refusesAKappaThatMakesNoSense(double kappa) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().quadraticProbing(kappa, SHORTEST, LONGEST))
                .withMessageContaining("kappa is " + kappa)
                .withMessageContaining("allowed is");
    }

    @Test
    void refusesTimesThatMakeNoSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().quadraticProbing(2, Duration.ofNanos(-1), LONGEST))
                .withMessageContaining("shortest is PT-0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().quadraticProbing(2, Duration.ZERO, Duration.ZERO))
                .withMessageContaining("longest is PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().quadraticProbing(2, LONGEST, SHORTEST))
                .withMessageContaining("longest is PT0.1S, allowed is at least the shortest, PT30S");
        for (int bad : new int[] {0, -1, 10_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder().closeAfter(bad))
                    .withMessageContaining("closeAfter is " + bad);
        }
    }

    @Test
    void refusesAGrowthBesideIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().openGrowth(2, Duration.ofMinutes(1)).build())
                .withMessageContaining("factor is 2.0, allowed is 1, or a time to stay open; quadratic");
    }

    @Test
    void theLastNamedWayToOpenHolds() {
        assertThat(builder().openFor(SOME_TIME).build().describe()).contains("open PT1S");
        assertThat(builder().openFor(SOME_TIME).quadraticProbing().build().describe())
                .contains("open for 2.0 x the root of the calls refused, from PT0.1S to PT30S");
    }
}
