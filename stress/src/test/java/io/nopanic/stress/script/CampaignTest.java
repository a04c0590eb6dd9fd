package io.nopanic.stress.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.stress.Verdict;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CampaignTest {

    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    @Test
    void passesIfAllThatWasExpectedHappened() {
        assertThat(verdict(tally -> tally.count("it"))).isEqualTo(Verdict.PASSED);
    }

    @Test
    void doesNotJudgeIfSomethingNeverHappened() {
        assertThat(verdict(tally -> {})).isEqualTo(Verdict.UNJUDGED);
    }

    @Test
    void aDifferenceIsAFault() {
        assertThat(verdict(tally -> {
                    throw new Divergence("differs");
                }))
                .isEqualTo(Verdict.FAULT);
    }

    @Test
    void classesThatDoNotFitTogetherAreNoFault() {
        assertThatThrownBy(() -> verdict(tally -> {
                    throw new NoSuchMethodError("gone");
                }))
                .isInstanceOf(NoSuchMethodError.class);
    }

    private static Verdict verdict(Consumer<Tally> step) {
        RunOptions options = new RunOptions();
        options.seeds = 3L;
        return new Campaign(List.of(new Stepping(step)), false, NOWHERE).run(options, Duration.ofSeconds(1));
    }

    /** Does the same in each step, and expects that "it" happens. */
    private record Stepping(Consumer<Tally> step) implements Subject {

        @Override
        public String name() {
            return "stepping";
        }

        @Override
        public List<String> expected() {
            return List.of("it");
        }

        @Override
        public Setup setup(RandomGenerator random) {
            return new Setup() {
                @Override
                public Step draw(RandomGenerator lines) {
                    return new Step(0, Verdict.PASSED, 0, 0);
                }

                @Override
                public Run begin(Tally tally) {
                    return line -> step.accept(tally);
                }
            };
        }
    }
}
