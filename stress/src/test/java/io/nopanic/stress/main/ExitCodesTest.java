package io.nopanic.stress.main;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.stress.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExitCodesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "model --nonsense",
                "model --seeds many",
                "model nonsense",
                "model retry nonsense --seeds 1",
                "interleavings --quick Nonsense",
                "linearizability --quick nonsense",
                "mutations nonsense",
                "mutations stress/mutations",
            })
    void whatCannotBeRunIsNoFault(String command) {
        assertThat(Main.run(command.split(" "))).isEqualTo(Verdict.UNJUDGED.exitCode());
    }

    @Test
    void aRunInWhichTooLittleHappensIsNoFault() {
        assertThat(Main.run("model", "breaker", "--seeds", "1")).isEqualTo(Verdict.UNJUDGED.exitCode());
    }

    @Test
    void aRunThatFindsNothingPasses() {
        assertThat(Main.run("model", "retry", "--seeds", "100")).isEqualTo(Verdict.PASSED.exitCode());
    }
}
