package io.nopanic.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatesTest {

    @ParameterizedTest
    @CsvSource({
        // A rule that opens on successes too would come to 6.64e-5.
        "10, 0.5, 100, 0.05, 3.8137e-5",
        // 1, 2 and 3 of the first calls, by hand: p; p + qp; p + qp + 0, since a third of three is below a half.
        "1, 0.5, 1, 0.1, 0.1",
        "1, 0.5, 2, 0.1, 0.19",
        "1, 0.5, 3, 0.1, 0.19",
        // Nothing trips before the minimum, and then both must have failed.
        "2, 1.0, 1, 0.1, 0",
        "2, 1.0, 2, 0.1, 0.01",
    })
    void anEmptyWindowTripsWhileItFillsUp(int minimum, double threshold, int calls, double failures, double chance) {
        assertThat(Rates.falseTripWhileFilling(minimum, threshold, calls, failures))
                .isCloseTo(chance, within(Math.max(1e-12, chance * 2e-3)));
    }

    @Test
    void certaintyIsCertain() {
        assertThat(Rates.falseTripWhileFilling(5, 0.5, 5, 1)).isEqualTo(1);
        assertThat(Rates.falseTripWhileFilling(5, 0.5, 100, 0)).isZero();
    }

    @Test
    void badInputNamesWhatIsAllowed() {
        assertThatThrownBy(() -> Rates.falseTripWhileFilling(0, 0.5, 100, 0.1)).hasMessageContaining("minimumCalls");
        assertThatThrownBy(() -> Rates.falseTripWhileFilling(1, 0, 100, 0.1)).hasMessageContaining("threshold");
        assertThatThrownBy(() -> Rates.falseTripWhileFilling(1, 0.5, 10_001, 0.1))
                .hasMessageContaining("calls");
        assertThatThrownBy(() -> Rates.falseTripWhileFilling(1, 0.5, 1, 1.1)).hasMessageContaining("failureRate");
    }

    @ParameterizedTest
    @CsvSource({"1, 60, 10, 3.46", "1, 60, 1, 10.95", "1, 60, 100, 1.095", "10, 600, 10, 34.64"})
    void theBestOpenTimeGrowsWithTheRootOfOutagesAndShrinksWithThatOfCalls(
            double cost, double outageSeconds, double rate, double bestSeconds) {
        assertThat(OpenTime.optimal(cost, outageSeconds, rate)).isCloseTo(bestSeconds, within(0.005));
    }
}
