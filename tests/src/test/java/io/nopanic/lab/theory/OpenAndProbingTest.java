package io.nopanic.lab.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAndProbingTest {

    // ---------------------------------------------------------------------------------------------------------------
    // probing

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0.05, 0.95",
        "3, 3, 0.05, 0.86",
        "5, 5, 0.05, 0.77",
        "10, 6, 0.05, 1.0",
        "1, 1, 0.25, 0.75",
        "3, 3, 0.25, 0.42",
        "5, 5, 0.25, 0.24",
        "10, 6, 0.25, 0.92",
        "1, 1, 0.5, 0.50",
        "3, 3, 0.5, 0.125",
        "5, 5, 0.5, 0.031",
        "10, 6, 0.5, 0.377",
        "1, 1, 0.75, 0.25",
        "3, 3, 0.75, 0.016",
        "5, 5, 0.75, 0.001",
        "10, 6, 0.75, 0.02",
        "1, 1, 0.9, 0.10",
        "3, 3, 0.9, 0.001",
        "5, 5, 0.9, 0",
        "10, 6, 0.9, 0"
    })
    void theChanceToCloseIsThatOfTheReference(int probes, int successes, double failureRate, double chance) {
        assertThat(new Probing(probes, successes).closes(failureRate)).isCloseTo(chance, offset(0.005));
    }

    @Test
    void probesThatAreAllNeededCloseWithAPower() {
        assertThat(new Probing(3, 3).closes(0.5)).isEqualTo(0.125);
        assertThat(new Probing(10_000, 10_000).closes(0)).isEqualTo(1);
    }

    // ---------------------------------------------------------------------------------------------------------------
    // from the trip until it closes

    /** Probing takes until its last call has come: a gap between calls each, so {@code d} is the mean number of probes at the rate of calls. */
    @ParameterizedTest
    @CsvSource({
        "5,    1,   5, 1,  1, 0.5, 10, 10.2,  2",
        "5,    1,   5, 1,  1, 0.9, 10, 51.0,  10",
        "60,   1,  60, 10, 6, 0.5, 10, 161.4, 22",
        "1,    2,  30, 1,  1, 0.8, 10, 65.5,  5",
        "1,  1.5,  30, 3,  3, 0.5, 5,  108.7, 14",
        "0.25, 2,  30, 3,  3, 0.7, 20, 947.6, 51.5",
        "1,    2,  30, 5,  3, 0.6, 2,  30.65, 12.8"
    })
    void theTimeFromTheTripUntilItClosesIsThatOfTheReference(
            double first,
            double factor,
            double cap,
            int probes,
            int successes,
            double failureRate,
            double callsPerSecond,
            double seconds,
            double allProbes) {
        Probing probing = new Probing(probes, successes);
        double closes = probing.closes(failureRate);
        double sent = probing.meanProbes(failureRate);

        assertThat(sent / closes).isCloseTo(allProbes, withPercentage(0.5));
        assertThat(new OpenTime(first, factor, cap).meanSecondsUntilClosed(closes, sent / callsPerSecond))
                .isCloseTo(seconds, withPercentage(0.1));
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 30, 0.2", "1, 1.5, 30, 0.125", "0.25, 2, 30, 0.027", "1, 2, 30, 0.5", "7, 3, 7, 0.3"})
    void aGrowingOpenTimeAddsUpToTheClosedForm(double first, double factor, double cap, double closes) {
        double x = factor * (1 - closes);
        double growths = Math.ceil(Math.log(cap / first) / Math.log(factor));
        double sum = x == 1 ? growths : (1 - Math.pow(x, growths)) / (1 - x);
        double expected = first * sum + cap * Math.pow(1 - closes, growths) / closes;

        assertThat(new OpenTime(first, factor, cap).meanSecondsUntilClosed(closes, 0))
                .isCloseTo(expected, withPercentage(1e-9));
    }

    @Test
    void anOpenTimeThatNeverClosesHasNoMean() {
        assertThatThrownBy(() -> OpenTime.fixed(5).meanSecondsUntilClosed(0, 0))
                .hasMessageStartingWith("closes is 0.0");
        assertThatThrownBy(() -> new OpenTime(5, 2, 1)).hasMessageStartingWith("capSeconds is 1.0");
    }

    // ---------------------------------------------------------------------------------------------------------------
    // the best open time

    @ParameterizedTest
    @CsvSource({
        "1, 60, 1, 11.0, 10.6",
        "1, 60, 10, 3.46, 3.44",
        "1, 60, 100, 1.10, 1.10",
        "1, 600, 10, 11.0, 10.9",
        "10, 10, 1, 14.1, 11.5"
    })
    void theBestOpenTimeIsCloseToTheMinimumOfTheCost(
            double failureCost, double recovery, double callsPerSecond, double law, double minimum) {
        double best = io.nopanic.tuning.OpenTime.optimal(failureCost, recovery, callsPerSecond);
        assertThat(best).isCloseTo(law, withPercentage(0.5));

        double there = OpenTime.cost(minimum, failureCost, recovery, callsPerSecond);
        assertThat(OpenTime.cost(minimum * 1.02, failureCost, recovery, callsPerSecond))
                .isGreaterThan(there * (1 - 1e-4));
        assertThat(OpenTime.cost(minimum * 0.98, failureCost, recovery, callsPerSecond))
                .isGreaterThan(there * (1 - 1e-4));
        assertThat(OpenTime.cost(minimum * 10, failureCost, recovery, callsPerSecond))
                .isGreaterThan(there * 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 60, 10", "10, 10, 1", "1, 1, 0.0001", "1, 3600, 100000", "50, 0.5, 1"})
    void theCheapestOpenTimeCostsNoMoreThanItsNeighbours(double failureCost, double recovery, double callsPerSecond) {
        double cheapest = OpenTime.cheapestSeconds(failureCost, recovery, callsPerSecond);
        double least = OpenTime.cost(cheapest, failureCost, recovery, callsPerSecond);
        for (double factor : new double[] {0.9, 0.99, 1.01, 1.1}) {
            assertThat(OpenTime.cost(cheapest * factor, failureCost, recovery, callsPerSecond))
                    .isGreaterThan(least);
        }
    }

    // ---------------------------------------------------------------------------------------------------------------
    // quadratic probing

    @Test
    void quadraticProbingSendsItsFirstProbesAfterTwoFiveTenSeventeenRefusedCalls() {
        QuadraticProbing schedule = QuadraticProbing.forFailureCost(1);
        assertThat(schedule.kappa()).isEqualTo(2);
        assertThat(new long[] {1, 2, 3, 4, 5}).satisfies(probes -> {
            long[] expected = {2, 5, 10, 17, 26};
            for (int i = 0; i < probes.length; i++) {
                assertThat(schedule.refusedBeforeProbe((int) probes[i])).isEqualTo(expected[i]);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"0.63, 1000", "1, 300", "2, 100", "2, 1000", "4, 100", "6.3, 1000"})
    void probesOfAQuadraticScheduleAreNearTheSquareOfTheirNumber(double kappa, int probe) {
        double square = Math.pow(kappa * probe / 2, 2);
        assertThat((double) new QuadraticProbing(kappa).refusedBeforeProbe(probe))
                .isCloseTo(square, withPercentage(12));
    }

    @ParameterizedTest
    @CsvSource({"1, 1e3", "2, 1e3", "2, 1e5", "4, 1e3", "4, 1e6"})
    void theFailedProbesOfAnOutageAreNearTheirFormula(double kappa, double refused) {
        QuadraticProbing schedule = new QuadraticProbing(kappa);
        int probes = 0;
        for (long at = schedule.next(0); at < refused; at = schedule.next(at)) {
            probes++;
        }
        assertThat(schedule.failedProbes(refused)).isBetween(probes - 2.0, probes * 1.1 + 2);
    }

    @Test
    void theBestKappaHasTheLeastSumOfFailedProbesAndWastedRefusals() {
        double failureCost = 3;
        double best = QuadraticProbing.forFailureCost(failureCost).kappa();
        assertThat(cost(failureCost, best))
                .isLessThan(cost(failureCost, best * 1.05))
                .isLessThan(cost(failureCost, best * 0.95));
        assertThat(cost(failureCost, best)).isCloseTo(2 * Math.sqrt(failureCost * 1000), withPercentage(1e-9));
    }

    private static double cost(double failureCost, double kappa) {
        QuadraticProbing schedule = new QuadraticProbing(kappa);
        return failureCost * schedule.failedProbes(1000) + schedule.wastedRefusals(1000);
    }

    // ---------------------------------------------------------------------------------------------------------------
    // shares of the time

    @Test
    void sharesOfTheTimeAddUpToOne() {
        StateShares shares = StateShares.ofSeconds(90, 9, 1);
        assertThat(shares).isEqualTo(new StateShares(0.9, 0.09, 0.01));
        assertThat(StateShares.ofSeconds(Double.POSITIVE_INFINITY, 9, 1)).isEqualTo(new StateShares(1, 0, 0));
    }

    /** Long outages and many calls: the breaker is open for as long as the dependency is down, and half an open time more. */
    @Test
    void theOpenShareOfADependencyThatComesAndGoesIsTheDownShareAndTheLateness() {
        StateShares shares = StateShares.of(new StateShares.Regimes(10_000, 1000, 100), 5, 10);
        assertThat(shares.open()).isCloseTo((1000 + 5) / 11_000.0, withPercentage(1));
        assertThat(StateShares.probesPerSecond(new StateShares.Regimes(10_000, 1000, 100), 5, 10))
                .isCloseTo(shares.open() / 10.01, withPercentage(1e-6));
    }

    @Test
    void outagesTooShortToOpenItLeaveItClosed() {
        StateShares shares = StateShares.of(new StateShares.Regimes(100, 0.01, 10), 20, 10);
        assertThat(shares.closed()).isGreaterThan(1 - 1e-9);
    }
}
