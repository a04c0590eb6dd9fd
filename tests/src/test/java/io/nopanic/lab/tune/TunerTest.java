package io.nopanic.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.replay.HandMadeLog;
import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Health;
import io.nopanic.lab.traffic.Incident;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.rules.JavaSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunerTest {

    private static final double[] TOTAL = {1};

    @TempDir
    private Path folder;

    private static Tuning tune(CallLog log, Wishes wishes) {
        try {
            return Tuner.run(log, wishes, done -> {});
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyTuning only(CallLog log, Wishes wishes) {
        Tuning tuning = tune(log, wishes);
        assertThat(tuning.keys()).hasSize(1);
        assertThat(tuning.otherKeys()).isZero();
        return tuning.keys().get(0);
    }

    /** Four hours of 10 calls/s with outages of such lengths, 15 minutes apart, in which such shares of the calls fail in turn. */
    private static CallLog invented(long seed, double[] severities, int... seconds) {
        List<Incident> incidents = new ArrayList<>();
        for (int i = 0; i < seconds.length; i++) {
            incidents.add(Incident.step(
                    Duration.ofMinutes(10 + 15L * i),
                    Duration.ofSeconds(seconds[i]),
                    severities[i % severities.length]));
        }
        Latency latency = new Latency(Duration.ofMillis(40), 0.8);
        return new Scenario(
                        "invented",
                        seed,
                        Duration.ofHours(4),
                        new Scenario.Load(Arrivals.POISSON, 10, latency),
                        Health.independent(0.005),
                        incidents)
                .calls();
    }

    /** Every half hour an outage of so many calls, one call per second, each of which takes so long. */
    private static HandMadeLog outages(int count, int calls, long takesMillis) {
        HandMadeLog log = new HandMadeLog("only");
        for (int second = 0; second < count * 1_800; second++) {
            int place = second % 1_800;
            boolean failed = place >= 900 && place < 900 + calls;
            log.call(second * 1000L, takesMillis, failed ? Ending.FAILURE : Ending.SUCCESS, 0);
        }
        return log;
    }

    // ---------------- the breaker

    @Test
    void withOrdinaryOutagesTheAdaptiveBreakerIsAsGoodAsAny() {
        KeyTuning tuning = only(
                invented(1, new double[] {1, 0.6, 1, 0.3}, 21, 46, 5, 93, 33, 157, 64, 27, 82, 12, 308, 41),
                Wishes.ofCost(1));

        assertThat(tuning.breaker().selection().incidents()).isEqualTo(12);
        assertThat(tuning.breaker().family()).isEqualTo(Family.ADAPTIVE_DEFAULT);
        assertThat(tuning.breaker().certainty()).isEqualTo(Certainty.FOUNDED);
        assertThat(tuning.breaker().contenders())
                .extracting(BreakerChoice.Contender::family)
                .containsExactly(Family.ADAPTIVE_DEFAULT, Family.ADAPTIVE, Family.CLASSIC);
        assertThat(tuning.predictions()).isEmpty();
        assertThat(tuning.byAnswer()).hasSize(4);
    }

    @Test
    void aClassicBreakerIsChosenWhereItIsClearlyCheaper() {
        // All outages take 12 s: three failures in a row and 10 s of rest are made for that.
        KeyTuning tuning = only(outages(8, 12, 5), Wishes.ofCost(1));

        assertThat(tuning.breaker().family()).isEqualTo(Family.CLASSIC);
        assertThat(tuning.breaker().spec().name()).isEqualTo("consecutive:3,10s");
        assertThat(tuning.breaker().why())
                .anySatisfy(line -> assertThat(line).contains("nothing was cheaper"))
                .anySatisfy(line ->
                        assertThat(line).contains("It suits the incidents of this log. The next will be others"));
        assertThat(Snippet.properties(tuning)).containsExactly("consecutiveFailures=3", "openFor=10 s", "probes=1");
    }

    @Test
    void withFewerThanFiveIncidentsNothingIsRankedAndFormulasStandBeside() {
        BreakerSpec current = PolicyParser.parseLine("time:30s,50,20,30s");
        KeyTuning tuning =
                only(outages(4, 30, 5), new Wishes(10, Optional.of(current), OptionalDouble.empty(), Optional.empty()));

        assertThat(tuning.breaker().family()).isEqualTo(Family.ADAPTIVE_DEFAULT);
        assertThat(tuning.breaker().certainty()).isEqualTo(Certainty.RULE_OF_THUMB);
        assertThat(tuning.breaker().spec().name()).startsWith("auto:10");
        assertThat(tuning.breaker().why().get(0)).contains("The log has 4 incidents; with fewer than 5");
        assertThat(tuning.breaker().contenders()).isEmpty();
        assertThat(tuning.predictions())
                .extracting(prediction -> prediction.policy().split(";", 2)[0])
                .containsExactly("auto:10", "time:30s,50,20,30s");
    }

    @Test
    void theBreakerInUseIsKeptIfNothingIsClearlyBetterThanAnotherOpenTime() {
        BreakerSpec current = PolicyParser.parseLine("consecutive:3,10s");
        KeyTuning tuning =
                only(outages(8, 12, 5), new Wishes(1, Optional.of(current), OptionalDouble.empty(), Optional.empty()));

        assertThat(tuning.breaker().family()).isEqualTo(Family.CURRENT);
        assertThat(tuning.breaker().spec()).isEqualTo(current);
        assertThat(tuning.breaker().why()).anySatisfy(line -> assertThat(line).contains("as it is; keep it"));
    }

    @Test
    void theBreakerInUseIsRecommendedWithAnotherOpenTimeIfThatIsClearlyBetter() {
        BreakerSpec current = PolicyParser.parseLine("consecutive:3,300s");
        KeyTuning tuning =
                only(outages(8, 17, 5), new Wishes(1, Optional.of(current), OptionalDouble.empty(), Optional.empty()));

        assertThat(tuning.breaker().family()).isEqualTo(Family.CURRENT);
        assertThat(tuning.breaker().spec().name()).isEqualTo("consecutive:3,300s, open 15s");
        assertThat(Snippet.properties(tuning)).contains("openFor=15 s");
    }

    @Test
    void whatAFailureCostsChangesTheAnswer() {
        KeyTuning tuning = only(invented(2, TOTAL, 23, 47, 31, 94, 36, 157), Wishes.ofCost(3));
        assertThat(tuning.breaker().failureCost()).isEqualTo(3);
        assertThat(tuning.byAnswer().values())
                .extracting(BreakerChoice::failureCost)
                .containsExactly(0.1, 1.0, 3.0, 10.0);
        assertThat(tuning.byAnswer().get(FailureCost.HOLDING).spec())
                .isEqualTo(tuning.breaker().spec());
        assertThat(tuning.byAnswer().get(FailureCost.HARMLESS).spec())
                .isNotEqualTo(tuning.byAnswer().get(FailureCost.HARMFUL).spec());
    }

    // ---------------- the rest

    @Test
    void aLogWithoutDurationsHasABreakerAndNoTimes() {
        KeyTuning tuning = only(outages(6, 20, 0).withoutDurations(), Wishes.ofCost(1));

        assertThat(tuning.breaker().certainty()).isEqualTo(Certainty.FOUNDED);
        assertThat(List.of(tuning.slowAfter(), tuning.timeout(), tuning.bulkhead(), tuning.hedge()))
                .allSatisfy(each -> {
                    assertThat(each.value()).isEmpty();
                    assertThat(each.certainty()).isEqualTo(Certainty.UNKNOWN);
                });
        assertThat(Snippet.java(tuning))
                .anySatisfy(line -> assertThat(line).isEqualTo("Pipeline pipeline = Pipeline.of(retry, breaker);"));
    }

    @Test
    void aBulkheadHasRoomForTheBusiestMinute() {
        // One call per second that takes 5 s: 5 at a time, for which Erlang has 16 places.
        Recommendation<Integer> bulkhead =
                only(outages(1, 0, 5_000), Wishes.ofCost(1)).bulkhead();
        assertThat(bulkhead.value()).contains(16);
        assertThat(bulkhead.certainty()).isEqualTo(Certainty.FOUNDED);
        assertThat(bulkhead.why()).contains("calls at a time on average in the busiest minute");
    }

    @Test
    void aLogShorterThanAMinuteIsItsOwnBusiestMinuteAndSaysLittle() {
        // 20 s of 60 calls per second that take 100 ms: 6 at a time.
        HandMadeLog log = new HandMadeLog("only");
        for (int call = 0; call < 1_200; call++) {
            log.call(call * 1000L / 60, 100, Ending.SUCCESS, 0);
        }
        Recommendation<Integer> bulkhead = only(log, Wishes.ofCost(1)).bulkhead();
        assertThat(bulkhead.why()).startsWith("6 calls at a time").contains("the log is shorter than a minute");
        assertThat(bulkhead.certainty()).isEqualTo(Certainty.THIN);
    }

    @Test
    void aSlowCallTimeThatIsGivenIsThatOfTheBreakerAndOfTheTimeoutToo() {
        Duration slow = Duration.ofMillis(800);
        KeyTuning key = only(new SlowCalls(outages(1, 0, 500), slow), Wishes.ofCost(1));
        assertThat(key.slowAfter().value()).contains(slow);
        assertThat(key.slowAfter().certainty()).isEqualTo(Certainty.GIVEN);
        assertThat(key.breaker().spec().slowAfter()).contains(slow);
        assertThat(key.timeout().value()).contains(Duration.ofMillis(1600));
    }

    @Test
    void retriesAreAsManyAsTheCapacityBears() {
        CallLog log = outages(1, 0, 5); // 60 calls in each minute
        assertThat(retries(log, 4)).isEqualTo(new Retries(3, 0.1));
        assertThat(retries(log, 2.5)).isEqualTo(new Retries(2, 0.1));
        assertThat(retries(log, 1.5)).isEqualTo(new Retries(3, 0.1)); // the budget alone
        assertThat(retries(log, 1.05)).isEqualTo(new Retries(1, 0));
        Recommendation<Retries> unknown = only(log, Wishes.ofCost(1)).retries();
        assertThat(unknown.value()).contains(new Retries(3, 0.1));
        assertThat(unknown.certainty()).isEqualTo(Certainty.RULE_OF_THUMB);
    }

    private static Retries retries(CallLog log, double capacity) {
        return withCapacity(log, capacity).retries().value().orElseThrow();
    }

    private static KeyTuning withCapacity(CallLog log, double capacity) {
        return only(log, new Wishes(1, Optional.empty(), OptionalDouble.of(capacity), Optional.empty()));
    }

    @Test
    void retriesOfTheLogAreNotMultipliedByThoseThatReplaceThem() {
        HandMadeLog log = outages(1, 60, 5);
        HandMadeLog retried = new HandMadeLog("only");
        for (int second = 0; second < 1_800; second++) {
            boolean failed = second >= 900 && second < 960;
            retried.call(second * 1000L, 5, failed ? Ending.FAILURE : Ending.SUCCESS, 0);
            if (failed) {
                retried.repeat(second * 1000L + 300, Ending.FAILURE).repeat(second * 1000L + 600, Ending.FAILURE);
            }
        }
        for (double capacity : new double[] {1.05, 1.5, 2.5, 4}) {
            assertThat(retries(retried, capacity)).isEqualTo(retries(log, capacity));
        }
        Recommendation<Retries> advice = withCapacity(retried, 4).retries();
        assertThat(advice.calls()).isEqualTo(1_800);
        assertThat(advice.why())
                .contains("first attempts alone take, in their busiest minute, 25 % of the capacity")
                .contains("the log has 120 repeated attempts already: set this instead of what makes them");
        assertThat(withCapacity(log, 4).retries().why()).doesNotContain("attempts already", "first attempts");
        assertThat(withCapacity(retried, 4).breaker().why())
                .anySatisfy(line -> assertThat(line).startsWith("120 of the calls are repeated attempts."));
        assertThat(only(retried, Wishes.ofCost(1)).retries().why()).contains("instead of what makes them");
    }

    @Test
    void failuresOutsideOfIncidentsAreSaidToBeHardlyAvoidable() {
        KeyTuning tuning = only(invented(1, TOTAL, 21, 46, 5, 93, 33, 157), Wishes.ofCost(1));
        assertThat(tuning.breaker().why())
                .anySatisfy(line -> assertThat(line)
                        .containsPattern(
                                "Nearly [0-9.]+ of each are failures outside of incidents, hardly any of which"));
    }

    @Test
    void eachKeyIsTunedOnItsOwnAndOnlyTheBusiest() {
        String[] keys = new String[12];
        for (int key = 0; key < keys.length; key++) {
            keys[key] = "host" + key;
        }
        HandMadeLog log = new HandMadeLog(keys);
        for (int second = 0; second < 6 * 600; second++) {
            for (int key = 0; key < keys.length; key++) {
                if (second % (key + 1) == 0) {
                    boolean failed = key == 1 && second % 600 < 60;
                    log.call(second * 1000L, 20, failed ? Ending.FAILURE : Ending.SUCCESS, key);
                }
            }
        }
        Tuning tuning = tune(log, Wishes.ofCost(1));

        assertThat(tuning.keys())
                .extracting(KeyTuning::key)
                .startsWith("host0", "host1", "host2")
                .hasSize(10);
        assertThat(tuning.keys().get(1).facts().incidents()).hasSize(6);
        assertThat(tuning.keys().get(1).facts().calls()).isEqualTo(1_800);
        assertThat(tuning.keys().get(1).breaker().certainty()).isEqualTo(Certainty.FOUNDED);
        assertThat(tuning.keys().get(0).facts().incidents()).isEmpty();
        assertThat(tuning.keys().get(0).breaker().certainty()).isEqualTo(Certainty.RULE_OF_THUMB);
        assertThat(tuning.otherKeys()).isEqualTo(2);
        assertThat(tuning.otherCalls()).isEqualTo(328 + 300);
    }

    @Test
    void wishesAreChecked() {
        assertThatThrownBy(() -> Wishes.ofCost(0)).hasMessageContaining("cost").hasMessageContaining("0.05");
        assertThatThrownBy(() -> new Wishes(1, Optional.empty(), OptionalDouble.of(-1), Optional.empty()))
                .hasMessageContaining("capacity");
        assertThatThrownBy(() -> new Wishes(1, Optional.empty(), OptionalDouble.empty(), Optional.of(Duration.ZERO)))
                .hasMessageContaining("latency-slo");
    }

    // ---------------- what is pasted

    @Test
    void theSnippetCompilesAndThePropertiesReadBack() throws IOException {
        KeyTuning tuning = only(invented(3, TOTAL, 23, 47, 31, 94, 36, 157), Wishes.ofCost(3));
        assertThat(JavaSources.errorsInStatements(Snippet.java(tuning))).isEmpty();
        assertThat(Snippet.java(tuning))
                .anySatisfy(line -> assertThat(line).contains("Retry.builder()"))
                .anySatisfy(line -> assertThat(line).contains("CircuitBreaker.adaptive()"))
                .anySatisfy(line -> assertThat(line).contains("Pipeline.of(retry, breaker, Bulkhead.of("));

        Path file = folder.resolve("recommended.properties");
        Files.write(file, Snippet.properties(tuning), StandardCharsets.UTF_8);
        assertThat(PolicyParser.parse(file.toString()).describe())
                .isEqualTo(tuning.breaker().spec().describe());
    }

    @Test
    void aKeyThatIsNoNameInJavaDoesNotBreakTheSnippet() throws IOException {
        HandMadeLog log = new HandMadeLog("a\"b\\u000a\n{}");
        for (int second = 0; second < 100; second++) {
            log.call(second * 1000L, 5, Ending.SUCCESS, 0);
        }
        assertThat(JavaSources.errorsInStatements(Snippet.java(only(log, Wishes.ofCost(1)))))
                .isEmpty();
    }
}
