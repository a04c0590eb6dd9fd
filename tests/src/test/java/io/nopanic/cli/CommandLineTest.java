package io.nopanic.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool as its users meet it; only the process around it is left out. */
class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(Screen.plain(out, err), VirtualTime.create().time(), arguments);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    // --------------------------------------------------------------------------------------------------------------
    // usage

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                      | nopanic: a command is missing: demo or load or predict or simulate or replay or tune
                    --fast                  | nopanic: Unknown option: '--fast'
                    explode                 | nopanic: Unmatched argument at index 0: 'explode'
                    demo now                | nopanic demo: Unmatched argument at index 1: 'now'
                    load --threads 0        | nopanic load: --threads: 0 is not between 1 and 1024
                    load --threads many     | nopanic load: Invalid value for option '--threads': 'many' is not an int
                    load --threads          | nopanic load: Missing required parameter for option '--threads' (N)
                    load --calls 100000001  | nopanic load: --calls: 100000001 is not between 1 and 100000000
                    load --failing most     | nopanic load: Invalid value for option '--failing': 'most' is not a share; write it as 1/3, 0.25 or 25%
                    load --failing 1/0      | nopanic load: Invalid value for option '--failing': '1/0' is not a share; write it as 1/3, 0.25 or 25%
                    load --failing 19/20    | nopanic load: --failing: 19/20 is not between 0 and 0.9
                    predict                 | nopanic predict: --policy is missing
                    predict --policy r4j    | nopanic predict: --rate is missing
                    predict --policy r4j --rate 0 | nopanic predict: rate is 0.0, allowed is a number more than 0 and at most 1000000
                    predict --policy none --rate 1 | nopanic predict: --policy: 'none' is no breaker; there is nothing to predict
                    predict --policy r4k --rate 1 | nopanic predict: policy 'r4k' is none of none, auto, nopanic, nopanic-py, hystrix, r4j, polly, failsafe, gobreaker (did you mean 'r4j'?), no form such as count:100,50,100,60s, time:30s,50,10,15s, consecutive:5,30s or auto:1, and no file of properties
                    predict --policy count:100 --rate 1 | nopanic predict: policy 'count:100': count is '100', allowed is a window, a percentage, the fewest calls and the open time, such as count:100,50,100,60s
                    predict --healthy few   | nopanic predict: Invalid value for option '--healthy': 'few' is not a share; write it as 1/3, 0.25 or 25%
                    predict --outage long   | nopanic predict: Invalid value for option '--outage': 'long' is not a duration such as 100ms, 1.5s, 2m, 1h or 20d
                    predict --policy r4j --rate 1 --healthy 50% --bad 5% | nopanic predict: healthy is 0.5, allowed is less than bad, 0.05
                    predict --policy r4j --rate 1 --cost 1000 | nopanic predict: cost is 1000.0, allowed is a number from 0.01 to 100.0
                    predict --check --calls 1 | nopanic predict: calls is 1, allowed is a whole number from 10000 to 1000000000
                    load --policy guess     | nopanic load: Invalid value for option '--policy': 'guess' is none of time-window, count-window, consecutive
                    """)
    void wrongUsageIsExplainedInOneLineAndEndsWithTwo(String arguments, String complaint) {
        int code = run(arguments.isEmpty() ? new String[0] : arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).startsWith(complaint + System.lineSeparator());
        assertThat(err.toString().lines().count()).isLessThanOrEqualTo(3);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheOneThatWasMeant() {
        run("loads");

        assertThat(err.toString()).contains("Did you mean: nopanic load?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "demo --help", "load --help", "load -h", "predict --help"})
    void helpHasExamplesAndExitCodesAndFitsOnATerminal(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();

        assertThat(out.toString()).contains("Usage: nopanic", "Examples:", "Exit codes:", "--help");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(run("--version")).isZero();

        assertThat(out.toString())
                .matches("(?s)nopanic \\d+\\.\\d+\\.\\d+\\S*\\R.*"
                        + Runtime.version().feature() + ".*");
    }

    // ---------------------------------------------------------------------------------------------------------------
    // demo

    @Test
    void theDemoShowsTheTableAsPlainText() {
        assertThat(run("demo")).isZero();

        assertThat(out.toString())
                .contains("calls that reached the server         30              15")
                .contains("calls that succeeded                  25              10")
                .contains("calls that failed                      5               5")
                .contains("calls that were short-circuited        0              15")
                .doesNotContain("\u001b", "\r");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theDemoAsJsonAddsUp() throws IOException {
        assertThat(run("demo", "--json")).isZero();

        assertThat(json().get("asExpected").booleanValue()).isTrue();
        for (String run : new String[] {"withoutBreaker", "withBreaker"}) {
            JsonNode made = json().get(run);
            assertThat(made.get("calls")).hasSize(30);
            assertThat(made.get("ok").intValue() + made.get("failed").intValue())
                    .isEqualTo(made.get("reached").intValue());
            for (String outcome : new String[] {"ok", "failed", "shortCircuited"}) {
                assertThat(made.get("calls").findValuesAsText("outcome"))
                        .filteredOn(outcome::equals)
                        .hasSize(made.get(outcome).intValue());
            }
        }
        assertThat(json().get("withBreaker").get("stateChanges").findValuesAsText("to"))
                .containsExactly("OPEN", "HALF_OPEN", "OPEN", "HALF_OPEN", "OPEN", "HALF_OPEN", "CLOSED");
    }

    // ---------------------------------------------------------------------------------------------------------------
    // load

    @Test
    void theLoadAsJsonAddsUp() throws IOException {
        assertThat(run("load", "--threads", "3", "--calls", "1000", "--failing", "25%", "--no-naive", "--json"))
                .isZero();

        JsonNode json = json();
        assertThat(json.get("asExpected").booleanValue()).isTrue();
        assertThat(json.get("runs")).hasSize(2).allSatisfy(run -> {
            assertThat(run.get("ok").longValue()).isEqualTo(2250);
            assertThat(run.get("failed").longValue()).isEqualTo(750);
            assertThat(run.get("shortCircuited").longValue()).isZero();
            assertThat(run.get("state").textValue()).isEqualTo("CLOSED");
            assertThat(run.get("callsInWindow").longValue()).isEqualTo(3000);
            assertThat(run.get("nanos").longValue()).isPositive();
        });
        assertThat(json.has("naive")).isFalse();
        assertThat(json.get("memory").get("callsInWindow").longValue()).isEqualTo(1_000_000);
        // How many bytes, another test says: here the heap is that of all tests.
        assertThat(json.get("memory").get("bytesAfter").isIntegralNumber()).isTrue();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theLoadIsToldAsPlainText() {
        assertThat(run("load", "--threads", "2", "--calls", "3000", "--policy", "consecutive", "--no-naive"))
                .isZero();

        assertThat(out.toString())
                .contains("2 threads make 3,000 calls each", "CLOSED")
                .containsPattern("failed +2,000 +2,000")
                .doesNotContain("\u001b", "\r", "naive");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    // ---------------------------------------------------------------------------------------------------------------
    // predict

    @Test
    void aPredictionSaysWhatEachLineIsWorth() {
        assertThat(run("predict", "--policy", "count:100,50,100,60s", "--rate", "10"))
                .isZero();

        assertThat(out.toString())
                .contains("While 1.00 % of 10 calls per second fail:", "From when 100 % of them fail:")
                .containsPattern("calls until a false trip +3.3e\\+71 +approximate \\[1]")
                .containsPattern("chance that probing closes it +0 % +exact \\[\\d+]")
                .containsPattern("failed calls sent +[\\d.]+ +[\\d.]+ to [\\d.]+ \\[\\d+]")
                .contains("simulated, 400 runs, seed 1; in this interval with a certainty of 95 %")
                .contains("if failures are independent; in bursts far fewer")
                .contains("Warning: an open time of 60 s is 17.3 times the one that costs least here")
                .doesNotContain("\u001b", "\r");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aPredictionForHangingCallsFitsOnATerminalToo() {
        String arguments = "predict --policy hystrix --rate 100 --healthy 0.1% --bad 60% --latency 200ms --bulkhead 30"
                + " --timeout 30s --slow-after 1500ms --up 1h --outage 5m";
        assertThat(run(arguments.split(" "))).isZero();

        assertThat(out.toString()).contains("If calls hang until the timeout of 30.0 s:", "Behind a bulkhead");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void aPredictionAsJsonHasItsValuesInBaseUnits() throws IOException {
        assertThat(run("predict", "--policy", "consecutive:5,30s", "--rate", "10", "--healthy", "20%", "--json"))
                .isZero();

        JsonNode json = json();
        assertThat(json.get("policy").textValue()).isEqualTo("consecutive:5,30s");
        assertThat(json.get("conditions").get("outageNanos").longValue()).isEqualTo(60_000_000_000L);
        assertThat(line(json, "callsToFalseTrip").get("value").doubleValue()).isCloseTo(3905, within(1e-6));
        assertThat(line(json, "callsToFalseTrip").get("worth").textValue()).isEqualTo("EXACT");
        assertThat(line(json, "timeToFalseTrip").get("unit").textValue()).isEqualTo("NANOSECONDS");
        assertThat(line(json, "timeToFalseTrip").get("value").doubleValue()).isCloseTo(390.5e9, within(1.0));
        assertThat(line(json, "timeUntilClosed").get("value").isNull()).isTrue();
        assertThat(line(json, "failuresSent").get("worth").textValue()).isEqualTo("SIMULATED");
        assertThat(line(json, "failuresSent").get("low").doubleValue())
                .isLessThan(line(json, "failuresSent").get("high").doubleValue());
    }

    private static JsonNode line(JsonNode json, String key) {
        for (JsonNode line : json.get("lines")) {
            if (line.get("key").textValue().equals(key)) {
                return line;
            }
        }
        throw new AssertionError("no line " + key + " in " + json);
    }

    @Test
    void theCheckShowsFormulasBesideTheProductionBreaker() throws IOException {
        assertThat(run("predict", "--check", "--calls", "20000", "--json")).isZero();

        assertThat(json().get("allHold").booleanValue()).isTrue();
        assertThat(json().get("comparisons"))
                .hasSizeGreaterThan(50)
                .allSatisfy(one -> assertThat(one.get("holds").booleanValue()).isTrue());
    }

    @Test
    void theCheckAsTextFitsOnATerminal() {
        assertThat(run("predict", "--check", "--calls", "10000")).isZero();

        assertThat(out.toString()).contains("bounds hold (seed 1).");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
}
