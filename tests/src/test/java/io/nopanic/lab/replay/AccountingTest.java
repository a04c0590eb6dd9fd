package io.nopanic.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.setup.PolicyParser;
import io.nopanic.lab.setup.PolicySpec;
import io.nopanic.lab.traffic.Arrivals;
import io.nopanic.lab.traffic.Latency;
import io.nopanic.lab.traffic.Mix;
import io.nopanic.lab.traffic.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every log and every policy. */
class AccountingTest {

    private static Scenario scenario(Mix mix, long seed) {
        return mix.scenario(
                new Scenario.Load(Arrivals.POISSON, 5, new Latency(Duration.ofMillis(200), 1)),
                Duration.ofHours(3),
                seed);
    }

    private static ReplayResult replay(Scenario scenario, List<String> policies) throws Exception {
        List<PolicySpec> specs = new ArrayList<>();
        for (String policy : policies) {
            specs.add(PolicyParser.parse(policy));
        }
        return Replay.run(scenario.calls(), Survey.of(scenario), specs, done -> {});
    }

    @ParameterizedTest
    @EnumSource
    void everyCallIsAccountedForOnce(Mix mix) throws Exception {
        List<String> policies = Stream.concat(
                        PolicyParser.presets().stream(),
                        Stream.of("time:30s,50,10,15s;slow-after=1s", "auto;slow-after=1s"))
                .toList();
        ReplayResult result = replay(scenario(mix, 3), policies);

        LogFacts facts = result.facts();
        for (PolicyResult policy : result.policies()) {
            Tally tally = policy.total();
            assertThat(tally.calls()).isEqualTo(facts.calls());
            assertThat(tally.failures()).isEqualTo(facts.failures());
            assertThat(tally.sent() + tally.refused()).isEqualTo(tally.calls());
            assertThat(tally.saved() + tally.failuresSent()).isEqualTo(tally.failures());
            assertThat(tally.saved() + tally.wronglyRefused()).isEqualTo(tally.refused());
            assertThat(tally.incidentFailuresSent()).isLessThanOrEqualTo(tally.failuresSent());
            assertThat(tally.falseTrips()).isLessThanOrEqualTo(tally.trips());
            assertThat(tally.openNanos() + tally.halfOpenNanos())
                    .isLessThanOrEqualTo(result.survey().whole().lengthNanos());
            assertThat(tally.openNanos() > 0).isEqualTo(tally.trips() > 0);
            Reaction reaction = result.reaction(policy);
            assertThat(reaction.detected() + reaction.alreadyOpen() + reaction.missed())
                    .isEqualTo(reaction.incidents());
            BlockCosts blocks = policy.blocks();
            assertThat(Arrays.stream(blocks.wronglyRefused()).sum()).isEqualTo(tally.wronglyRefused());
            assertThat(Arrays.stream(blocks.failuresSent()).sum()).isEqualTo(tally.failuresSent());
            assertThat(Arrays.stream(policy.incidentBlocks().failuresSent()).sum())
                    .isEqualTo(tally.incidentFailuresSent());
        }
    }

    @Test
    void theSameSeedGivesTheSameNumbersAndAnotherOneOthers() throws Exception {
        List<String> policies = List.of("auto", "r4j", "consecutive:5,10s;jitter=0.5");
        List<Tally> once = tallies(replay(scenario(Mix.STANDARD, 3), policies));
        assertThat(tallies(replay(scenario(Mix.STANDARD, 3), policies))).isEqualTo(once);
        assertThat(tallies(replay(scenario(Mix.STANDARD, 4), policies))).isNotEqualTo(once);
    }

    @Test
    void aPolicyDoesTheSameAloneAsBesideOthers() throws Exception {
        List<Tally> together = tallies(replay(scenario(Mix.FLAPPING, 3), List.of("auto", "r4j", "polly")));
        assertThat(tallies(replay(scenario(Mix.FLAPPING, 3), List.of("polly")))).containsExactly(together.get(2));
    }

    private static List<Tally> tallies(ReplayResult result) {
        return result.policies().stream().map(PolicyResult::total).toList();
    }
}
