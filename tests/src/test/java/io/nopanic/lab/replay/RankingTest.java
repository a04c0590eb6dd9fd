package io.nopanic.lab.replay;

import static io.nopanic.lab.replay.HandMadeLog.span;
import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.report.Caveats;
import io.nopanic.lab.report.Independence;
import io.nopanic.lab.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {

    private static List<String> caveats(ReplayResult result) {
        return Caveats.of(result, new Independence(result));
    }

    /** Outages of 20 s, one an hour, one call per second. */
    private static ReplayResult outages(int count, String... policies) {
        HandMadeLog log = new HandMadeLog("only");
        List<Span> incidents = new ArrayList<>();
        for (int hour = 0; hour < count; hour++) {
            long from = hour * 3_600_000L;
            log.calls(from, 1000, "+".repeat(1800) + "-".repeat(20) + "+".repeat(1780));
            incidents.add(span(from + 1_800_000, from + 1_820_000));
        }
        return log.replay(count * 3_600_000L, incidents, policies);
    }

    @Test
    void theCheapestIsFirstAndWhatIsClearlyDearerIsTold() {
        ReplayResult result = outages(8, "none", "consecutive:3,5s", "consecutive:4,5s");
        Ranking ranking = result.ranking(1);

        assertThat(ranking.isFounded()).isTrue();
        assertThat(ranking.entries()).extracting(Ranking.Entry::policy).first().isEqualTo(1);
        assertThat(ranking.entries().get(2).policy()).isZero();
        assertThat(ranking.isTied(ranking.entries().get(2))).isFalse();
        assertThat(ranking.entries().get(2).aboveBest().from()).isPositive();
        assertThat(Verdict.of(result, ranking).get(0)).contains("consecutive:3,5s cost least");
    }

    @Test
    void policiesThatDoTheSameAreTied() {
        ReplayResult result = outages(8, "consecutive:3,5s", "count:3,100,3,5s");
        assertThat(result.ranking(1).best()).hasSize(2);
        assertThat(Verdict.of(result, result.ranking(1)))
                .singleElement()
                .asString()
                .startsWith(
                        "If one failure that is sent costs as much as 1 wrongly refused call, all policies cost the same: ");
        ReplayResult third = outages(8, "consecutive:3,5s", "count:3,100,3,5s", "none");
        assertThat(Verdict.of(third, third.ranking(1)))
                .hasSize(2)
                .first()
                .asString()
                .contains("consecutive:3,5s, count:3,100,3,5s cost least");
        assertThat(result.difference(result.policies().get(0), result.policies().get(1), 1))
                .isEqualTo(new Interval(0, 0));
    }

    @Test
    void whatDiffersOutsideOfIncidentsOnlyIsNoDifferenceOfTheirCosts() {
        // Outside of incidents the first opens for nothing, which saves four failures and refuses one good call.
        HandMadeLog log = new HandMadeLog("only");
        List<Span> incidents = new ArrayList<>();
        for (int hour = 0; hour < 8; hour++) {
            long from = hour * 3_600_000L;
            log.calls(from, 1000, "+".repeat(100) + "------+" + "+".repeat(1693) + "-".repeat(20) + "+".repeat(1780));
            incidents.add(span(from + 1_800_000, from + 1_820_000));
        }
        ReplayResult result = log.replay(8 * 3_600_000L, incidents, "consecutive:2,6s", "consecutive:8,6s");
        PolicyResult eager = result.policies().get(0);
        PolicyResult patient = result.policies().get(1);

        double difference = eager.total().incidentCost(1) - patient.total().incidentCost(1);
        Interval ofIncidents = result.incidentDifference(eager, patient, 1);
        assertThat(ofIncidents.contains(difference)).isTrue();
        assertThat(ofIncidents.contains(eager.total().cost(1) - patient.total().cost(1)))
                .isFalse();
    }

    @Test
    void thoseWithinChanceOfTheCheapestAreNamed() {
        // The second is now a call sooner, now a call later.
        HandMadeLog log = new HandMadeLog("only");
        List<Span> incidents = new ArrayList<>();
        for (int hour = 0; hour < 8; hour++) {
            long from = hour * 3_600_000L;
            log.calls(
                    from, 1000, "+".repeat(1800) + (hour % 2 == 0 ? "-".repeat(4) : "-".repeat(20)) + "+".repeat(1780));
            incidents.add(span(from + 1_800_000, from + 1_820_000));
        }
        ReplayResult result = log.replay(8 * 3_600_000L, incidents, "consecutive:3,5s", "consecutive:5,5s");
        assertThat(result.ranking(0.6).best()).hasSize(2);
        assertThat(Verdict.of(result, result.ranking(0.6)))
                .anySatisfy(line -> assertThat(line).contains("within what chance makes of it for: consecutive:"));
    }

    @Test
    void withFewerThanFiveIncidentsCloseOnesAreNotRanked() {
        ReplayResult result = outages(4, "consecutive:3,5s", "consecutive:4,5s");
        Ranking ranking = result.ranking(1);

        assertThat(ranking.isFounded()).isFalse();
        assertThat(Verdict.of(result, ranking))
                .anySatisfy(line -> assertThat(line).contains("With 4 incidents nothing can be said of the order"));
        assertThat(caveats(result)).anySatisfy(line -> assertThat(line).startsWith("Incidents: 4, fewer than 5."));
    }

    @Test
    void withFewerThanFiveIncidentsNothingIsDearerWithConfidence() {
        ReplayResult result = outages(1, "none", "consecutive:3,5s", "consecutive:4,5s");
        Ranking ranking = result.ranking(1);

        assertThat(ranking.best()).hasSize(3);
        assertThat(Verdict.of(result, ranking))
                .noneSatisfy(line -> assertThat(line).contains("95 %"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo(
                                "With 1 incident nothing can be said of the order of it and: consecutive:4,5s, none."));
    }

    @Test
    void incidentsOfKeysAtTheSameTimeCountOnceWhereverTheyAreCounted() {
        HandMadeLog log = new HandMadeLog("one", "other");
        for (int second = 0; second < 20_000; second++) {
            Ending ending = second % 4000 >= 2000 && second % 4000 < 2030 ? Ending.FAILURE : Ending.SUCCESS;
            log.call(second * 1000L, 0, ending, 0).call(second * 1000L, 0, ending, 1);
        }
        for (int count : List.of(4, 5)) {
            ReplayResult result = log.until(count * 4_000_000L).survey("consecutive:3,5s");
            assertThat(result.facts().incidents()).hasSize(2 * count);
            assertThat(result.ranking(1).incidents()).isEqualTo(count);
            assertThat(caveats(result).stream().anyMatch(line -> line.startsWith("Incidents: 4, fewer than 5.")))
                    .isEqualTo(count < 5);
        }
    }

    @Test
    void whatAFailureCostsChangesTheOrder() {
        ReplayResult result = outages(6, "consecutive:3,60s", "consecutive:15,1s");
        assertThat(result.ranking(0.1).entries().get(0).policy()).isEqualTo(1);
        assertThat(result.ranking(10).entries().get(0).policy()).isZero();
    }

    @Test
    void thatALogIsDeafToTheBreakerIsAlwaysSaid() {
        assertThat(caveats(outages(6, "none")).get(0)).contains("each call ends as recorded");
        assertThat(caveats(outages(6, "r4j")))
                .anySatisfy(line -> assertThat(line).startsWith("r4j: "));
    }

    @Test
    void whatMakesAnIncidentIsSaid() {
        ReplayResult result =
                new HandMadeLog("only").calls(0, 1000, "+".repeat(30_000)).survey("none");
        assertThat(caveats(result))
                .anySatisfy(line -> assertThat(line)
                        .contains("an ordinary minute is taken to fail at 0.10 %, and 2 failures in a row")
                        .contains("never a false one here"));
        assertThat(caveats(outages(1, "none")))
                .noneSatisfy(line -> assertThat(line).contains("ordinary minute"));
    }

    @Test
    void repeatedAttemptsAreTold() {
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, "+++");
        assertThat(caveats(log.survey("none")))
                .noneSatisfy(line -> assertThat(line).contains("repeated"));
        assertThat(caveats(log.repeat(4000, Ending.SUCCESS).survey("none")))
                .anySatisfy(line -> assertThat(line).startsWith("1 of 4 calls are repeated attempts."));
    }

    @Test
    void failuresAreCalledIndependentOnlyIfThereIsEnoughToTell() {
        String blocks = ("+".repeat(60) + "-" + "+".repeat(39)).repeat(20) + ("+".repeat(100)).repeat(9);
        HandMadeLog log = new HandMadeLog("only").calls(0, 1000, blocks);
        assertThat(caveats(log.replay(10_000_000, List.of(), "none")))
                .noneSatisfy(line -> assertThat(line).contains("independent of each other"))
                .anySatisfy(line -> assertThat(line).contains("too few calls or failures"));
        log.calls(2_900_000, 1000, "+".repeat(100));
        assertThat(caveats(log.replay(10_000_000, List.of(), "none")))
                .anySatisfy(line -> assertThat(line).contains("as if independent of each other"));
    }

    @Test
    void quantilesAreTheSmallestValuesThatSoManyAreNotAbove() {
        Reaction.Quantiles quantiles = Reaction.Quantiles.of(new long[] {5, 1, 4, 2, 3, 10, 6, 9, 7, 8});
        assertThat(quantiles).isEqualTo(new Reaction.Quantiles(10, 5, 9));
        assertThat(Reaction.Quantiles.of(new long[0]).median()).isNaN();
    }
}
