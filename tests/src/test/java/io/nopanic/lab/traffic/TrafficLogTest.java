package io.nopanic.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrafficLogTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration HOUR = Duration.ofHours(1);

    private record Call(double atSeconds, double takesSeconds, Ending ending) {}

    private static List<Call> calls(Scenario scenario) {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = scenario.calls().open()) {
            while (cursor.next()) {
                calls.add(new Call(
                        (cursor.startNanos() - TrafficLog.EPOCH_NANOS) / 1e9,
                        cursor.durationNanos() / 1e9,
                        cursor.ending()));
            }
        }
        return calls;
    }

    private static Scenario scenario(Health health, Latency latency, Incident... incidents) {
        return new Scenario(
                "test", 1, HOUR, new Scenario.Load(Arrivals.POISSON, 100, latency), health, List.of(incidents));
    }

    private static Scenario healthyBut(Incident incident) {
        return scenario(Health.independent(0), Latency.NONE, incident);
    }

    private static double share(List<Call> calls, double from, double to, Predicate<Call> what) {
        List<Call> within = calls.stream()
                .filter(call -> call.atSeconds() >= from && call.atSeconds() < to)
                .toList();
        return (double) within.stream().filter(what).count() / within.size();
    }

    private static boolean failed(Call call) {
        return call.ending().isFailed();
    }

    // ---------------- seeds

    @Test
    void theSameSeedIsTheSameCallsAtEachReading() {
        Scenario scenario = Mix.STANDARD.scenario(
                new Scenario.Load(Arrivals.POISSON, 50, new Latency(Duration.ofMillis(20), 0.5)), HOUR, 7);
        TrafficLog log = scenario.calls();
        assertThat(digest(log)).isEqualTo(digest(log)).isEqualTo(digest(scenario.calls()));
        Scenario other = Mix.STANDARD.scenario(scenario.load(), HOUR, 8);
        assertThat(digest(other.calls())).isNotEqualTo(digest(log));
    }

    /** If this changes, runs that somebody wrote down with their seed cannot be repeated. */
    @Test
    void aSeedIsTheSameCallsOnEveryMachineAndInEveryVersion() {
        Scenario scenario = Mix.FLAPPING.scenario(
                new Scenario.Load(Arrivals.POISSON, 50, new Latency(Duration.ofMillis(20), 0.5)),
                Duration.ofHours(12),
                42);
        assertThat(digest(scenario.calls())).isEqualTo(DIGEST);
    }

    private static final long DIGEST = -4529737238825512351L;

    private static long digest(TrafficLog log) {
        long digest = 0;
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                digest = digest * 31 + cursor.startNanos();
                digest = digest * 31 + cursor.durationNanos();
                digest = digest * 31 + cursor.ending().name().hashCode();
            }
        }
        return digest;
    }

    // ---------------- arrivals, latency, health

    @Test
    void poissonCallsComeAtTheirRateWithExponentialDistances() {
        List<Call> calls = calls(scenario(Health.independent(0), Latency.NONE));
        assertThat((double) calls.size()).isCloseTo(360_000, within(4 * 600.0));
        long longer = 0;
        for (int i = 1; i < calls.size(); i++) {
            longer += calls.get(i).atSeconds() - calls.get(i - 1).atSeconds() > 0.01 ? 1 : 0;
        }
        assertThat((double) longer / calls.size()).isCloseTo(Math.exp(-1), within(0.004));
        assertThat(scenario(Health.independent(0), Latency.NONE).calls().size()).isEqualTo(calls.size());
    }

    @Test
    void constantCallsComeAtEqualDistances() {
        Scenario scenario = new Scenario(
                "test",
                1,
                Duration.ofSeconds(10),
                new Scenario.Load(Arrivals.CONSTANT, 4, Latency.NONE),
                Health.independent(0),
                List.of());
        assertThat(calls(scenario)).hasSize(39).first().isEqualTo(new Call(0.25, 0, Ending.SUCCESS));
    }

    @Test
    void latencyIsLognormal() {
        double[] taken = calls(scenario(Health.independent(0), new Latency(Duration.ofMillis(20), 0.5))).stream()
                .mapToDouble(Call::takesSeconds)
                .sorted()
                .toArray();
        assertThat(taken[taken.length / 2]).isCloseTo(0.020, within(0.0002));
        assertThat(taken[(int) (taken.length * 0.8413)]).isCloseTo(0.020 * Math.exp(0.5), within(0.0003));
    }

    @Test
    void healthyFailuresHaveTheirShareAndTheirRuns() {
        List<Call> calls = calls(scenario(new Health(0.02, 5), Latency.NONE));
        long failures = calls.stream().filter(TrafficLogTest::failed).count();
        long runs = 0;
        for (int i = 1; i < calls.size(); i++) {
            runs += failed(calls.get(i)) && !failed(calls.get(i - 1)) ? 1 : 0;
        }
        assertThat((double) failures / calls.size()).isCloseTo(0.02, within(0.002));
        assertThat((double) failures / runs).isCloseTo(5, within(0.3));
    }

    // ---------------- shapes

    @Test
    void aStepFailsAtItsSeverityFromBeginToEnd() {
        List<Call> calls = calls(healthyBut(Incident.step(Duration.ofSeconds(100), Duration.ofSeconds(200), 0.6)));
        assertThat(share(calls, 0, 100, TrafficLogTest::failed)).isZero();
        assertThat(share(calls, 100, 300, TrafficLogTest::failed)).isCloseTo(0.6, within(0.015));
        assertThat(share(calls, 300, 3600, TrafficLogTest::failed)).isZero();
    }

    private static List<Call> calls(Shape shape, Optional<Latency> latency, Incident.Details details) {
        return calls(healthyBut(
                new Incident(Duration.ofSeconds(100), Duration.ofSeconds(1000), shape, 0.8, latency, details)));
    }

    @Test
    void aRampGetsWorseInAStraightLine() {
        List<Call> calls = calls(Shape.RAMP, Optional.empty(), Incident.Details.DEFAULT);
        assertThat(share(calls, 100, 200, TrafficLogTest::failed)).isCloseTo(0.04, within(0.01));
        assertThat(share(calls, 550, 650, TrafficLogTest::failed)).isCloseTo(0.4, within(0.02));
        assertThat(share(calls, 1000, 1100, TrafficLogTest::failed)).isCloseTo(0.76, within(0.02));
    }

    @Test
    void aFlapIsBadForHalfOfEachPeriod() {
        List<Call> calls = calls(Shape.FLAP, Optional.empty(), new Incident.Details(Duration.ofSeconds(10), 8));
        assertThat(share(calls, 100, 105, TrafficLogTest::failed)).isGreaterThan(0.7);
        assertThat(share(calls, 105, 110, TrafficLogTest::failed)).isZero();
        assertThat(share(calls, 100, 1100, TrafficLogTest::failed)).isCloseTo(0.4, within(0.01));
    }

    @Test
    void burstsAreRunsOfFailures() {
        List<Call> calls = calls(Shape.BURST, Optional.empty(), new Incident.Details(Duration.ofSeconds(1), 20));
        assertThat(share(calls, 100, 1100, TrafficLogTest::failed)).isCloseTo(0.8, within(0.02));
        assertThat(calls.stream().filter(TrafficLogTest::failed).count() / (double) ends(calls))
                .isCloseTo(20, within(1.5));
    }

    @Test
    void theMixOfBurstsHasRunsOfEightFailuresAndTheirShare() {
        Duration length = Duration.ofHours(3);
        List<Call> calls = calls(new Scenario(
                "bursts",
                1,
                length,
                new Scenario.Load(Arrivals.POISSON, 100, Latency.NONE),
                Health.independent(0),
                Mix.BURSTS.incidents(100, length, 1)));
        double failures = calls.stream().filter(TrafficLogTest::failed).count();
        assertThat(failures / calls.size()).isCloseTo(0.028, within(0.002));
        assertThat(failures / ends(calls)).isCloseTo(8, within(0.5));
    }

    /** How many runs of failures ended. */
    private static long ends(List<Call> calls) {
        long ends = 0;
        for (int i = 1; i < calls.size(); i++) {
            ends += failed(calls.get(i - 1)) && !failed(calls.get(i)) ? 1 : 0;
        }
        return ends;
    }

    @Test
    void slowCallsSucceedAndTakeLong() {
        List<Call> calls =
                calls(Shape.SLOW, Optional.of(new Latency(Duration.ofSeconds(3), 0)), Incident.Details.DEFAULT);
        assertThat(share(calls, 0, 3600, TrafficLogTest::failed)).isZero();
        assertThat(share(calls, 100, 1100, call -> call.takesSeconds() == 3)).isCloseTo(0.8, within(0.01));
    }

    @Test
    void anOutageWithinASlowIncidentFailsTheCallsAndLeavesThemSlow() {
        Latency slow = new Latency(Duration.ofSeconds(3), 0);
        List<Call> calls = calls(scenario(
                Health.independent(0),
                Latency.NONE,
                new Incident(
                        Duration.ofSeconds(100),
                        Duration.ofSeconds(1000),
                        Shape.SLOW,
                        1,
                        Optional.of(slow),
                        Incident.Details.DEFAULT),
                Incident.step(Duration.ofSeconds(200), Duration.ofSeconds(100), 1)));
        assertThat(share(calls, 100, 200, TrafficLogTest::failed)).isZero();
        assertThat(share(calls, 200, 300, call -> failed(call) && call.takesSeconds() == 3))
                .isEqualTo(1);
        assertThat(share(calls, 300, 1100, TrafficLogTest::failed)).isZero();
    }

    @Test
    void callsThatHangTimeOutAfterThirtySecondsUnlessTheLatencyIsGiven() {
        List<Call> calls = calls(Shape.HANG, Optional.empty(), Incident.Details.DEFAULT);
        assertThat(share(calls, 100, 1100, call -> call.ending() == Ending.TIMEOUT && call.takesSeconds() == 30))
                .isCloseTo(0.8, within(0.01));
    }

    // ---------------- mixes

    @ParameterizedTest
    @EnumSource
    void everyMixIsDescribedAndBegins(Mix mix) {
        Scenario scenario = mix.scenario(new Scenario.Load(Arrivals.POISSON, 1, Latency.NONE), Duration.ofDays(3), 1);
        assertThat(mix.describe()).isNotBlank();
        assertThat(scenario.incidents().isEmpty()).isEqualTo(mix == Mix.HEALTHY);
        assertThat(scenario.calls().open().next()).isTrue();
    }

    @Test
    void theStandardMixHasItsIncidentsPerDay() {
        List<Incident> incidents = Mix.STANDARD.incidents(100, Duration.ofDays(1000), 1);
        assertThat((double) incidents.size()).isCloseTo(25_500, within(4 * 160.0));
        assertThat(incidents.stream()
                        .filter(incident -> incident.severity() == 0.25)
                        .count())
                .isBetween(1_820L, 2_180L);
        long blips = incidents.stream()
                .filter(incident ->
                        incident.severity() != 0.25 && incident.length().toNanos() < 4 * SECOND / 10)
                .count();
        assertThat(blips).isBetween(9_600L, 10_400L);
    }

    @Test
    void burstsHaveTheirShareOfTheCallsAtAnyRate() {
        for (double rate : new double[] {1, 100}) {
            long nanos = Mix.BURSTS.incidents(rate, Duration.ofDays(1), 1).stream()
                    .mapToLong(incident -> incident.length().toNanos())
                    .sum();
            assertThat(nanos / 86_400e9).isCloseTo(0.028, within(0.006));
        }
    }

    // ---------------- bad input

    @Test
    void whatMakesNoSenseIsRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> Incident.step(second, second, 1.5)).hasMessageContaining("severity is 1.5");
        assertThatThrownBy(() -> Incident.step(second, Duration.ZERO, 1)).hasMessageContaining("duration is PT0S");
        assertThatThrownBy(
                        () -> new Incident(second, second, Shape.SLOW, 1, Optional.empty(), Incident.Details.DEFAULT))
                .hasMessageContaining("latency is missing");
        assertThatThrownBy(() -> new Incident.Details(second, 0.5)).hasMessageContaining("burstCalls is 0.5");
        assertThatThrownBy(() -> Health.independent(1)).hasMessageContaining("failureRate is 1.0");
        assertThatThrownBy(() -> new Latency(second, 6)).hasMessageContaining("sigma is 6.0");
        assertThatThrownBy(() -> new Latency(second.negated(), 0)).hasMessageContaining("median is PT-1S");
        assertThatThrownBy(() -> new Scenario.Load(Arrivals.POISSON, 0, Latency.NONE))
                .hasMessageContaining("rate is 0.0");
        assertThatThrownBy(() -> healthyBut(Incident.step(HOUR, second, 1)))
                .hasMessageContaining("start of an incident is PT1H");
    }
}
