package io.nopanic.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CusumTest {

    /** From the closed form where a failure costs 1, from the linear equations elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "1, 6, 0.1, 747330",
        "1, 6, 0.5, 42",
        "1, 6, 0.7, 13.136618",
        "1, 6, 0.3, 686.680384",
        "9, 40, 0.05, 5273.61857",
        "9, 40, 0.2, 38.0960632",
        "9, 40, 0.5, 10.5265212",
        "9, 40, 0.01, 4.60309e7"
    })
    void meanCallsToATripAreThoseOfTheLinearEquations(double cost, double threshold, double rate, double calls) {
        assertThat(Cusum.ofFailureCost(cost).meanCallsToTrip(threshold, rate)).isCloseTo(calls, withinPercentage(1e-4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 17, 60})
    void whereAFailureCostsOneTheClosedFormHolds(int threshold) {
        Cusum test = Cusum.ofFailureCost(1);
        for (double rate : new double[] {0.01, 0.1, 0.25, 0.4, 0.6, 0.9}) {
            double odds = (1 - rate) / rate;
            double closed =
                    ((Math.pow(odds, threshold + 1) - odds) / Math.pow(odds - 1, 2) - threshold / (odds - 1)) / rate;
            assertThat(test.meanCallsToTrip(threshold, rate)).isCloseTo(closed, withinPercentage(1e-8));
        }
        assertThat(test.meanCallsToTrip(threshold, 0.5)).isCloseTo(threshold * (threshold + 1), withinPercentage(1e-8));
    }

    @ParameterizedTest
    @CsvSource({
        // cost, and the threshold in levels (a failure's where it costs less than a success) at 1, 10, 100 and 1000
        // calls a second
        "0.1, 20, 29, 39, 48, 10",
        "1, 5, 7, 10, 12, 1",
        "2, 8, 11, 14, 18, 1",
        "3, 10, 14, 19, 23, 1",
        "5, 14, 20, 27, 34, 1",
        "10, 21, 34, 47, 60, 1"
    })
    void theThresholdGrowsWithTheLogarithmOfTheCallRate(
            double cost, int at1, int at10, int at100, int at1000, int levels) {
        Cusum test = Cusum.ofFailureCost(cost);
        double[] expected = {at1, at10, at100, at1000};
        double rate = 1;
        for (double each : expected) {
            assertThat(test.threshold(rate * 600, test.toleratedRate())).isEqualTo(each / levels);
            rate *= 10;
        }
    }

    @ParameterizedTest
    @CsvSource({"600, 5", "6e3, 7", "6e4, 10", "6e5, 12"})
    void aThresholdIsTheLowestThatIsEnough(double calls, double threshold) {
        Cusum test = Cusum.ofFailureCost(1);
        assertThat(test.threshold(calls, 0.25)).isEqualTo(threshold);
        assertThat(test.meanCallsToTrip(threshold, 0.25)).isGreaterThanOrEqualTo(calls);
        assertThat(test.meanCallsToTrip(threshold - 1, 0.25)).isLessThan(calls);
    }

    @Test
    void theRatesFollowFromTheOdds() {
        assertThat(Cusum.ofFailureCost(1).breakEvenRate()).isEqualTo(0.5);
        assertThat(Cusum.ofFailureCost(1).toleratedRate()).isEqualTo(0.25);
        assertThat(Cusum.ofFailureCost(3).breakEvenRate()).isEqualTo(0.25);
        assertThat(Cusum.ofFailureCost(3).toleratedRate()).isCloseTo(0.1, within(1e-12));
        assertThat(Cusum.ofFailureCost(0.1).toleratedRate()).isCloseTo(10 / 13.0, within(1e-12));
        assertThat(Cusum.ofFailureCost(10).toleratedRate()).isCloseTo(1 / 31.0, within(1e-12));
    }

    /** A score that is simulated, with costs that are no whole numbers, above and below 1. */
    @ParameterizedTest
    @CsvSource({"1.5, 6, 0.3", "2.25, 9, 0.2", "0.3, 2.1, 0.7", "0.1, 2.0, 0.85", "3.7, 14.8, 0.2"})
    void aSimulationAgrees(double cost, double threshold, double rate) {
        SplittableRandom random = new SplittableRandom(4711);
        int trips = 20_000;
        long calls = 0;
        for (int trip = 0; trip < trips; trip++) {
            double score = 0;
            while (score < threshold - 1e-9) {
                score = random.nextDouble() < rate ? score + cost : Math.max(0, score - 1);
                calls++;
            }
        }
        assertThat(Cusum.ofFailureCost(cost).meanCallsToTrip(threshold, rate))
                .isCloseTo((double) calls / trips, withinPercentage(4));
    }

    @Test
    void keepsItsPrecisionHoweverLongItTakes() {
        double calls = Cusum.ofFailureCost(1).meanCallsToTrip(41, 0.01);
        assertThat(calls).isGreaterThan(1e80).isCloseTo(Math.pow(99, 42) / (98 * 98) / 0.01, withinPercentage(1e-9));
    }

    @Test
    void aFailureThatCostsTheThresholdTripsAtOnce() {
        assertThat(Cusum.ofFailureCost(5).meanCallsToTrip(5, 0.2)).isCloseTo(5, within(1e-9));
        assertThat(Cusum.ofFailureCost(5).meanCallsToTrip(0.001, 1)).isEqualTo(1);
        assertThat(Cusum.ofFailureCost(5).threshold(1, 0.2)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.07, 0.33, 0.999, 1.01, 7.77, 33.3, 99.7, 100})
    void everyCostIsWithinFivePercentOfItsFraction(double cost) {
        Cusum test = Cusum.ofFailureCost(cost);
        double threshold = test.threshold(30 * 600, test.toleratedRate());
        assertThat(test.meanCallsToTrip(threshold, test.toleratedRate())).isGreaterThanOrEqualTo(18_000);
        // As many failures in a row as the threshold says trip, give or take those 5 %.
        assertThat(test.meanCallsToTrip(threshold, 1))
                .isCloseTo(Math.ceil(threshold / cost), within(threshold / cost / 20 + 1));
    }

    @Test
    void refusesWhatMakesNoSense() {
        Cusum test = Cusum.ofFailureCost(1);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, 1e9}) {
            assertRefused("failureCost is " + bad, () -> Cusum.ofFailureCost(bad));
            assertRefused("threshold is " + bad, () -> test.meanCallsToTrip(bad, 0.5));
            assertRefused("failureRate is " + bad, () -> test.meanCallsToTrip(10, bad));
            assertRefused("failureRate is " + bad, () -> test.threshold(10, bad));
        }
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, 0.99}) {
            assertRefused("calls is " + bad, () -> test.threshold(bad, 0.25));
        }
    }

    @Test
    void refusesAThresholdThatIsBeyondAllBounds() {
        assertRefused("calls is 1.0E15", () -> Cusum.ofFailureCost(1).threshold(1e15, 0.9));
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .withMessageContaining(message)
                .withMessageContaining("allowed is");
    }
}
