package io.nopanic.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.Replay;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.theory.Consecutive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What formulas for independent failures say is held beside what was counted. */
class IndependenceTest {

    private static ReplayResult replay(FewCalls log, String... policies) throws Exception {
        List<PolicySpec> specs = new ArrayList<>();
        for (String policy : policies) {
            specs.add(PolicyParser.parse(policy));
        }
        return Replay.run(log, Survey.of(log), specs, done -> {});
    }

    /** Ten calls a second to each key, of which so many fail, always so many in a row. */
    private static FewCalls log(int seconds, int inARow, double rate, String... keys) {
        FewCalls log = new FewCalls(keys);
        RandomGenerator random = new SplittableRandom(5);
        int[] left = new int[keys.length];
        for (int i = 0; i < 10 * seconds; i++) {
            for (int key = 0; key < keys.length; key++) {
                if (left[key] == 0 && random.nextDouble() < rate / inARow) {
                    left[key] = inARow;
                }
                log.call(key, 100L * i + key, 1, left[key] > 0 ? Ending.FAILURE : Ending.SUCCESS);
                left[key] = Math.max(0, left[key] - 1);
            }
        }
        return log;
    }

    private static String caveat(ReplayResult result) {
        return new Independence(result).sentence();
    }

    private static double formula(ReplayResult result, int policy) {
        return new Independence(result)
                .falseTripsPerDay(result.policies().get(policy))
                .orElse(Double.NaN);
    }

    @Test
    void whereFailuresAreIndependentTheFormulaSaysWhatWasCounted() throws Exception {
        ReplayResult result = replay(log(20_000, 1, 0.05, "db"), "none", "consecutive:3,1s");

        LogFacts.Healthy healthy = result.facts().healthy().get(0);
        double trips = healthy.judged() / new Consecutive(3).meanCalls((double) healthy.failures() / healthy.judged());
        double perDay = formula(result, 1);
        assertThat(perDay).isCloseTo(trips / result.days(), Offset.offset(1e-6));
        assertThat(result.falseTripsPerDay(result.policies().get(1))
                        .orElseThrow()
                        .contains(perDay))
                .isTrue();
        assertThat(caveat(result))
                .startsWith("Outside of incidents failures came as if independent of each other (burstiness factor ")
                .contains("The formula for independent failures says "
                        + Independence.perDay(perDay)
                        + " false trips a day for consecutive:3,1s, your log says "
                        + Independence.perDay(result.policies().get(1).total().falseTrips() / result.days()) + ";");
    }

    @Test
    void whereTheyComeInBurstsThereAreFarMoreThanTheFormulaSays() throws Exception {
        ReplayResult result = replay(log(20_000, 3, 0.05, "db"), "consecutive:3,1s");

        double counted = result.policies().get(0).total().falseTrips() / result.days();
        assertThat(counted).isGreaterThan(10 * formula(result, 0));
        assertThat(caveat(result)).startsWith("Failures were not independent of each other here");
    }

    @Test
    void eachKeyHasItsOwnRates() throws Exception {
        String[] keys = {"one", "other"};
        ReplayResult both = replay(log(10_000, 1, 0.05, keys), "consecutive:3,1s");

        double trips = both.facts().healthy().stream()
                .mapToDouble(key -> key.judged() / new Consecutive(3).meanCalls((double) key.failures() / key.judged()))
                .sum();
        assertThat(both.facts().healthy()).hasSize(2).doesNotHaveDuplicates();
        assertThat(formula(both, 0)).isCloseTo(trips / both.days(), Offset.offset(1e-6));
    }

    /** Of a key with two calls, one of them failed, nobody knows how often it fails. */
    @Test
    void aKeyWithFewCallsIsTakenToFailAsOftenAsAll() throws Exception {
        FewCalls log = new FewCalls("db", "rare");
        RandomGenerator random = new SplittableRandom(5);
        for (int i = 0; i < 100_000; i++) {
            log.call(0, 100L * i, 1, random.nextInt(20) == 0 ? Ending.FAILURE : Ending.SUCCESS);
        }
        log.call(1, 10_000_000L, 1, Ending.FAILURE);
        log.call(1, 10_000_001L, 1, Ending.SUCCESS);
        assertThat(formula(replay(log, "count:20,50,10,1s"), 0)).isPositive();
    }

    @Test
    void forPoliciesThatCountSlowCallsThereIsNoFormula() throws Exception {
        ReplayResult result = replay(
                log(10_000, 1, 0.05, "db"),
                "auto;slow-after=1s",
                "auto;slow-after-learned=5s",
                "count:20,50,10,1s;slow-after=1s");
        assertThat(formula(result, 0)).isNaN();
        assertThat(formula(result, 1)).isNaN();
        assertThat(formula(result, 2)).isNaN();
    }

    /** It learns from outages how often it is called; before the first it goes by 30 calls per second, here as in production. */
    @Test
    void aBreakerThatLearnsIsTakenAsItIsBeforeTheFirstOutage() throws Exception {
        ReplayResult result =
                replay(log(10_000, 1, 0.15, "db"), "auto", "auto;expected-rate=30", "auto;expected-rate=10");
        assertThat(formula(result, 0)).isEqualTo(formula(result, 1)).isNotEqualTo(formula(result, 2));
    }

    @Test
    void whereNoFormulaHoldsNoneIsMade() throws Exception {
        ReplayResult result = replay(log(10_000, 1, 0.08, "db"), "none", "count:20,10,10,1s");
        assertThat(formula(result, 0)).isNaN();
        assertThat(formula(result, 1)).isNaN();
        assertThat(caveat(result))
                .endsWith("For none of these policies there is a formula of false trips at these rates.");
    }

    @Test
    void whatALogIsTooShortForIsLeftOutAndSaid() throws Exception {
        ReplayResult result = replay(log(3_599, 1, 0.05, "db"), "consecutive:3,1s");
        assertThat(formula(result, 0)).isNaN();
        assertThat(caveat(result)).endsWith("is left out: the log is too short, less than an hour.");
    }

    @Test
    void withoutFailuresOrWithManyKeysNothingIsPromised() throws Exception {
        ReplayResult none = replay(log(4_000, 1, 0, "db"), "consecutive:3,1s");
        assertThat(formula(none, 0)).isNaN();
        assertThat(caveat(none)).contains("too few calls or failures");

        String[] keys = new String[101];
        Arrays.setAll(keys, String::valueOf);
        FewCalls log = new FewCalls(keys);
        for (int second = 0; second < 4_000; second++) {
            log.call(second % 101, second * 1000L, 1, second % 20 == 0 ? Ending.FAILURE : Ending.SUCCESS);
        }
        assertThat(caveat(replay(log, "consecutive:3,1s"))).endsWith("is left out: there are more than 100 keys.");
    }

    @Test
    void smallNumbersAreNotRoundedToNone() {
        assertThat(Independence.perDay(0)).isEqualTo("0");
        assertThat(Independence.perDay(1e-9)).isEqualTo("< 0.001");
        assertThat(Independence.perDay(0.25)).isEqualTo("0.250");
        assertThat(Independence.perDay(1234)).isEqualTo("1,234");
    }
}
