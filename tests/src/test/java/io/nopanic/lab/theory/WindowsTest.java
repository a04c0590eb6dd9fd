package io.nopanic.lab.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import io.nopanic.lab.theory.WarmUp.Judged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {

    /** A window that slides. */
    private static final int SLIDING = 1_000_000;

    // ---------------------------------------------------------------------------------------------------------------
    // count window

    @ParameterizedTest
    @CsvSource({
        "8, 4, 0.1, 544, 538.9",
        "10, 5, 0.1, 1680, 1674.22",
        "14, 5, 0.05, 8257, 8249",
        "16, 8, 0.1, 45126, 45118.6"
    })
    void meanCallsOfAFullCountWindowAreCloseToThoseOfTheExactChain(
            int calls, int failures, double failureRate, double formula, double chain) {
        CountWindow window = new CountWindow(calls, failures);
        assertThat(window.meanCalls(failureRate)).isCloseTo(formula, withPercentage(0.1));
        assertThat(window.meanCalls(failureRate)).isCloseTo(chain, withPercentage(1.1));
        assertThat(window.hazard(failureRate) * formula).isCloseTo(1, offset(0.001));
    }

    @ParameterizedTest
    @CsvSource({
        "20, 6, 0.05, 13540",
        "50, 12, 0.1, 3224",
        "100, 25, 0.15, 3210",
        "100, 10, 0.03, 21670",
        "100, 12, 0.05, 5084"
    })
    void meanCallsOfAFullCountWindowAreThoseOfTheReference(
            int calls, int failures, double failureRate, double formula) {
        assertThat(new CountWindow(calls, failures).meanCalls(failureRate)).isCloseTo(formula, withPercentage(0.05));
    }

    @Test
    void aHealthyCountWindowNeedsMoreCallsThanANumberOfOrdinarySizeHolds() {
        assertThat(new CountWindow(100, 10).meanCalls(0.01)).isCloseTo(1.6e8, withPercentage(5));
        assertThat(new CountWindow(100, 50).meanCalls(0.01)).isCloseTo(3.3e71, withPercentage(2));
        assertThat(new CountWindow(1000, 500).meanCalls(0.05)).isInfinite();
        assertThat(new CountWindow(100, 50).meanCalls(0)).isInfinite();
        assertThatThrownBy(() -> new CountWindow(100, 50).meanCalls(0.5))
                .hasMessage("failureRate is 0.5, allowed is less than the rate that opens, 0.5");
    }

    @ParameterizedTest
    @CsvSource({"100, 0.5, 50", "100, 0.07, 7", "3, 0.34, 2", "3, 0.3333333333333333, 1", "10, 1, 10", "7, 0.001, 1"})
    void aRateIsReachedByTheFewestFailuresThatAreThatShare(int calls, double rate, int failures) {
        assertThat(CountWindow.ofRate(calls, rate).failures()).isEqualTo(failures);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 50, 0.01, 1, 49.5",
        "100, 50, 0.01, 0.8, 62.0",
        "100, 50, 0.01, 0.6, 83.1",
        "100, 20, 0.05, 0.5, 33.3",
        "100, 50, 0, 0.5, 100"
    })
    void theFluidDelayOfACountWindowIsThatOfTheReference(
            int calls, int failures, double before, double after, double delay) {
        assertThat(new CountWindow(calls, failures).fluidDelay(before, after)).isCloseTo(delay, offset(0.06));
    }

    @Test
    void thereIsNoFluidDelayWhereTheMeanNeverReachesTheRate() {
        CountWindow window = new CountWindow(100, 50);
        assertThatThrownBy(() -> window.fluidDelay(0.01, 0.4)).hasMessageStartingWith("after is 0.4");
        assertThatThrownBy(() -> window.fluidDelay(0.6, 1)).hasMessageStartingWith("before is 0.6");
    }

    // ---------------------------------------------------------------------------------------------------------------
    // warm-up

    @ParameterizedTest
    @CsvSource({
        "5, 0.05, 2.3e-3, 3",
        "5, 0.1, 1.7e-2, 3",
        "5, 0.2, 0.116, 1",
        "10, 0.05, 6.64e-5, 0.1",
        "10, 0.1, 1.8e-3, 3",
        "10, 0.2, 3.9e-2, 1",
        "20, 0.05, 1.2e-8, 2",
        "20, 0.1, 7.9e-6, 1",
        "20, 0.2, 3.2e-3, 2"
    })
    void theChanceToOpenInTheFirstHundredCallsIsThatOfTheReference(
            int minimumCalls, double failureRate, double chance, double percent) {
        assertThat(new WarmUp(100, minimumCalls, 0.5)
                        .at(failureRate, Judged.AFTER_EVERY_CALL)
                        .tripProbability())
                .isCloseTo(chance, withPercentage(percent));
    }

    @Test
    void openingOnFailuresOnlyMakesAFalseTripRarer() {
        WarmUp start = new WarmUp(100, 10, 0.5);
        assertThat(start.at(0.05, Judged.AFTER_FAILURES).tripProbability()).isCloseTo(3.8137e-5, withPercentage(0.01));
    }

    @Test
    void aWindowThatIsJudgedWhenItIsFullOnlyWarmsUpWithoutFalseTrips() {
        WarmUp start = new WarmUp(100, 100, 0.5);
        assertThat(start.at(0.05, Judged.AFTER_FAILURES).tripProbability()).isLessThan(1e-30);
        assertThat(start.at(0.05, Judged.AFTER_FAILURES).meanCalls()).isEqualTo(100);
    }

    @Test
    void aWarmUpInWhichEveryCallFailsEndsWithTheMinimum() {
        WarmUp start = new WarmUp(100, 10, 0.5);
        assertThat(start.at(1, Judged.AFTER_FAILURES)).isEqualTo(new WarmUp.Result(1, 10));
    }

    @Test
    void theFirstFailureIsAChainOfItsOwn() {
        WarmUp start = new WarmUp(3, 1, 0.3);
        assertThat(start.at(0.25, Judged.AFTER_FAILURES).tripProbability())
                .isCloseTo(1 - 0.75 * 0.75 * 0.75, offset(1e-15));
        assertThat(start.at(0.25, Judged.AFTER_FAILURES).meanCalls()).isCloseTo(1 + 0.75 + 0.5625, offset(1e-15));
    }

    // ---------------------------------------------------------------------------------------------------------------
    // time window

    @ParameterizedTest
    @CsvSource({"10, 20, 1, 0.0035, 2", "30, 100, 3, 0.16, 3", "30, 100, 1, 7e-24, 8"})
    void theShareOfTimeInWhichAWindowIsJudgedIsThatOfTheReference(
            double seconds, int minimumCalls, double callsPerSecond, double share, double percent) {
        assertThat(new TimeWindow(seconds, SLIDING, minimumCalls, 0.5).judgedShare(callsPerSecond))
                .isCloseTo(share, withPercentage(percent));
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0.5, 0.01, 1, 4.95",
        "10, 0.5, 0.01, 0.8, 6.20",
        "10, 0.5, 0.01, 0.6, 8.31",
        "30, 0.5, 0.01, 1, 14.85"
    })
    void theFluidDelayOfATimeWindowIsThatOfTheReference(
            double seconds, double rate, double before, double after, double delay) {
        assertThat(new TimeWindow(seconds, SLIDING, 20, rate).fluidDelaySeconds(before, after))
                .isCloseTo(delay, offset(0.01));
    }

    @Test
    void manyCallsInATimeWindowAreACountWindow() {
        assertThat(new TimeWindow(10, SLIDING, 20, 0.1).meanCalls(20, 0.05))
                .isCloseTo(new CountWindow(200, 20).meanCalls(0.05), withPercentage(1e-6));
    }

    /** With at most one failure ever beside no success, the sum has a single term: p P(no call in the window) for a minimum of one call. */
    @Test
    void aWindowThatIsMostlyEmptyOpensAtAFailureThatComesAlone() {
        TimeWindow window = new TimeWindow(10, SLIDING, 1, 1);
        assertThat(window.meanCalls(0.1, 0.2)).isCloseTo(1 / (0.2 * Math.exp(-1)), withPercentage(1e-4));
    }

    @Test
    void bucketsShortenTheWindowAndSoTheTimeToAFalseTrip() {
        double sliding = new TimeWindow(10, SLIDING, 20, 0.15).meanCalls(20, 0.05);
        double inBuckets = new TimeWindow(10, 10, 20, 0.15).meanCalls(20, 0.05);
        assertThat(inBuckets).isLessThan(sliding).isGreaterThan(sliding / 10);
    }

    @Test
    void aHealthyTimeWindowNeverOpens() {
        assertThat(new TimeWindow(10, 10, 20, 0.5).meanCalls(10, 0)).isInfinite();
        assertThatThrownBy(() -> new TimeWindow(10, 10, 20, 0.5).meanCalls(0, 0.1))
                .hasMessage("callsPerSecond is 0.0, allowed is a finite number more than 0");
    }
}
