package io.nopanic.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
                    ''                      | nopanic: a command is missing: demo or load or simulate or replay
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
    @ValueSource(strings = {"--help", "demo --help", "load --help", "load -h"})
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
}
