package io.nopanic.lab.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.PolicyParser;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PredictorTest {

    private static Prediction predict(String policy, Conditions conditions) throws IOException {
        return Predictor.predict((BreakerSpec) PolicyParser.parse(policy), conditions, 1);
    }

    private static Estimate value(Prediction prediction, String key) {
        return find(prediction, key).orElseThrow();
    }

    private static Optional<Estimate> find(Prediction prediction, String key) {
        return prediction.lines().stream()
                .filter(line -> line.key().equals(key))
                .map(Line::estimate)
                .findFirst();
    }

    private static Conditions loaded(double rate, double latency, double timeout, int bulkhead, OptionalDouble slow) {
        return new Conditions(
                rate,
                0.01,
                1,
                60,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(latency),
                OptionalDouble.of(timeout),
                slow,
                OptionalInt.of(bulkhead));
    }

    // ---------------------------------------------------------------------------------------------------------------
    // values

    @Test
    void aCountWindowIsPredictedByItsFormulas() throws IOException {
        Prediction prediction = predict("count:100,50,100,60s", Conditions.of(10, 0.01, 1, 60));

        assertThat(value(prediction, "callsToFalseTrip").value()).isCloseTo(3.3e71, withPercentage(2));
        assertThat(value(prediction, "callsToFalseTrip").worth()).isEqualTo(Worth.APPROXIMATE);
        assertThat(value(prediction, "callsToTrip").value()).isCloseTo(49.5, withPercentage(0.1));
        assertThat(value(prediction, "timeToTrip").value()).isCloseTo(4.95, withPercentage(0.1));
        assertThat(value(prediction, "timeUntilClosed").value()).isInfinite();
        assertThat(value(prediction, "bestOpenTime").value()).isCloseTo(3.46, withPercentage(0.2));
        assertThat(value(prediction, "openTimeCost").value()).isGreaterThan(5);
    }

    @Test
    void evidenceIsPredictedWithTheThresholdThatItLearns() throws IOException {
        Prediction prediction = predict("auto:1", Conditions.of(1000, 0.01, 1, 10));

        assertThat(value(prediction, "callsToTrip").value()).isCloseTo(12, withPercentage(0.2));
        assertThat(value(prediction, "callsToTrip").worth()).isEqualTo(Worth.EXACT);
        assertThat(prediction.description()).contains("outweighing successes by 12.0");
        assertThat(prediction.notes()).anySatisfy(note -> assertThat(note).startsWith("the threshold of 12 is what"));
    }

    @Test
    void evidenceThatIsGivenIsTaken() throws IOException {
        Prediction prediction = predict("auto:9;evidence-threshold=40", Conditions.of(10, 0.05, 1, 10));

        assertThat(value(prediction, "callsToFalseTrip").value()).isCloseTo(5273.61857, withPercentage(1e-6));
        assertThat(prediction.notes()).noneMatch(note -> note.contains("learns"));
    }

    @Test
    void evidenceThatFadesBetweenFailuresIsNotSaidToBeExact() throws IOException {
        Conditions seldom = loaded(0.02, 0.1, 30, 10, OptionalDouble.of(1));
        Prediction fading = predict("auto:9;evidence-threshold=40;slow-after=1s", seldom);

        assertThat(value(fading, "callsToTrip").worth()).isEqualTo(Worth.SIMULATED);
        assertThat(value(fading, "timeToTripAtTimeout").bound()).contains("fades");
        assertThat(value(fading, "timeToTripWhenSlow").bound()).contains("fades");
        assertThat(value(predict("auto:9;evidence-threshold=40", Conditions.of(0.03, 0.01, 1, 60)), "callsToTrip")
                        .worth())
                .isEqualTo(Worth.EXACT);
    }

    @Test
    void noOpenTimeCostsLessThanTheLeast() throws IOException {
        Estimate cost = value(predict("consecutive:5,11500ms", Conditions.of(0.1, 0.01, 1, 10)), "openTimeCost");

        assertThat(cost.value()).isGreaterThan(1).isLessThan(1.01);
        assertThat(cost.bound()).contains("numerically");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consecutive:1,1s;growth=2/4s;open-jitter=1",
                "consecutive:1,1s;growth=1.5/8s;open-jitter=0.5",
                "consecutive:1,2s;growth=1/3s;open-jitter=1"
            })
    void jitterThatTheCapCutsShortensTheMeanAsInTheProductionBreaker(String policy) throws IOException {
        BreakerSpec spec = (BreakerSpec) PolicyParser.parse(policy);
        Trials trials = new Trials(spec, 20, 0, new Trials.Effort(1, 2000, 2_000_000));

        assertThat(trials.untilClosed(0.8).seconds().mean())
                .isCloseTo(
                        OpenForm.of(spec, 20)
                                .secondsUntilClosed(0.8)
                                .orElseThrow()
                                .value(),
                        withPercentage(5));
    }

    @Test
    void sharesOfTheTimeAddUpToOne() throws IOException {
        Prediction prediction = predict("consecutive:3,5s", Conditions.of(10, 0.3, 1, 60));

        assertThat(value(prediction, "shareClosed").value()
                        + value(prediction, "shareOpen").value()
                        + value(prediction, "shareHalfOpen").value())
                .isCloseTo(1, withPercentage(1e-9));
        assertThat(value(prediction, "shareClosed").value()).isCloseTo(0.414, withPercentage(0.1));
    }

    @Test
    void aBlindWindowIsSimulatedWithItsSeedRunsAndInterval() throws IOException {
        Estimate seconds = value(predict("hystrix", Conditions.of(1, 0.01, 1, 60)), "timeToTrip");

        assertThat(seconds.worth()).isEqualTo(Worth.SIMULATED);
        assertThat(seconds.bound()).isEqualTo("400 runs, seed 1");
        assertThat(seconds.value()).isBetween(300.0, 1500.0);
        assertThat(seconds.interval()).hasValueSatisfying(interval -> {
            assertThat(interval.low()).isLessThan(seconds.value()).isGreaterThan(seconds.value() * 0.8);
            assertThat(interval.high()).isGreaterThan(seconds.value()).isLessThan(seconds.value() * 1.2);
        });
    }

    @Test
    void theSameSeedGivesTheSamePrediction() throws IOException {
        BreakerSpec spec = (BreakerSpec) PolicyParser.parse("hystrix");
        Conditions conditions = Conditions.of(2, 0.01, 0.8, 30);
        Prediction first = Predictor.predict(spec, conditions, 7);

        assertThat(Predictor.predict(spec, conditions, 7).lines()).isEqualTo(first.lines());
        assertThat(Predictor.predict(spec, conditions, 8).lines()).isNotEqualTo(first.lines());
    }

    @Test
    void aBreakerThatNeverTripsIsSaidToNeverTrip() throws IOException {
        Estimate calls = value(predict("polly", Conditions.of(1, 0.01, 1, 60)), "callsToTrip");

        assertThat(calls.value()).isInfinite();
        assertThat(calls.interval().orElseThrow().low()).isGreaterThan(100_000);
    }

    @Test
    void aRecoveryUnderQuadraticProbingIsShort() throws IOException {
        Prediction prediction = predict("auto:1", Conditions.of(100, 0.01, 1, 60));

        assertThat(value(prediction, "timeLate").worth()).isEqualTo(Worth.SIMULATED);
        assertThat(value(prediction, "timeLate").value()).isBetween(0.1, 2.0);
        assertThat(value(prediction, "outagesNoticed").value()).isEqualTo(1);
        assertThat(find(prediction, "bestOpenTime")).isEmpty();
    }

    @Test
    void hangingCallsAreFollowedToTheTrip() throws IOException {
        Prediction prediction = predict("consecutive:7,1s", loaded(10, 0.5, 30, 4, OptionalDouble.empty()));
        assertThat(value(prediction, "timeToTripAtTimeout").value()).isCloseTo(60.4, withPercentage(0.1));
        assertThat(value(prediction, "stuckAtTimeout").value()).isEqualTo(4);

        Prediction early = predict("consecutive:7,1s", loaded(10, 0.5, 30, 100, OptionalDouble.of(1)));
        assertThat(value(early, "timeToTripWhenSlow").value()).isCloseTo(1.7, withPercentage(0.1));
        assertThat(value(early, "stuckAtTimeout").value()).isEqualTo(100);
    }

    @Test
    void bulkheadsAreSizedByErlang() throws IOException {
        Prediction prediction = predict("consecutive:7,1s", loaded(10, 0.5, 30, 10, OptionalDouble.empty()));

        assertThat(value(prediction, "callsInFlight").value()).isEqualTo(5);
        assertThat(value(prediction, "blocked").value()).isCloseTo(0.01838, withPercentage(0.1));
        assertThat(value(prediction, "slots").value()).isEqualTo(16);
    }

    @Test
    void outagesThatComeAgainAndAgainHaveSharesOfTheTime() throws IOException {
        Conditions conditions = new Conditions(
                10,
                0.01,
                1,
                10,
                OptionalDouble.of(100),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty());
        Prediction prediction = predict("consecutive:3,5s", conditions);

        assertThat(value(prediction, "shareNotClosed").value()).isBetween(0.09, 0.13);
        assertThat(value(prediction, "probesPerHour").value()).isBetween(50.0, 100.0);
    }

    @Test
    void anOutageOfTooManyCallsIsLeftOutAndSaidToBe() throws IOException {
        Prediction prediction = predict("consecutive:5,1s", Conditions.of(100_000, 0.01, 1, 600));

        assertThat(find(prediction, "failuresSent")).isEmpty();
        assertThat(prediction.notes()).anySatisfy(note -> assertThat(note).contains("too many calls to be simulated"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nopanic",
                "nopanic-py",
                "hystrix",
                "r4j",
                "polly",
                "failsafe",
                "gobreaker",
                "auto",
                "auto:0.1",
                "auto:10",
                "count:20,30,5,1s;growth=2/30s;probes=3",
                "time:10s,50,20;schedule=quadratic",
                "time:10s,50,20,5s;consecutive-failures=5"
            })
    void everyPolicyCanBePredicted(String policy) throws IOException {
        Prediction prediction = predict(policy, Conditions.of(20, 0.02, 0.7, 20));

        assertThat(prediction.lines())
                .extracting(Line::key)
                .doesNotHaveDuplicates()
                .contains("callsToFalseTrip", "callsToTrip");
        assertThat(prediction.lines()).allSatisfy(line -> {
            assertThat(line.estimate().value()).as(line.key()).isNotNaN().isNotNegative();
            assertThat(line.estimate().interval().isPresent())
                    .as(line.key())
                    .isEqualTo(line.estimate().worth() == Worth.SIMULATED);
            assertThat(line.estimate().bound()).as(line.key()).isNotBlank();
        });
    }

    // ---------------------------------------------------------------------------------------------------------------
    // warnings

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            time:10s,50,20,5s     | 1   | 0.01 | the window holds 10 calls on average and is judged from 20 on
            count:100,50,10,2s    | 10  | 0.2  | it opens for nothing after 3.03 % of the times it closes
            count:100,50,100,60s  | 10  | 0.01 | an open time of 60 s is 17.3 times the one that costs least here, 3.46 s
            count:100,50,5,2s     | 10  | 0.01 | with a minimum of 5 calls and a rate of 50 %
            """)
    void settingsThatAreKnownToGoWrongAreWarnedOf(String policy, double rate, double healthy, String warning)
            throws IOException {
        assertThat(predict(policy, Conditions.of(rate, healthy, 1, 60)).warnings())
                .anySatisfy(text -> assertThat(text).startsWith(warning));
    }

    @Test
    void aRateThatTheFailuresDoNotReachIsWarnedOf() throws IOException {
        assertThat(predict("count:100,50,100,2s", Conditions.of(10, 0.01, 0.3, 60))
                        .warnings())
                .contains("failures at 30 % are below the 50 % that open it, so it opens by chance only");
        assertThat(predict("auto:1", Conditions.of(10, 0.01, 0.3, 60)).warnings())
                .contains("failures at 30 % are below the break-even of 50 %, so it opens by chance only");
    }

    @Test
    void aBulkheadThatHidesTheOutageIsWarnedOf() throws IOException {
        List<String> warnings = predict("consecutive:7,1s", loaded(10, 0.1, 30, 4, OptionalDouble.empty()))
                .warnings();
        assertThat(warnings).singleElement().asString().contains("a bulkhead of 4 shows it only 4 of them per timeout");
        assertThat(predict("consecutive:7,1s", loaded(10, 0.1, 30, 20, OptionalDouble.empty()))
                        .warnings())
                .singleElement()
                .asString()
                .contains("count only when they time out");
        assertThat(predict("consecutive:7,1s", loaded(10, 0.1, 30, 20, OptionalDouble.of(1)))
                        .warnings())
                .isEmpty();
    }

    @Test
    void soundSettingsAreNotWarnedOf() throws IOException {
        assertThat(predict("count:100,50,20,3s", Conditions.of(10, 0.01, 1, 60)).warnings())
                .isEmpty();
        assertThat(predict("auto", Conditions.of(10, 0.01, 1, 60)).warnings()).isEmpty();
    }

    // ---------------------------------------------------------------------------------------------------------------
    // conditions

    @Test
    void conditionsThatMakeNoSenseAreRefusedByName() {
        assertThatThrownBy(() -> Conditions.of(0, 0.01, 1, 60))
                .hasMessage("rate is 0.0, allowed is a number more than 0 and at most 1000000");
        assertThatThrownBy(() -> Conditions.of(10, 0.5, 0.5, 60))
                .hasMessage("healthy is 0.5, allowed is less than bad, 0.5");
        assertThatThrownBy(() -> Conditions.of(10, 0.5, 1.5, 60)).hasMessageStartingWith("bad is 1.5");
        assertThatThrownBy(() -> Conditions.of(10, 0.1, 1, Double.NaN)).hasMessageStartingWith("outage is NaN");
        assertThatThrownBy(() -> loaded(10, 0, 30, 4, OptionalDouble.empty())).hasMessageStartingWith("latency is 0.0");
        assertThatThrownBy(() -> loaded(10, 1, 30, 0, OptionalDouble.empty())).hasMessageStartingWith("bulkhead is 0");
    }

    @Test
    void aBreakerThatHardlyEverClosesAgainIsOpenForAllTheTime() throws IOException {
        Prediction prediction = predict("auto:10", Conditions.of(10, 0.7, 1, 60));

        assertThat(value(prediction, "timeOpenAfterFalseTrip").value()).isInfinite();
        assertThat(value(prediction, "shareOpen").value()).isEqualTo(1);
        assertThat(value(prediction, "shareClosed").value()).isZero();
    }
}
