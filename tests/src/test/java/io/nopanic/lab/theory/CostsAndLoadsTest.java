package io.nopanic.lab.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostsAndLoadsTest {

    // ---------------------------------------------------------------------------------------------------------------
    // break-even

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.909, 0.77",
        "1, 0.5, 0.25",
        "2, 0.333, 0.143",
        "3, 0.25, 0.10",
        "5, 0.167, 0.0625",
        "10, 0.0909, 0.032"
    })
    void theToleratedRateHasAThirdOfTheBreakEvenOdds(double failureCost, double rate, double tolerated) {
        BreakEven costs = new BreakEven(failureCost);
        assertThat(costs.rate()).isCloseTo(rate, offset(0.0005));
        assertThat(costs.toleratedRate()).isCloseTo(tolerated, offset(0.001));
        assertThat(odds(costs.rate()) / odds(costs.toleratedRate())).isCloseTo(3, offset(1e-9));
        assertThat(costs.steps().breakEvenRate()).isCloseTo(rate, offset(0.0005));
    }

    private static double odds(double rate) {
        return rate / (1 - rate);
    }

    /** The budget is one false trip in 10 minutes at the tolerated rate. */
    @ParameterizedTest
    @CsvSource({
        "0.1, 20, 29, 39, 48",
        "1, 5, 7, 10, 12",
        "2, 8, 11, 14, 18",
        "3, 10, 14, 19, 23",
        "5, 14, 20, 27, 34",
        "10, 21, 34, 47, 60"
    })
    void thresholdsAreThoseOfTheTable(double failureCost, int at1, int at10, int at100, int at1000) {
        BreakEven costs = new BreakEven(failureCost);
        assertThat(costs.test(600).threshold()).isEqualTo(at1);
        assertThat(costs.test(6_000).threshold()).isEqualTo(at10);
        assertThat(costs.test(60_000).threshold()).isEqualTo(at100);
        assertThat(costs.test(600_000).threshold()).isEqualTo(at1000);
    }

    @ParameterizedTest
    @CsvSource({"2.5, 5, 2", "0.4, 2, 5", "3, 3, 1", "0.05, 1, 20", "100, 100, 1", "3.14159, 22, 7"})
    void costsBecomeStepsInWholeNumbers(double failureCost, int up, int down) {
        Cusum steps = new BreakEven(failureCost).steps();
        assertThat(steps.up()).isEqualTo(up);
        assertThat(steps.down()).isEqualTo(down);
    }

    // ---------------------------------------------------------------------------------------------------------------
    // hanging calls

    @ParameterizedTest
    @CsvSource({
        "10, 7, 30, 30.7, 307",
        "10, 7, 1, 1.7, 17",
        "10, 7, 0.3, 1.0, 10",
        "100, 10, 30, 30.1, 3010",
        "100, 10, 1, 1.1, 110",
        "100, 10, 0.3, 0.4, 40",
        "1000, 12, 1, 1.012, 1012"
    })
    void callsThatHangAreStuckUntilTheyCount(
            double callsPerSecond, int callsToTrip, double countedAfter, double seconds, double stuck) {
        Hanging.Trip trip = new Hanging(callsPerSecond, callsToTrip).after(countedAfter);
        assertThat(trip.seconds()).isCloseTo(seconds, offset(1e-9));
        assertThat(trip.stuck()).isCloseTo(stuck, offset(1e-9));
    }

    @Test
    void aBulkheadSmallerThanTheThresholdDelaysTheTripByWholeTimeouts() {
        Hanging.Trip trip = new Hanging(10, 7).behindBulkhead(4, 30);
        assertThat(trip.seconds()).isCloseTo(60.5, offset(0.2));
        assertThat(trip.stuck()).isEqualTo(4);
        assertThat(new Hanging(10, 7).behindBulkhead(7, 30).seconds()).isCloseTo(30.7, offset(1e-9));
        assertThat(new Hanging(10, 7).behindBulkhead(7, 30).stuck()).isEqualTo(7);
    }

    // ---------------------------------------------------------------------------------------------------------------
    // bulkheads

    @ParameterizedTest
    @CsvSource({
        "1, 6, 7, 10",
        "5, 14, 16, 20",
        "10, 21, 24, 29",
        "20, 35, 39, 45",
        "50, 71, 77, 87",
        "100, 128, 137, 149",
        "200, 238, 249, 267"
    })
    void slotsForAShareOfBlockedCallsAreThoseOfTheTable(double load, int at1e3, int at1e4, int at1e6) {
        assertThat(ErlangB.slots(load, 1e-3)).isEqualTo(at1e3);
        assertThat(ErlangB.slots(load, 1e-4)).isEqualTo(at1e4);
        assertThat(ErlangB.slots(load, 1e-6)).isEqualTo(at1e6);
    }

    @Test
    void theShareOfBlockedCallsIsThatOfErlang() {
        assertThat(ErlangB.blocked(10, 5)).isCloseTo(0.01838, offset(5e-6));
        assertThat(ErlangB.blocked(15, 10)).isCloseTo(0.0365, offset(5e-5));
        assertThat(ErlangB.blocked(0, 5)).isEqualTo(1);
        assertThat(ErlangB.blocked(5, 0)).isZero();
        assertThatThrownBy(() -> ErlangB.blocked(-1, 5)).hasMessageStartingWith("slots is -1");
    }

    // ---------------------------------------------------------------------------------------------------------------
    // retries and throttling

    @ParameterizedTest
    @CsvSource({"3, 0.1, 1.11", "3, 0.5, 1.75", "3, 0.9, 2.71", "3, 1, 3", "3, 0, 1"})
    void attemptsPerCallAreAGeometricSum(int attempts, double failureRate, double perCall) {
        assertThat(RetryLoad.attemptsPerCall(attempts, failureRate)).isCloseTo(perCall, offset(1e-9));
    }

    @Test
    void aServerStaysDownWhenTheAttemptsNeedMoreThanItHas() {
        assertThat(RetryLoad.staysDown(3, 0.30)).isFalse();
        assertThat(RetryLoad.staysDown(3, 0.45)).isTrue();
        assertThat(RetryLoad.staysDownWithBudget(0.2, 0.7)).isFalse();
        assertThat(RetryLoad.staysDownWithBudget(0.2, 0.9)).isTrue();
        assertThat(RetryLoad.recoverySeconds(8, 0.1, 0.8)).isCloseTo(8 / 0.12, withPercentage(1e-9));
        assertThat(RetryLoad.recoverySeconds(8, 0.2, 0.9)).isInfinite();
    }

    @ParameterizedTest
    @CsvSource({
        "2, 120, 10, 534",
        "2, 120, 100, 707",
        "2, 30, 100, 151",
        "2, 10, 100, 43",
        "2, 10, 1000, 58",
        "1.5, 30, 100, 275",
        "1.2, 10, 100, 184"
    })
    void aThrottledClientTakesMinutesToLetAllCallsInAgain(
            double multiplier, double window, double callsPerSecond, double seconds) {
        assertThat(new ClientThrottle(multiplier, window).recoverySeconds(callsPerSecond))
                .isCloseTo(seconds, offset(0.6));
    }

    @Test
    void aThrottledClientSendsAFewCallsPerWindowToADeadServer() {
        ClientThrottle throttle = new ClientThrottle(2, 120);
        assertThat(throttle.harmlessFailureRate()).isEqualTo(0.5);
        assertThat(throttle.sentPerWindow(1)).isEqualTo(1);
        assertThat(throttle.sentPerWindow(0.6)).isCloseTo(5, offset(1e-9));
        assertThatThrownBy(() -> throttle.sentPerWindow(0.5)).hasMessageContaining("more than 0.5");
    }
}
