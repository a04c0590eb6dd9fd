package io.nopanic.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nopanic.cli.terminal.Screen;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that recommends settings, as its users meet it. */
class TuneCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(Screen.plain(out, err), VirtualTime.create().time(), arguments);
    }

    /** The output, wherever its lines end. */
    private String said() {
        return out.toString().replaceAll("\\s+", " ");
    }

    /** Six outages of 20 calls, one call per second to each of two keys. */
    private String log(String format) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int second = 0; second < 3_600; second++) {
            boolean ok = second % 600 < 300 || second % 600 >= 320;
            lines.append(String.format(Locale.ROOT, format, 1_700_000_000 + second, ok, "orders"));
            lines.append(String.format(Locale.ROOT, format, 1_700_000_000 + second, true, "stock"));
        }
        Path file = folder.resolve("calls.jsonl");
        Files.writeString(file, lines, StandardCharsets.UTF_8);
        return file.toString();
    }

    private String log() throws IOException {
        return log("{\"ts\":%d,\"ms\":5,\"ok\":%s,\"key\":\"%s\"}\n");
    }

    @Test
    void whatToSetComesFirstAndThenWhyAndHowSure() throws IOException {
        assertThat(run("tune", log(), "--by", "key", "--cost", "1", "--policy", "hystrix"))
                .isZero();
        assertThat(said())
                .contains(
                        "orders",
                        "Set this, if one failure costs as much as 1 call refused for nothing:",
                        "Pipeline pipeline = Pipeline.of(",
                        "The breaker as properties, for --policy:",
                        "Breaker (well founded).",
                        "judged unseen",
                        "- slowAfter ",
                        "- timeout ",
                        "- bulkhead ",
                        "- retry 3 attempts, budget 10 % (a rule of thumb, from 3,600 calls): ",
                        "- hedge after - (well founded",
                        "The log has 0 incidents",
                        "What formulas say, while",
                        "A log does not answer back");
        assertThat(said()).doesNotContain("What a failure costs is not in the log");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whoDoesNotSayWhatAFailureCostsIsAskedInWordsAndShownAllAnswers() throws IOException {
        assertThat(run("tune", log())).isZero();
        assertThat(said())
                .contains(
                        "What a failure costs is not in the log.",
                        "- 0.1 (next to nothing",
                        "- 3 (more: the caller waits",
                        "- 10 (far more");
    }

    /** All 5 ms long, and the limit is 4 ms: each of the 7,200 calls is slow or has failed anyway. */
    @Test
    void slowAnswersAreFailuresIfSoAskedAndTheAdaptiveBreakersWatchForThem() throws IOException {
        assertThat(run("tune", log(), "--by", "key", "--cost", "1", "--slow", "4ms"))
                .isZero();
        assertThat(said()).contains("of them by being slow)", "slow-after=4ms");
        assertThat(run("tune", log(), "--by", "key", "--cost", "1", "--slow", "6ms"))
                .isZero();
        assertThat(said()).contains("(0 of them by being slow)");
    }

    @Test
    void asJsonThereIsEverythingAndThePropertiesAreAPolicy() throws IOException {
        String log = log();
        assertThat(run("tune", log, "--by", "key", "--cost", "3", "--json")).isZero();
        JsonNode result = new ObjectMapper().readTree(out.toString());
        JsonNode key = result.get("keys").get(0);
        assertThat(result.get("command").asText()).isEqualTo("tune");
        assertThat(result.get("read").get("reliable").asBoolean()).isTrue();
        assertThat(key.get("calls").asInt()).isEqualTo(3_600);
        assertThat(key.get("breaker").get("incidents").asInt()).isEqualTo(6);
        assertThat(key.get("breaker").get("families")).hasSize(3);
        assertThat(key.get("byAnswer")).hasSize(4);
        assertThat(key.get("slowAfter").get("nanos").asLong()).isPositive();
        assertThat(key.get("hedge").get("nanos").isNull()).isTrue();

        StringBuilder properties = new StringBuilder();
        key.get("properties").forEach(line -> properties.append(line.asText()).append('\n'));
        Path file = folder.resolve("recommended.properties");
        Files.writeString(file, properties, StandardCharsets.UTF_8);
        out.getBuffer().setLength(0);
        assertThat(run("replay", log, "--policy", file.toString(), "--json")).isZero();
        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .get("policies")
                        .get(0)
                        .get("description"))
                .isEqualTo(key.get("breaker").get("description"));
    }

    @Test
    void whereTheLogHasNoDurationsNobodyCanTell() throws IOException {
        assertThat(run("tune", log("{\"ts\":%d,\"ok\":%s,\"key\":\"%s\"}\n"), "--cost", "1"))
                .isZero();
        assertThat(said())
                .contains(
                        "- slowAfter - (cannot tell): the log does not say how long calls took.",
                        "- bulkhead - (cannot tell)",
                        "Pipeline.of(retry, breaker);");
    }

    @Test
    void aLogWithoutCallsAndOneThatCannotBeReadEndWithOne() throws IOException {
        Path empty = folder.resolve("empty.jsonl");
        Files.writeString(empty, "", StandardCharsets.UTF_8);
        assertThat(run("tune", empty.toString(), "--format", "jsonl")).isEqualTo(1);
        assertThat(err.toString()).contains("there are no calls in it");
        String log = log();
        Files.writeString(
                Path.of(log), Files.readString(Path.of(log)) + "what is this\n".repeat(200), StandardCharsets.UTF_8);
        assertThat(run("tune", log, "--format", "jsonl", "--cost", "1")).isEqualTo(1);
    }
}
