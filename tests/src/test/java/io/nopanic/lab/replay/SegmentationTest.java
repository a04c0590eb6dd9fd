package io.nopanic.lab.replay;

import static io.nopanic.lab.replay.HandMadeLog.span;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Health;
import io.nopanic.lab.traffic.Incident;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Incidents are found in logs that do not tell them. */
class SegmentationTest {

    @Test
    void anOutageIsFoundFromItsFirstFailureToBehindItsLast() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+".repeat(600) + "-".repeat(30) + "+".repeat(600));
        Survey survey = Survey.of(log);

        assertThat(survey.known()).isFalse();
        assertThat(survey.incidents().count()).isEqualTo(1);
        assertThat(survey.incidents().span(0).startNanos())
                .isEqualTo(span(600_000, 600_000).startNanos());
        assertThat(survey.incidents().span(0).endNanos())
                .isEqualTo(span(629_000, 629_000).startNanos() + 1);
        assertThat(survey.whole().endNanos())
                .isEqualTo(span(1_229_000, 1_229_000).startNanos() + 1);
    }

    @Test
    void singleFailuresAreNoIncident() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, ("+".repeat(99) + "-").repeat(20));
        assertThat(Survey.of(log).incidents().count()).isZero();
    }

    @Test
    void outagesThatAreLessThanTenSecondsApartAreOne() {
        String gap = "+".repeat(45);
        HandMadeLog apart = new HandMadeLog("only")
                .calls(0, 1000, "+".repeat(600) + "-".repeat(10) + gap + "-".repeat(10) + "+".repeat(600));
        assertThat(Survey.of(apart).incidents().count()).isEqualTo(2);
        HandMadeLog close = new HandMadeLog("only")
                .calls(0, 100, "+".repeat(6000) + "-".repeat(10) + gap + "-".repeat(10) + "+".repeat(6000));
        assertThat(Survey.of(close).incidents().count()).isEqualTo(1);
    }

    @Test
    void anOutageAtTheEndOfTheLogEndsWithIt() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+".repeat(600) + "-".repeat(30));
        assertThat(Survey.of(log).incidents().span(0).endNanos())
                .isEqualTo(Survey.of(log).whole().endNanos());
    }

    @Test
    void independentFailuresShowHardlyAnIncidentAndRealOnesAreFound() throws Exception {
        Scenario scenario = new Scenario(
                "test",
                5,
                Duration.ofHours(5),
                new Scenario.Load(Arrivals.POISSON, 50, Latency.NONE),
                Health.independent(0.01),
                List.of(
                        Incident.step(Duration.ofHours(1), Duration.ofSeconds(20), 1),
                        Incident.step(Duration.ofHours(2), Duration.ofMinutes(2), 0.3),
                        Incident.step(Duration.ofHours(3), Duration.ofSeconds(1), 0.8)));
        Incidents found = Survey.of(scenario.calls()).incidents();
        Incidents truth = Survey.of(scenario).incidents();

        assertThat(found.count()).isBetween(3, 4);
        for (int i = 0; i < truth.count(); i++) {
            int match = found.near(0, truth.span(i).startNanos() + truth.span(i).lengthNanos() / 2, 0);
            assertThat(match).isNotEqualTo(Incidents.NONE);
            assertThat(Math.abs(found.span(match).startNanos() - truth.span(i).startNanos()))
                    .isLessThan(2_000_000_000L);
            assertThat(Math.abs(found.span(match).endNanos() - truth.span(i).endNanos()))
                    .isLessThan(2_000_000_000L);
        }
        ReplayResult result = Replay.run(
                scenario.calls(), Survey.of(scenario.calls()), List.of(PolicyParser.parse("auto")), done -> {});
        assertThat(result.reaction(result.policies().get(0)).detected()).isGreaterThanOrEqualTo(2);
    }

    private static Scenario healthy(double perSecond, double failureRate, Duration length) {
        Scenario.Load load = new Scenario.Load(Arrivals.POISSON, perSecond, Latency.NONE);
        return new Scenario("test", 5, length, load, Health.independent(failureRate), List.of());
    }

    @ParameterizedTest
    @CsvSource({"1, 0.01, 1", "0.1, 0.05, 7", "0.1, 0.002, 14", "20, 0.001, 1", "5, 0.02, 1"})
    void independentFailuresShowHardlyAnIncidentHoweverFewCallsThereAre(double perSecond, double rate, int days)
            throws Exception {
        Survey survey =
                Survey.of(healthy(perSecond, rate, Duration.ofDays(days)).calls());
        assertThat(survey.criteria().ofAll().ordinaryFailureRate()).isBetween(0.85 * rate, 1.3 * rate);
        assertThat(survey.incidents().count()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 1000, 3000})
    void anOutageThatIsMostOfTheLogIsFound(long gapMillis) {
        int minute = (int) (60_000 / gapMillis);
        HandMadeLog log = new HandMadeLog("only")
                .calls(0, gapMillis, "+".repeat(2 * minute) + "-".repeat(10 * minute) + "+".repeat(3 * minute));
        Survey survey = Survey.of(log);
        assertThat(survey.incidents().count()).isEqualTo(1);
        assertThat(survey.incidents().span(0).startNanos())
                .isEqualTo(span(120_000, 120_000).startNanos());
    }

    @Test
    void soManyFailuresInARowAreAnIncidentAndOneLessIsNone() {
        String ordinary = "+".repeat(10_000);
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, ordinary);
        int fewest = Survey.of(log).criteria().ofAll().fewestFailures();
        log.calls(20_000_000, 1000, "-".repeat(fewest - 1) + ordinary);
        assertThat(Survey.of(log).incidents().count()).isZero();
        log.calls(40_000_000, 1000, "-".repeat(fewest) + ordinary);
        assertThat(Survey.of(log).incidents().count()).isEqualTo(1);
    }

    /** Nine keys that hardly fail, and one of which 15 % fail; then a few failures in a row of the first. */
    private static HandMadeLog tenKeys(int seconds) {
        HandMadeLog log = new HandMadeLog("0", "1", "2", "3", "4", "5", "6", "7", "8", "often");
        RandomGenerator random = new SplittableRandom(4);
        for (int second = 0; second < seconds; second++) {
            for (int key = 0; key < 10; key++) {
                double rate = key == 9 ? 0.15 : second >= 1500 && second < 1503 && key == 0 ? 1 : 0.0005;
                log.call(second * 1000L, 0, random.nextDouble() < rate ? Ending.FAILURE : Ending.SUCCESS, key);
            }
        }
        return log;
    }

    @Test
    void whatIsOrdinaryForOneKeyIsAnIncidentForAnother() {
        Survey survey = Survey.of(tenKeys(4000));
        Survey.Criteria criteria = survey.criteria();

        assertThat(criteria.ofAll().ordinaryFailureRate()).isBetween(0.01, 0.02);
        assertThat(criteria.byKey().get(9).ordinaryFailureRate()).isBetween(0.12, 0.18);
        assertThat(criteria.byKey().get(0).ordinaryFailureRate()).isLessThan(0.004);
        assertThat(survey.incidents().count()).isEqualTo(1);
        assertThat(survey.incidents().key(0)).isZero();
    }

    @Test
    void aKeyWithFewCallsGoesByTheRateOfAll() {
        Survey.Criteria few = Survey.of(tenKeys(999)).criteria();
        assertThat(few.byKey()).hasSize(10).allMatch(criterion -> criterion.equals(few.ofAll()));
        Survey.Criteria enough = Survey.of(tenKeys(1000)).criteria();
        assertThat(enough.byKey()).noneMatch(criterion -> criterion.equals(enough.ofAll()));
    }

    @Test
    void callsThatBecomeSlowWithoutFailingAreAnIncidentIfSlowOnesCount() {
        HandMadeLog log = new HandMadeLog("only");
        for (int second = 0; second < 1200; second++) {
            boolean slow = second >= 600 && second < 630;
            log.call(second * 1000L, slow ? 1000 : 999, Ending.SUCCESS, 0);
        }
        assertThat(Survey.of(log).incidents().count()).isZero();

        Incidents found = Survey.of(new SlowCalls(log, Duration.ofSeconds(1))).incidents();
        assertThat(found.count()).isEqualTo(1);
        assertThat(found.span(0))
                .isEqualTo(new Span(
                        span(600_000, 600_000).startNanos(),
                        span(629_000, 629_000).startNanos() + 1));
    }

    @Test
    void theOrdinaryRateIsTheMedianOfPiecesOfAHundredCallsWithOneFailureMore() {
        OrdinaryRate rates = new OrdinaryRate(OrdinaryRate.MOST_PIECES);
        assertThat(rates.get()).isZero();
        long minute = 0;
        for (int failures : List.of(99, 3, 50)) {
            for (int i = 0; i < 100; i++) {
                rates.add(minute, i < failures ? Ending.FAILURE : Ending.SUCCESS);
            }
            rates.add(minute++, Ending.IGNORED);
        }
        assertThat(rates.get()).isEqualTo(0.04);
    }
}
