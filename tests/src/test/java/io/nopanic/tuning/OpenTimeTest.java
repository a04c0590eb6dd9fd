package io.nopanic.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenTimeTest {

    @ParameterizedTest
    @CsvSource({"1, 60, 10, 3.46", "1, 60, 1, 10.95", "1, 60, 100, 1.095", "10, 600, 10, 34.64"})
    void theBestOpenTimeGrowsWithTheRootOfOutagesAndShrinksWithThatOfCalls(
            double cost, double outageSeconds, double rate, double bestSeconds) {
        assertThat(OpenTime.optimal(cost, outageSeconds, rate)).isCloseTo(bestSeconds, within(0.005));
    }
}
