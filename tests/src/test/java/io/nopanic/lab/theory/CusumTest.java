package io.nopanic.lab.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CusumTest {

    @ParameterizedTest
    @CsvSource({
        "1, 6, 0.1, 747330",
        "1, 6, 0.5, 42",
        "1, 6, 0.7, 13.136618",
        "1, 6, 0.3, 686.680384",
        "9, 40, 0.05, 5273.61857",
        "9, 40, 0.2, 38.0960632",
        "9, 40, 0.5, 10.5265212"
    })
    void meanCallsAreThoseOfTheReference(int up, int threshold, double failureRate, double calls) {
        assertThat(new Cusum(up, 1, threshold).meanCalls(failureRate)).isCloseTo(calls, withPercentage(1e-5));
    }

    @ParameterizedTest
    @CsvSource({"6, 0.1", "12, 0.25", "40, 0.01", "5, 0.7", "30, 0.49", "80, 0.1"})
    void withEqualStepsMeanCallsAreThoseOfTheClosedFormInManyDigits(int threshold, String failureRate) {
        MathContext digits = new MathContext(200);
        BigDecimal p = new BigDecimal(failureRate);
        BigDecimal rho = BigDecimal.ONE.subtract(p).divide(p, digits);
        BigDecimal less = rho.subtract(BigDecimal.ONE);
        BigDecimal exact = rho.pow(threshold + 1)
                .subtract(rho)
                .divide(less.pow(2), digits)
                .subtract(BigDecimal.valueOf(threshold).divide(less, digits))
                .divide(p, digits);

        double calls = new Cusum(1, 1, threshold).meanCalls(p.doubleValue());

        assertThat(calls).isCloseTo(exact.doubleValue(), withPercentage(1e-11));
    }

    @Test
    void stepsThatShareAFactorAreTheSameTest() {
        assertThat(new Cusum(6, 2, 20).meanCalls(0.1))
                .isCloseTo(new Cusum(3, 1, 10).meanCalls(0.1), withPercentage(1e-11));
    }

    /** The mean times to climb a level, {@code g(i) = (1 + q (g(i-d) + ... + g(i-1))) / p}, since the score rises by one level at a time. */
    @ParameterizedTest
    @CsvSource({"10, 20, 0.77", "2, 12, 0.3", "5, 9, 0.5"})
    void withCheapFailuresMeanCallsAddUpFromTheLevelsClimbed(int down, int threshold, double p) {
        double[] climb = new double[threshold];
        double sum = 0;
        for (int level = 0; level < threshold; level++) {
            double again = 0;
            for (int below = Math.max(0, level - down); below < level; below++) {
                again += climb[below];
            }
            climb[level] = (1 + (1 - p) * again) / p;
            sum += climb[level];
        }
        assertThat(new Cusum(1, down, threshold).meanCalls(p)).isCloseTo(sum, withPercentage(1e-10));
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 0.5, 6, 31, 12.84",
        "0.05, 0.5, 4, 33, 21.79",
        "0.05, 0.8, 4, 33, 11.24",
        "0.05, 0.3, 1, 5, 285.5"
    })
    void theDelayFromTheSteadyStartIsThatOfTheReference(
            double before, double after, int up, int threshold, double calls) {
        assertThat(new Cusum(up, 1, threshold).meanCallsFromSteady(before, after))
                .isCloseTo(calls, withPercentage(0.05));
    }

    @Test
    void theSteadyStartIsEarlierThanTheStartFromZero() {
        Cusum test = new Cusum(4, 1, 33);
        assertThat(test.meanCallsFromSteady(0.05, 0.5)).isLessThan(test.meanCalls(0.5));
        assertThat(test.meanCallsFromSteady(0, 0.5)).isCloseTo(test.meanCalls(0.5), withPercentage(1e-9));
    }

    /** A retry throttle of 10 tokens that costs 1 for a failure, earns 0.1 for a success, and stops at half, in tenths. */
    @ParameterizedTest
    @CsvSource({"0.01, 2.2e8", "0.02, 2.6e6", "0.05, 6500", "0.08, 490", "0.12, 117", "0.2, 41", "0.5, 12"})
    void aTokenBucketForRetriesIsSuchATest(double failureRate, double calls) {
        assertThat(new Cusum(10, 1, 50).meanCalls(failureRate)).isCloseTo(calls, withPercentage(3));
    }

    @Test
    void whenEveryCallFailsItOpensAfterTheFailuresInARow() {
        Cusum test = new Cusum(9, 1, 40);
        assertThat(test.failuresInARow()).isEqualTo(5);
        assertThat(test.meanCalls(1)).isEqualTo(5);
        assertThat(test.meanCalls(0)).isInfinite();
    }

    @Test
    void theFirstOrderDelayIsCloseForALargeThreshold() {
        Cusum test = new Cusum(1, 1, 400);
        assertThat(test.firstOrderDelay(0.8)).isCloseTo(test.meanCalls(0.8), withPercentage(1));
        assertThatThrownBy(() -> test.firstOrderDelay(0.5)).hasMessageContaining("more than the break-even rate, 0.5");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0.1", "4, 1, 0.05", "1, 3, 0.5"})
    void meanCallsGrowWithTheThresholdByTheRootOfTheFirstOrder(int up, int down, double failureRate) {
        Cusum test = new Cusum(up, down, 100);
        double grown = Math.log(test.withThreshold(120).meanCalls(failureRate) / test.meanCalls(failureRate));
        assertThat(test.growthPerUnit(failureRate)).isCloseTo(grown / 20, withPercentage(1));
        assertThatThrownBy(() -> test.growthPerUnit(test.breakEvenRate()))
                .hasMessageContaining("less than the break-even rate");
    }

    @ParameterizedTest
    @CsvSource({"600, 5", "6e3, 7", "6e4, 10", "6e5, 12"})
    void theThresholdGrowsWithTheLogarithmOfTheBudget(double calls, int threshold) {
        Cusum found = new Cusum(1, 1, 1).withMeanCalls(calls, 0.25);
        assertThat(found.threshold()).isEqualTo(threshold);
        assertThat(found.meanCalls(0.25)).isGreaterThanOrEqualTo(calls);
        assertThat(found.withThreshold(threshold - 1).meanCalls(0.25)).isLessThan(calls);
    }
}
