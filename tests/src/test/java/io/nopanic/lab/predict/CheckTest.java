package io.nopanic.lab.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {

    @Test
    void theFormulasHoldForTheProductionBreaker() {
        List<String> told = new ArrayList<>();

        List<Comparison> comparisons = Check.run(11, 100_000, told::add);

        assertThat(comparisons)
                .hasSizeGreaterThan(50)
                .allSatisfy(one -> assertThat(one.holds()).as(one.toString()).isTrue());
        assertThat(told).hasSizeGreaterThan(40);
    }

    /** Even so few runs tell most formulas from others that are two and a half times as large. */
    @Test
    void theRunsWouldShowAFormulaThatIsOff() {
        List<Comparison> comparisons = Check.run(11, 100_000, text -> {});

        long shown = comparisons.stream()
                .map(one -> new Comparison(
                        one.policy(), one.what(), one.formula() * 2.5, one.bound(), one.simulated(), one.interval()))
                .filter(one -> !one.holds())
                .count();
        assertThat(shown).isGreaterThan(comparisons.size() * 2L / 3);
    }

    @Test
    void tooFewCallsAreRefused() {
        assertThatThrownBy(() -> Check.run(1, 100, text -> {})).hasMessageStartingWith("calls is 100");
    }
}
