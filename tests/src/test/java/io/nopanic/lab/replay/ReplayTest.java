package io.nopanic.lab.replay;

import static io.nopanic.lab.replay.HandMadeLog.BEGIN_NANOS;
import static io.nopanic.lab.replay.HandMadeLog.MILLI;
import static io.nopanic.lab.replay.HandMadeLog.span;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.events.CircuitState;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void everythingAboutOneOutageIsCounted() {
        // Closed until the third failure at 4 s; open for 3 s; a failed probe at 7 s; a good one at 10 s.
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "++------++++");
        ReplayResult result = log.replay(12_000, List.of(span(2_000, 8_000)), "consecutive:3,3s");

        PolicyResult policy = result.policies().get(0);
        Tally tally = policy.total();
        assertThat(tally.calls()).isEqualTo(12);
        assertThat(tally.refused()).isEqualTo(4); // at 5, 6, 8 and 9 s
        assertThat(tally.sent()).isEqualTo(8);
        assertThat(tally.failures()).isEqualTo(6);
        assertThat(tally.failuresSent()).isEqualTo(4);
        assertThat(tally.incidentFailuresSent()).isEqualTo(4);
        assertThat(tally.saved()).isEqualTo(2);
        assertThat(tally.wronglyRefused()).isEqualTo(2);
        assertThat(tally.trips()).isEqualTo(1);
        assertThat(tally.falseTrips()).isZero();
        assertThat(tally.flaps()).isZero();
        assertThat(tally.probesFailed()).isEqualTo(1);
        assertThat(tally.probesSucceeded()).isEqualTo(1);
        assertThat(tally.openNanos()).isEqualTo(6 * SECOND);
        assertThat(tally.halfOpenNanos()).isZero();
        assertThat(tally.cost(1)).isEqualTo(10_000 * (2 + 4) / 12.0);
        assertThat(tally.cost(10)).isEqualTo(10_000 * (2 + 40) / 12.0);

        Responses responses = policy.responses();
        assertThat(responses.isDetected(0)).isTrue();
        assertThat(responses.delayNanos(0)).isEqualTo(2 * SECOND);
        assertThat(responses.delayCalls(0)).isEqualTo(3);
        assertThat(responses.recoveryNanos(0)).isEqualTo(2 * SECOND);
        assertThat(policy.timeline().changes())
                .containsExactly(
                        change(4_000, CircuitState.OPEN),
                        change(7_000, CircuitState.HALF_OPEN),
                        change(7_000, CircuitState.OPEN),
                        change(10_000, CircuitState.HALF_OPEN),
                        change(10_000, CircuitState.CLOSED));
    }

    private static StateTimeline.Change change(long atMillis, CircuitState state) {
        return new StateTimeline.Change(BEGIN_NANOS + atMillis * MILLI, 0, state);
    }

    @Test
    void aLogIsDescribedWhateverThePolicy() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "++------++++");
        LogFacts facts = log.replay(12_000, List.of(span(2_000, 8_000)), "none").facts();

        assertThat(facts.calls()).isEqualTo(12);
        assertThat(facts.failures()).isEqualTo(6);
        assertThat(facts.incidents()).containsExactly(new LogFacts.IncidentFacts(span(2_000, 8_000), 0, 6, 0, 6, 0, 0));
        assertThat(facts.series().buckets().stream()
                        .mapToLong(LogFacts.Bucket::calls)
                        .sum())
                .isEqualTo(12);
        assertThat(facts.series().buckets().stream()
                        .mapToLong(LogFacts.Bucket::failures)
                        .sum())
                .isEqualTo(6);
    }

    @Test
    void whatThereIsToCarryIsTheBusiestMinuteAndTheDurationsOutsideOfIncidents() {
        // The clock's minutes begin 40 s before the log: 4 calls in the first, 3 in the next.
        HandMadeLog log = new HandMadeLog("only");
        for (long at : new long[] {0, 1_000, 2_000, 39_999, 40_000, 41_000, 42_000}) {
            log.call(at, at < 2_000 ? 500 : 10, at == 41_000 ? Ending.FAILURE : Ending.SUCCESS, 0);
        }
        long begin = (60_000 - BEGIN_NANOS / MILLI % 60_000) % 60_000;
        assertThat(begin).isEqualTo(40_000);
        LogFacts facts = log.replay(60_000, List.of(span(0, 2_000)), "none").facts();

        assertThat(facts.load().busiestMinuteCalls()).isEqualTo(4);
        assertThat(facts.load().latencies().getTotalCount()).isEqualTo(4);
        assertThat(facts.load().latencies().getMaxValue()).isLessThan(11 * MILLI);
        assertThat(facts.load().repeated()).isZero();
        assertThat(facts.healthyOfAll().failureRate()).isEqualTo(1.0 / 5);
        assertThat(facts.latencies().getTotalCount()).isEqualTo(6);
    }

    @Test
    void withoutABreakerEverythingIsSent() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "++------++++");
        Tally tally = log.replay(12_000, List.of(), "none").policies().get(0).total();

        assertThat(tally.sent()).isEqualTo(12);
        assertThat(tally.failuresSent()).isEqualTo(6);
        assertThat(tally.trips()).isZero();
    }

    @Test
    void aTripIsFalseIfNoIncidentIsWithinTwoSeconds() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--++++++++++");
        assertThat(falseTrips(log, span(3_000, 4_000))).isZero(); // trips at 1 s
        assertThat(falseTrips(log, span(3_001, 4_000))).isEqualTo(1);
        HandMadeLog late = new HandMadeLog("only").calls(0, 1000, "++++--++++++");
        assertThat(falseTrips(late, span(1_000, 3_000))).isZero(); // trips at 5 s
        assertThat(falseTrips(late, span(1_000, 2_999))).isEqualTo(1);
    }

    private static long falseTrips(HandMadeLog log, Span incident) {
        return log.replay(12_000, List.of(incident), "consecutive:2,1m")
                .policies()
                .get(0)
                .total()
                .falseTrips();
    }

    @Test
    void aTripBelongsToTheIncidentInWhichTheCallsBeganThatTimedOutLater() {
        // Calls hang from 10 to 15 s, and time out from 20 s on; the third opens the breaker at 22 s, for 5 s.
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+".repeat(10));
        for (int second = 10; second < 15; second++) {
            log.call(second * 1000, 10_000, Ending.TIMEOUT, 0);
        }
        log.calls(25_000, 1000, "+".repeat(10));
        ReplayResult result = log.replay(35_000, List.of(span(10_000, 15_000)), "consecutive:3,5s");

        PolicyResult policy = result.policies().get(0);
        assertThat(policy.total().trips()).isEqualTo(1);
        assertThat(policy.total().falseTrips()).isZero();
        assertThat(result.reaction(policy).detected()).isEqualTo(1);
        assertThat(policy.responses().delayNanos(0)).isEqualTo(12 * SECOND);
        assertThat(policy.responses().delayCalls(0)).isEqualTo(5);
        assertThat(policy.responses().recoveryNanos(0)).isEqualTo(12 * SECOND);
    }

    @Test
    void callsInFlightAtTheEndOfTheLogMayStillOpenABreaker() {
        // Calls hang from 10 s until the log ends at 15 s, and time out from 20 s on.
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+".repeat(10));
        for (int second = 10; second < 15; second++) {
            log.call(second * 1000, 10_000, Ending.TIMEOUT, 0);
        }
        ReplayResult result = log.replay(15_000, List.of(span(10_000, 15_000)), "consecutive:3,5s");

        PolicyResult policy = result.policies().get(0);
        assertThat(policy.total().trips()).isEqualTo(1);
        assertThat(policy.total().falseTrips()).isZero();
        assertThat(policy.total().openNanos()).isZero();
        assertThat(policy.timeline().changes()).isEmpty();
        assertThat(result.reaction(policy).missed()).isZero();
    }

    @Test
    void openingAgainWithinTenSecondsIsAFlap() {
        // Opens at 1 s, closes at 3 s, opens at 5 s and at 16 s, which is 9 s after it closed at 7 s; then 20 s after.
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--.+--.+.......--.+.................--");
        Tally tally = log.replay(60_000, List.of(), "consecutive:2,2s")
                .policies()
                .get(0)
                .total();
        assertThat(tally.trips()).isEqualTo(4);
        assertThat(tally.flaps()).isEqualTo(2);
    }

    @Test
    void aBreakerThatIsOpenWhenAnIncidentBeginsHasNothingToDetect() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--+++---+++");
        ReplayResult result = log.replay(11_000, List.of(span(0, 2_000), span(5_000, 8_000)), "consecutive:2,30s");

        Reaction reaction = result.reaction(result.policies().get(0));
        assertThat(reaction.incidents()).isEqualTo(2);
        assertThat(reaction.detected()).isEqualTo(1);
        assertThat(reaction.alreadyOpen()).isEqualTo(1);
        assertThat(reaction.missed()).isZero();
    }

    @Test
    void anIncidentWithoutCallsIsNotMissed() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+++...+++-");
        ReplayResult result = log.replay(10_000, List.of(span(3_000, 5_000), span(9_000, 10_000)), "consecutive:2,30s");

        Reaction reaction = result.reaction(result.policies().get(0));
        assertThat(reaction.incidents()).isEqualTo(1);
        assertThat(reaction.missed()).isEqualTo(1);
    }

    @Test
    void outcomesAreToldWhenCallsEndAndNotBefore() {
        HandMadeLog log = new HandMadeLog("only")
                .call(0, 5_000, Ending.TIMEOUT, 0)
                .call(1_000, 5_000, Ending.TIMEOUT, 0)
                .call(2_000, 1_000, Ending.SUCCESS, 0) // ends before both
                .call(5_999, 100, Ending.SUCCESS, 0) // the second timeout comes a moment later
                .call(6_000, 100, Ending.SUCCESS, 0)
                .call(6_500, 4_000, Ending.TIMEOUT, 0);
        ReplayResult result = log.replay(20_000, List.of(), "consecutive:2,1m");

        Tally tally = result.policies().get(0).total();
        assertThat(tally.refused()).isEqualTo(2);
        assertThat(tally.wronglyRefused()).isEqualTo(1);
        assertThat(tally.saved()).isEqualTo(1);
        assertThat(tally.savedNanos()).isEqualTo(4 * SECOND);
        assertThat(result.policies().get(0).timeline().changes()).containsExactly(change(6_000, CircuitState.OPEN));
        assertThat(tally.openNanos()).isEqualTo(14 * SECOND);
    }

    @Test
    void callsThatAreIgnoredAreNeitherSavedNorWronglyRefused() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--").call(3_000, Ending.IGNORED);
        Tally tally = log.replay(10_000, List.of(), "consecutive:2,1m")
                .policies()
                .get(0)
                .total();
        assertThat(tally.refused()).isEqualTo(1);
        assertThat(tally.saved()).isZero();
        assertThat(tally.wronglyRefused()).isZero();
    }

    @Test
    void callsInFlightThatAreSlowOpenABreakerThatWatchesThem() {
        HandMadeLog log = new HandMadeLog("only");
        for (int i = 0; i < 20; i++) {
            log.call(i * 1000L, 30_000, Ending.TIMEOUT, 0);
        }
        ReplayResult result =
                log.replay(60_000, List.of(span(0, 60_000)), "time:30s,50,4,1m", "time:30s,50,4,1m;slow-after=2s");

        assertThat(result.policies().get(0).responses().delayNanos(0)).isEqualTo(30 * SECOND + 3 * SECOND);
        assertThat(result.policies().get(1).responses().delayNanos(0))
                .isCloseTo(2 * SECOND + 3 * SECOND, within(1_100_000_000L));
    }

    @Test
    void eachKeyHasABreakerOfItsOwn() {
        HandMadeLog log = new HandMadeLog("bad", "good");
        for (int i = 0; i < 10; i++) {
            log.call(i * 1000L, 0, Ending.FAILURE, 0).call(i * 1000L, 0, Ending.SUCCESS, 1);
        }
        PolicyResult policy = log.replay(10_000, List.of(span(0, 10_000)), "consecutive:2,1m")
                .policies()
                .get(0);
        assertThat(policy.byKey().get(0).refused()).isEqualTo(8);
        assertThat(policy.byKey().get(1).refused()).isZero();
        assertThat(policy.byKey().get(1).calls()).isEqualTo(10);
        assertThat(policy.total().calls()).isEqualTo(20);
    }

    @Test
    void burstinessIsTheVarianceOfFailuresInHundredCallsOverTheirMean() {
        // Blocks of 100 calls with 2 and 0 failures in turn: mean 1, variance 4/3.
        HandMadeLog log = new HandMadeLog("only");
        for (int block = 0; block < 4; block++) {
            log.calls(block * 100_000L, 1000, (block % 2 == 0 ? "--" : "++") + "+".repeat(98));
        }
        LogFacts.Burstiness burstiness =
                log.replay(400_000, List.of(), "none").facts().burstiness();
        assertThat(burstiness.all()).isEqualTo(4.0 / 3, within(1e-12));
        assertThat(burstiness.healthy()).isEqualTo(4.0 / 3, within(1e-12));
    }

    @Test
    void slowCallsCountAsFailedForTheLogAndForBreakersThatWatchThem() throws Exception {
        HandMadeLog calls = new HandMadeLog("only");
        for (int second = 0; second < 1200; second++) {
            calls.call(second * 1000L, second >= 600 && second < 660 ? 5000 : 20, Ending.SUCCESS, 0);
        }
        CallLog log = new SlowCalls(calls, Duration.ofSeconds(1));
        List<PolicySpec> specs =
                List.of(PolicyParser.parse("time:30s,50,4,10s"), PolicyParser.parse("time:30s,50,4,10s;slow-after=1s"));
        ReplayResult result = Replay.run(log, Survey.of(log), specs, done -> {});

        LogFacts facts = result.facts();
        assertThat(facts.failures()).isEqualTo(60);
        assertThat(facts.slow()).isEqualTo(60);
        assertThat(facts.timeouts()).isZero();
        assertThat(facts.slowAfterNanos()).hasValue(SECOND);
        assertThat(facts.incidents()).singleElement().satisfies(incident -> {
            assertThat(incident.failures()).isEqualTo(60);
            assertThat(incident.slow()).isEqualTo(60);
        });
        assertThat(facts.healthy()).containsExactly(new LogFacts.Healthy(1140, 0));
        assertThat(facts.latencies().getTotalCount()).isEqualTo(1200);

        PolicyResult blind = result.policies().get(0);
        assertThat(blind.total().trips()).isZero();
        assertThat(result.reaction(blind).missed()).isEqualTo(1);
        PolicyResult watching = result.policies().get(1);
        assertThat(result.reaction(watching).detected()).isEqualTo(1);
        assertThat(watching.total().falseTrips()).isZero();
        assertThat(watching.total().saved()).isPositive();
        assertThat(watching.total().saved() + watching.total().failuresSent()).isEqualTo(60);
    }

    @Test
    void falseTripsThatFollowEachOtherWithinTenSecondsAreOneStretchForTheInterval() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--.+--.+.......--.+.................--");
        ReplayResult result = log.replay(7_200_000, List.of(), "consecutive:2,2s");
        Tally tally = result.policies().get(0).total();

        assertThat(tally.falseTrips()).isEqualTo(4);
        assertThat(tally.falseStretches()).isEqualTo(2);
        Interval stretches = Interval.ofPoissonMean(2);
        Interval perDay = result.falseTripsPerDay(result.policies().get(0)).orElseThrow();
        assertThat(perDay.from()).isCloseTo(stretches.from() * 2 * 12, within(1e-9));
        assertThat(perDay.to()).isCloseTo(stretches.to() * 2 * 12, within(1e-9));
    }

    @Test
    void aTripAfterATrueOneBeginsAStretchOfItsOwn() {
        // Opens at 1 s in the incident, closes at 3 s, and opens at 8 s when that is long over.
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "--.+...--");
        Tally tally = log.replay(60_000, List.of(span(0, 1_500)), "consecutive:2,2s")
                .policies()
                .get(0)
                .total();
        assertThat(tally.flaps()).isEqualTo(1);
        assertThat(tally.falseTrips()).isEqualTo(1);
        assertThat(tally.falseStretches()).isEqualTo(1);
    }

    @Test
    void ofLessThanAnHourNothingIsSaidOfDays() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+++");
        ReplayResult shorter = log.replay(3_599_999, List.of(), "r4j");
        ReplayResult hour = log.replay(3_600_000, List.of(), "r4j");
        assertThat(shorter.falseTripsPerDay(shorter.policies().get(0))).isEmpty();
        assertThat(hour.falseTripsPerDay(hour.policies().get(0))).isPresent();
    }

    @Test
    void tooManyKeysAreRefused() {
        String[] keys = new String[Replay.MAX_KEYS + 1];
        Arrays.setAll(keys, String::valueOf);
        assertThatThrownBy(() -> new HandMadeLog(keys).replay(1_000, List.of(), "none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10001 keys, allowed are 10000");
    }

    @Test
    void withoutTimelinesEverythingElseIsTheSame() throws Exception {
        HandMadeLog log = new HandMadeLog("db").calls(0, 1000, "++++++------++++++");
        List<PolicySpec> specs = List.of(PolicyParser.parse("consecutive:5,1s"));
        Survey survey = Survey.of(log);
        ReplayResult with = Replay.run(log, survey, specs, done -> {});
        ReplayResult without = Replay.runWithoutTimelines(log, survey, specs, done -> {});
        assertThat(with.policies().get(0).timeline().changes()).isNotEmpty();
        assertThat(without.policies().get(0).timeline().changes()).isEmpty();
        assertThat(without.policies().get(0).total())
                .isEqualTo(with.policies().get(0).total());
    }

    @Test
    void howBadAnIncidentWasIsOfTheCallsThatSaySomething() {
        HandMadeLog log = new HandMadeLog("db");
        for (int i = 0; i < 10; i++) {
            log.call(1000L * i, i % 2 == 0 ? Ending.FAILURE : Ending.IGNORED);
        }
        LogFacts.IncidentFacts incident = log.replay(10_000, List.of(span(0, 10_000)), "none")
                .facts()
                .incidents()
                .get(0);
        assertThat(incident.calls()).isEqualTo(10);
        assertThat(incident.judged()).isEqualTo(5);
        assertThat(incident.severity()).isEqualTo(1);
    }
}
