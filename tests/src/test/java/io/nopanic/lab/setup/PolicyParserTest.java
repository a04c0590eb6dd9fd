package io.nopanic.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.breaker.CircuitBreaker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyParserTest {

    @TempDir
    private Path folder;

    @Test
    void ourOwnDefaultsAreThoseOfTheBuilder() throws IOException {
        assertThat(PolicyParser.parse("nopanic").describe())
                .isEqualTo(CircuitBreaker.withDefaults("any").describe());
        assertThat(properties("").describe())
                .isEqualTo(CircuitBreaker.withDefaults("any").describe());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nopanic-py | opens at 50.0 % failed of at least 10 calls in the last PT30S; open PT15S; 1 probe",
                "hystrix | opens at 50.0 % failed of at least 20 calls in the last PT10S; open PT5S; 1 probe",
                "r4j | opens at 50.0 % failed of at least 100 calls in the last 100 calls; open PT1M; 10 probes",
                "polly | opens at 10.0 % failed of at least 100 calls in the last PT30S; open PT5S; 1 probe",
                "failsafe | opens at 1 failures in a row; open PT1M; 1 probe",
                "gobreaker | opens at 6 failures in a row; open PT1M; 1 probe",
                "none | no breaker: every call is sent"
            })
    void presetsAreTheDefaultsOfTheirNamesakes(String preset, String description) throws IOException {
        assertThat(PolicyParser.parse(preset).describe()).isEqualTo(description);
    }

    @Test
    void aPresetSaysWhereItDiffersFromItsNamesake() throws IOException {
        assertThat(PolicyParser.parse("r4j").notes()).hasSize(2);
        assertThat(PolicyParser.parse("polly").notes()).isEmpty();
    }

    @Test
    void autoIsTheAdaptiveBreaker() throws IOException {
        assertThat(PolicyParser.parse("auto").describe())
                .isEqualTo(CircuitBreaker.adaptive().build().describe());
        assertThat(PolicyParser.parse("auto:10").describe())
                .isEqualTo(CircuitBreaker.adaptive().failureCost(10).build().describe());
        assertThat(properties("failureCost=0.1").describe())
                .isEqualTo(CircuitBreaker.adaptive().failureCost(0.1).build().describe());
    }

    @Test
    void aClassicBreakerCanProbeAsTheAdaptiveOneDoes() throws IOException {
        assertThat(PolicyParser.parse("count:100,50,100;schedule=quadratic/3/50ms/10s")
                        .describe())
                .isEqualTo(
                        "opens at 50.0 % failed of at least 100 calls in the last 100 calls; open for 3.0 x the root of the"
                                + " calls refused, from PT0.05S to PT10S; 1 probe");
    }

    @Test
    void aLineNamesWindowPercentageMinimumAndOpenTime() throws IOException {
        BreakerSpec spec = (BreakerSpec) PolicyParser.parse("count:100,30%,20,1m");
        assertThat(spec.name()).isEqualTo("count:100,30%,20,1m");
        assertThat(spec.trip())
                .isEqualTo(new Trip.Rates(
                        new Trip.Window.Calls(100), 20, 0.3, OptionalDouble.empty(), OptionalDouble.empty()));
        assertThat(spec.schedule()).isEqualTo(new Schedule.Timed(Duration.ofMinutes(1), 1, Optional.empty(), 0));
    }

    @Test
    void optionsFollowAfterSemicolons() throws IOException {
        BreakerSpec spec =
                (BreakerSpec) PolicyParser.parse("time:30s,50,10,15s;probes=3;growth=2/30s;jitter=0.2;slow-after=1s");
        assertThat(spec.schedule())
                .isEqualTo(new Schedule.Timed(Duration.ofSeconds(15), 2, Optional.of(Duration.ofSeconds(30)), 0.2));
        assertThat(spec.probing().probes()).isEqualTo(3);
        assertThat(spec.describe())
                .isEqualTo("opens at 50.0 % failed or 50.0 % failed or slow of at least 10 calls in the last PT30S;"
                        + " open PT15S growing x2.0 up to PT30S +-20 %; 3 probes");
    }

    @Test
    void aFileHasTheBuildersNames() throws IOException {
        PolicySpec spec =
                properties("failureRate=0.25\nminimumCalls = 20\n# comment\nopenFor=10s\nconsecutiveFailures=7\n");
        assertThat(spec.describe())
                .isEqualTo("opens at 25.0 % failed of at least 20 calls in the last PT30S, or 7 failures in a row;"
                        + " open PT10S; 1 probe");
        assertThat(spec.name()).endsWith("current.properties");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "failurRate=0.5 | 'failurRate' is not a setting (did you mean 'failureRate'?)",
                "failureRate=1.5 | failureRate is '1.5', allowed is a share from 0 to 1, such as 0.5 or 50%",
                "failureRate=0 | failureRate is 0.0, allowed is a share more than 0 and at most 1",
                "failureRate=half | failureRate is 'half', allowed is a share such as 0.5 or 50%",
                "minimumCalls=0 | minimumCalls is 0, allowed is a whole number of at least 1",
                "minimumCalls=few | minimumCalls is 'few', allowed is a whole number",
                "openFor=10 | openFor is '10', allowed is a duration such as 100ms, 1.5s, 2m, 1h or 20d",
                "openGrowth=2 | openGrowth is '2', allowed is a factor and a cap, such as 2/30s",
                "retryAfterCap=1s | retryAfterCap means nothing here",
                "slowCost=2 | failureCost is not set",
                "slowAfterLearned=2s | failureCost is not set",
                "slowCallRate=0.5 | slowAfter is not set, allowed is a duration"
            })
    void aBadSettingIsNamedWithWhatIsAllowed(String line, String complaint) {
        assertThatThrownBy(() -> properties(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("current.properties")
                .hasMessageContaining(complaint);
    }

    @Test
    void whatTheBuilderWarnsOfAtTheExpectedTrafficIsNoted() throws IOException {
        assertThat(properties("timeWindow=10s\nminimumCalls=100\nexpectedRate=1\n")
                        .notes())
                .isNotEmpty();
        assertThat(properties("timeWindow=10s\nminimumCalls=100\n").notes()).isEmpty();
    }

    @Test
    void aSettingThatIsGivenTwiceIsRefused() {
        assertThatThrownBy(() -> properties("probes=1\nprobes=2\n"))
                .hasMessageContaining("probes is given twice: '1' and '2'");
        assertThatThrownBy(() -> PolicyParser.parse("count:10,50,10,1s;open-for=2s"))
                .hasMessageContaining("openFor is given twice: '1s' and '2s'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "resilience4j | is none of none, auto,",
                "polli | did you mean 'polly'?",
                "conut:100,50,100,60s | 'conut' is no kind of policy (did you mean 'count'?)",
                "count:100,50 | count is '100,50', allowed is a window, a percentage, the fewest calls and the open time",
                "count:100,0.5,100,60s | the percentage is '0.5', allowed is a number from 1 to 100, or a smaller one",
                "time:30s,50,10,15s;probe=3 | 'probe' is not a setting (did you mean 'probes'?)",
                "time:30s,50,10,15s;probes | 'probes' is no option; one looks like probes=3",
                "time:30s,50,10,15s;schedule=cubic | schedule is 'cubic', allowed is quadratic",
                "count:10,50,20,60s | minimumCalls is 20, allowed is at most the 10 calls of the count window",
                "consecutive:5,30s;slow-after=1s | failures in a row alone do not count slow calls",
                "auto:1;failure-rate=0.5 | only one of the two can be set",
                "auto:1;probes=2;close-after=3 | only one of the two can be set",
                "auto:1000 | failureCost is 1000.0, allowed is a number from 0.05 to 100.0",
                "count:100,50,100,60s;schedule=quadratic | quadraticProbing is 'true' and openFor is '60s'; only one"
            })
    void aBadLineIsRefused(String line, String complaint) {
        assertThatThrownBy(() -> PolicyParser.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint);
    }

    private PolicySpec properties(String text) throws IOException {
        Path file = folder.resolve("current.properties");
        Files.writeString(file, text, StandardCharsets.UTF_8);
        return PolicyParser.parse(file.toString());
    }
}
