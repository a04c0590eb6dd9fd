package io.nopanic.lab.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsecutiveTest {

    @ParameterizedTest
    @CsvSource({"5, 0.2, 3905", "3, 0.05, 8420", "5, 0.05, 3368420", "1, 0.25, 4", "4, 1, 4"})
    void meanCallsAreThoseOfTheClosedForm(int failures, double failureRate, double calls) {
        assertThat(new Consecutive(failures).meanCalls(failureRate)).isCloseTo(calls, withPercentage(1e-9));
    }

    @Test
    void meanCallsKeepTheirPrecisionWhereARunIsAlmostCertain() {
        assertThat(new Consecutive(3).meanCalls(1 - 1e-12)).isCloseTo(3, withPercentage(1e-6));
    }

    @Test
    void withoutFailuresItNeverOpens() {
        assertThat(new Consecutive(3).meanCalls(0)).isInfinite();
        assertThat(new Consecutive(3).varianceOfCalls(0)).isInfinite();
    }

    @ParameterizedTest
    @CsvSource({"1, 0.25, 12", "2, 0.5, 22", "3, 0.5, 142", "5, 1, 0"})
    void theVarianceIsThatOfTheClosedForm(int failures, double failureRate, double variance) {
        assertThat(new Consecutive(failures).varianceOfCalls(failureRate)).isCloseTo(variance, withPercentage(1e-9));
    }

    @Test
    void longWaitsAreExponential() {
        Consecutive rule = new Consecutive(6);
        assertThat(Math.sqrt(rule.varianceOfCalls(0.02))).isCloseTo(rule.meanCalls(0.02), withPercentage(1e-3));
    }

    @Test
    void whatIsNoProbabilityIsRefused() {
        assertThatThrownBy(() -> new Consecutive(3).meanCalls(1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("failureRate is 1.5, allowed is a number from 0.0 to 1.0");
        assertThatThrownBy(() -> new Consecutive(0)).hasMessageStartingWith("failures is 0");
    }
}
