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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that let breakers decide about invented and recorded calls, as their users meet them. */
class LabCommandsTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(Screen.plain(out, err), VirtualTime.create().time(), arguments);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text, StandardCharsets.UTF_8);
        return file.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate --help", "replay --help", "tune --help"})
    void helpFitsOnATerminal(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();
        assertThat(out.toString()).contains("Usage: nopanic", "Examples:", "Exit codes:", "--help");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "simulate --policy plly | is none of none, auto,",
                "simulate --policy auto,auto | policy 'auto' is given twice",
                "simulate --cost 0 | --cost is 0.0, allowed is a number from 0.01 to 1000",
                "simulate --days 0 | --days is 0.0, allowed is a number above 0",
                "simulate --rate -1 | rate is -1.0, allowed is a number from",
                "simulate --latency fast | --latency is 'fast', allowed is a duration",
                "simulate --compare --rate 5 | --rate has no meaning beside --compare",
                "simulate --hang --rate 5 | --rate has no meaning beside --hang",
                "simulate some.json --seed 5 | --seed has no meaning beside FILE, which says that itself",
                "simulate --mix usual | 'usual' is none of standard,",
                "simulate --arrivals x.log --rate 5 | --rate has no meaning beside --arrivals",
                "simulate --write access.log | --write is 'access.log', allowed is a format and a file",
                "simulate --out no/such/folder/report.html | --out is 'no/such/folder/report.html', allowed is a file in a folder that is there",
                "simulate --compare --out report.html | --out has no meaning beside --compare",
                "simulate --write word:access.log | format is 'word', allowed is",
                "replay | Missing required parameter: 'FILE'",
                "replay x.log --slow 0s | --slow is 0, allowed is a duration of more than 0",
                "replay x.log --slow soon | 'soon' is not a duration",
                "replay x.log --by shoe | by is 'shoe', allowed is",
                "tune | Missing required parameter: 'FILE'",
                "tune x.log --cost 0 | cost is 0.0, allowed is a number from 0.05 to 100",
                "tune x.log --policy none | --policy is 'none', allowed is a breaker",
                "tune x.log --policy atuo | is none of none, auto,",
                "tune x.log --capacity -1 | capacity is -1.0, allowed is",
                "tune x.log --latency-slo soon | 'soon' is not a duration"
            })
    void wrongUsageIsExplainedAndEndsWithTwo(String arguments, String complaint) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(complaint);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatIsOddInALogIsToldAndWritten() throws IOException {
        StringBuilder log = new StringBuilder("ts,ok\n\n");
        for (int i = 0; i < 1000; i++) {
            log.append((i < 500 ? 1_000_000_000_000L : 999_000_000_000L) + i * 10)
                    .append(",true\n");
        }
        String file = Files.writeString(folder.resolve("odd.csv"), log).toString();

        assertThat(run("replay", file)).isZero();
        assertThat(out.toString())
                .contains(
                        "The longest time without a call was",
                        "2 lines were blank",
                        "1,000 calls are without a duration");
        assertThat(err.toString()).contains("the clock was set back 1 times, by up to");

        out.getBuffer().setLength(0);
        assertThat(run("replay", file, "--json")).isZero();
        JsonNode read = json().get("read");
        assertThat(read.get("clockJumps").asInt()).isEqualTo(1);
        assertThat(read.get("outOfOrder").asInt()).isEqualTo(50);
        assertThat(read.get("emptyLines").asInt()).isEqualTo(2);
        assertThat(read.get("withoutDuration").asInt()).isEqualTo(1000);
        assertThat(read.get("longestGapNanos").asLong()).isPositive();
        assertThat(read.get("damages").isEmpty()).isTrue();
    }

    @Test
    void callsThatWereRefusedWhileTheLogWasRecordedAreTold() throws IOException {
        String refused = "{\"ts\":1700001000,\"ms\":0,\"rejected\":\"circuit open\"}\n";
        String log = file("calls.jsonl", calls(1000) + refused.repeat(3));
        assertThat(run("replay", log, "--policy", "none")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("Something refused calls while this was recorded: 3, which were never sent.")
                .contains("1,000 calls, 3 lines dropped", "1,000 calls in");

        out.getBuffer().setLength(0);
        assertThat(run("replay", log, "--policy", "none", "--json")).isZero();
        assertThat(json().get("read").get("refused").asInt()).isEqualTo(3);

        out.getBuffer().setLength(0);
        assertThat(run("replay", file("all.jsonl", calls(1000)), "--policy", "none"))
                .isZero();
        assertThat(out.toString()).doesNotContain("Something refused calls");
    }

    @Test
    void slowCallsAreAnIncidentIfTheOptionSaysSo() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 4000; i++) {
            lines.append("{\"ts\":")
                    .append(1_700_000_000 + i)
                    .append(",\"ms\":")
                    .append(i >= 300 && i < 350 ? 2500 : 20)
                    .append(",\"ok\":true}\n");
        }
        String log = file("slow.jsonl", lines.toString());
        assertThat(run("replay", log, "--policy", "none")).isZero();
        assertThat(out.toString())
                .contains("there were no incidents", "--slow finds them")
                .doesNotContain("by being slow");

        out.getBuffer().setLength(0);
        Path page = folder.resolve("slow.html");
        assertThat(run("replay", log, "--policy", "none", "--slow", "1s", "--out", page.toString()))
                .isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("50 of them by being slow", "1 incident.", "failed or slow", "100 %")
                .contains("Calls that were answered after 1 s or later count as failed: 50.")
                .doesNotContain("--slow finds them");
        assertThat(page)
                .content(StandardCharsets.UTF_8)
                .contains("50 of them by being slow", "data-slow=\"50\"", "100 % slow");

        out.getBuffer().setLength(0);
        assertThat(run("replay", log, "--policy", "none", "--slow", "1s", "--json"))
                .isZero();
        JsonNode incident = json().get("incidents").get(0);
        assertThat(incident.get("slowShare").asDouble()).isEqualTo(1);
        assertThat(json().get("log").get("slow").asInt()).isEqualTo(50);
        assertThat(json().get("log").get("slowAfterNanos").asLong()).isEqualTo(1_000_000_000L);
    }

    @Test
    void aFileThatIsNotThereIsToldInALine() {
        assertThat(run("replay", folder.resolve("none.log").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("none.log").hasLineCount(1);
    }

    @Test
    void aSimulationShowsEachPolicyAndSaysWhatHasToBeSaid() {
        assertThat(run(
                        "simulate",
                        "--days",
                        "0.2",
                        "--rate",
                        "10",
                        "--policy",
                        "none,auto",
                        "--policy",
                        "count:10,50,10,5s"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "mix 'standard'",
                        "cost per 10,000 calls",
                        "count:10,50,10,5s",
                        "10,000 calls (95 %",
                        "each call ends as");
    }

    @Test
    void aSimulationAsJsonHasAllNumbers() throws IOException {
        assertThat(run("simulate", "--days", "0.2", "--rate", "10", "--policy", "none,auto", "--json"))
                .isZero();
        JsonNode result = json();
        assertThat(result.get("command").asText()).isEqualTo("simulate");
        JsonNode auto = result.get("policies").get(1);
        assertThat(auto.get("name").asText()).isEqualTo("auto");
        assertThat(auto.get("sent").asLong() + auto.get("refused").asLong())
                .isEqualTo(result.get("log").get("calls").asLong());
        assertThat(auto.get("incidents")).hasSameSizeAs(result.get("incidents"));
        assertThat(result.get("ranking").get("entries")).hasSize(2);
        assertThat(result.get("log").get("series").get("calls")).hasSize(1000);
        assertThat(result.get("caveats")).isNotEmpty();
    }

    @Test
    void aScenarioIsReadFromAFile() throws IOException {
        String scenario = file("friday.json", """
                {"length": "10m", "rate": 10, "failureRate": 0, "incidents": [{"start": "5m", "duration": "1m"}]}
                """);
        assertThat(run("simulate", scenario, "--policy", "none,consecutive:5,10s", "--json"))
                .isZero();
        assertThat(json().get("policies").get(1).get("trips").asInt()).isEqualTo(1);
        assertThat(json().get("scenario").asText()).isEqualTo("friday.json");
    }

    @Test
    void aFaultInAScenarioIsWrongUsage() throws IOException {
        assertThat(run("simulate", file("bad.json", "{\"length\": \"1h\", \"rates\": 3}")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("bad.json: rates is not known (did you mean 'rate'?)");
    }

    @Test
    void whatASimulationWritesAReplayReadsAndDecidesAlike() throws IOException {
        String log = folder.resolve("calls.jsonl").toString();
        String[] policies = {"--policy", "none,auto,r4j", "--json"};
        assertThat(run(
                        "simulate",
                        "--days",
                        "0.1",
                        "--rate",
                        "20",
                        "--latency",
                        "30ms",
                        "--mix",
                        "flapping",
                        "--seed",
                        "2",
                        "--write",
                        "jsonl:" + log,
                        policies[0],
                        policies[1],
                        policies[2]))
                .isZero();
        JsonNode simulated = json();
        out.getBuffer().setLength(0);
        assertThat(run("replay", log, policies[0], policies[1], policies[2])).isZero();
        JsonNode replayed = json();

        assertThat(replayed.get("read").get("reliable").asBoolean()).isTrue();
        for (String count : new String[] {"calls", "sent", "saved", "wronglyRefused", "trips", "probesFailed"}) {
            for (int policy = 0; policy < 3; policy++) {
                assertThat(replayed.get("policies").get(policy).get(count))
                        .as(count)
                        .isEqualTo(simulated.get("policies").get(policy).get(count));
            }
        }
    }

    @Test
    void aLogIsNotWrittenOverAFileThatIsThere() throws IOException {
        String there = file("calls.csv", "mine");
        assertThat(run("simulate", "--days", "0.01", "--write", "csv:" + there)).isEqualTo(1);
        assertThat(err.toString()).contains("is there already; it is not written over");
        assertThat(Path.of(there)).content(StandardCharsets.UTF_8).isEqualTo("mine");
    }

    @Test
    void aReportIsOnePageAboutTheSameNumbers() throws IOException {
        Path page = folder.resolve("report.html");
        String log = file("calls.jsonl", calls(600) + "<b>no call</b>\n");
        for (int again = 0; again < 2; again++) {
            assertThat(run("replay", log, "--policy", "none,consecutive:5,10s", "--out", page.toString()))
                    .isZero();
        }
        assertThat(err.toString()).contains("The report is in " + page);
        assertThat(page)
                .content(StandardCharsets.UTF_8)
                .startsWith("<!DOCTYPE html>")
                .contains("600 calls", "consecutive:5,10s", "&lt;b&gt;no call&lt;/b&gt;", "1 unparsable")
                .endsWith("</html>\n");
    }

    @Test
    void recommendationsAreWrittenAsOnePageToo() throws IOException {
        Path page = folder.resolve("tuned.html");
        String log = file("calls.jsonl", calls(600));
        assertThat(run("tune", log, "--policy", "hystrix", "--out", page.toString()))
                .isZero();
        assertThat(err.toString()).contains("The report is in " + page);
        assertThat(out.toString()).contains("failureCost=1");
        assertThat(page)
                .content(StandardCharsets.UTF_8)
                .startsWith("<!DOCTYPE html>")
                .contains("Set a breaker with failureCost=1", "600 lines (jsonl, as found out from the first)")
                .endsWith("</html>\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"replay", "tune"})
    void aReportIsNotWrittenOverTheLog(String command) throws IOException {
        String log = file("calls.jsonl", calls(600));
        assertThat(run(command, log, "--out", log)).isEqualTo(2);
        assertThat(err.toString()).contains("allowed is a new file, or a page of HTML to write over");
        assertThat(Path.of(log)).content(StandardCharsets.UTF_8).isEqualTo(calls(600));
    }

    private static String calls(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("{\"ts\":")
                    .append(1_700_000_000 + i)
                    .append(",\"ms\":5,\"ok\":")
                    .append(i < 300 || i > 350)
                    .append(",\"key\":\"")
                    .append(i % 2 == 0 ? "even" : "odd")
                    .append("\"}\n");
        }
        return lines.toString();
    }

    @Test
    void aBreakerForEachKeyIsShownForEachKey() throws IOException {
        assertThat(run("replay", file("calls.jsonl", calls(1000)), "--by", "key", "--policy", "none,consecutive:3,5s"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "trips by key",
                        "even",
                        "odd",
                        "1,000 calls in 16.7 min",
                        "in 2 incidents",
                        "on 2 keys (1 if those at the same time are one).");
    }

    @Test
    void moreThanOneInAHundredUnparsableLinesIsAFailureThatIsExplained() throws IOException {
        String few = file("few.jsonl", calls(1000) + "what is this\n");
        assertThat(run("replay", few, "--format", "jsonl", "--policy", "none")).isZero();
        assertThat(err.toString()).contains("1 lines (", "few.jsonl:1001: ", "what is this");
        String many = file("many.jsonl", calls(1000) + "what is this\n".repeat(20));
        assertThat(run("replay", many, "--format", "jsonl", "--policy", "none")).isEqualTo(1);
    }

    @Test
    void aHungDependencyIsNoticedSoonerByThoseThatCountCallsInFlight() {
        assertThat(run("simulate", "--hang")).isZero();
        assertThat(out.toString().lines().filter(line -> line.contains("auto;slow-after=1s")))
                .singleElement()
                .asString()
                .contains("1.14 s");
        assertThat(out.toString().lines().filter(line -> line.contains("auto;slow-after-learned=10s")))
                .singleElement()
                .asString()
                .contains(" ms ");
        assertThat(out.toString().lines().filter(line -> line.startsWith("  auto ")))
                .singleElement()
                .asString()
                .contains("30.");
    }

    @Test
    void whatIsPrintedOfAHungDependencyIsInTheJsonToo() throws IOException {
        assertThat(run("simulate", "--hang", "--json")).isZero();
        JsonNode hang = json().get("hang");
        assertThat(hang).hasSize(7);
        assertThat(hang.get(1).get("policy").asText()).isEqualTo("auto;slow-after=1s");
        assertThat(hang.get(1).get("delayCalls").asInt()).isEqualTo(103);
    }

    @Test
    void aCommaBeforeADurationDoesNotEndAPolicy() throws IOException {
        String log = file("calls.jsonl", calls(100));
        assertThat(run("replay", log, "--policy", "count:100,50,100,PT1M,auto", "--json"))
                .isZero();
        assertThat(json().get("policies")).hasSize(2);
    }

    @Test
    void ofTracesItIsSaidThatTheyMayBeASample() throws IOException {
        String log = folder.resolve("spans.json").toString();
        assertThat(run("simulate", "--days", "0.01", "--latency", "5ms", "--write", "otlp:" + log))
                .isZero();
        assertThat(run("replay", log, "--policy", "none")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("Traces are often a sample of the calls, and nothing here says");
    }

    @Test
    void callsCanComeWhenThoseOfALogDid() throws IOException {
        String log = file("calls.jsonl", calls(1000));
        assertThat(run("simulate", "--arrivals", log, "--mix", "healthy", "--policy", "none", "--json"))
                .isZero();
        assertThat(json().get("log").get("calls").asInt()).isEqualTo(1000);
        assertThat(json().get("log").get("endNanos").asLong()
                        - json().get("log").get("startNanos").asLong())
                .isBetween(998_000_000_000L, 1_000_000_000_000L);
    }

    @Test
    void aLogThatSaysNothingOfHowOftenCallsComeIsRefused() throws IOException {
        String log = file("one.jsonl", calls(1));
        assertThat(run("simulate", "--arrivals", log)).isEqualTo(2);
        assertThat(err.toString()).contains("the log has 1 calls at one moment, allowed are calls at two or more");
    }
}
