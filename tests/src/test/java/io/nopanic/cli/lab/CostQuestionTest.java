package io.nopanic.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.cli.terminal.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CostQuestionTest {

    private static final String PROMPT = "A number, also one in between [1]: ";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private String log = "";

    private Screen screen(boolean terminal) {
        return new Screen(
                new PrintWriter(out, true), new PrintWriter(new StringWriter(), true), terminal, false, false);
    }

    private double answered(String input) throws IOException {
        return new CostQuestion(screen(true), new StringReader(input)).ask();
    }

    private int prompts() {
        return out.toString().split(Pattern.quote(PROMPT), -1).length - 1;
    }

    @BeforeEach
    void writeALog() throws IOException {
        StringBuilder lines = new StringBuilder("ts,ok\n");
        for (int second = 0; second < 200; second++) {
            lines.append(1_700_000_000 + second).append(",true\n");
        }
        log = Files.writeString(folder.resolve("calls.csv"), lines, StandardCharsets.UTF_8)
                .toString();
    }

    private int tune(boolean terminal, String input, String... more) {
        String[] arguments = new String[more.length + 1];
        arguments[0] = log;
        System.arraycopy(more, 0, arguments, 1, more.length);
        return new CommandLine(new TuneCommand(screen(terminal), new StringReader(input))).execute(arguments);
    }

    // ---------------- answers

    @Test
    void theAnswersStandInWordsBesideTheirNumbers() throws IOException {
        assertThat(answered("3\n")).isEqualTo(3);
        assertThat(out.toString())
                .contains(
                        "What does a failed call cost",
                        "0.1  next to nothing",
                        "1  as much",
                        "3  more",
                        "10  far more");
        assertThat(prompts()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"'0.25\n', 0.25", "'  10  \n', 10", "'2', 2", "'100\n', 100", "'0.05\n', 0.05"})
    void anyNumberThatIsAllowedIsAnAnswer(String input, double cost) throws IOException {
        assertThat(answered(input)).isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource({"'\n'", "'   \n'", "''"})
    void noAnswerIsOneAndTheEndOfTheInputToo(String input) throws IOException {
        assertThat(answered(input)).isEqualTo(1);
        assertThat(prompts()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "much | the answer is 'much', allowed is a number",
                "3 EUR | the answer is '3 EUR', allowed is a number",
                "0 | cost is 0.0, allowed is a number from 0.05 to 100",
                "-1 | cost is -1.0, allowed is",
                "1e9 | cost is 1.0E9, allowed is",
                "NaN | cost is NaN, allowed is",
                "Infinity | cost is Infinity, allowed is"
            })
    void nonsenseIsExplainedAndTheQuestionPutAgain(String nonsense, String complaint) throws IOException {
        assertThat(answered(nonsense + "\n3\n")).isEqualTo(3);
        assertThat(out.toString()).contains(complaint);
        assertThat(prompts()).isEqualTo(2);
    }

    @Test
    void nonsenseUntilTheEndOfTheInputIsOne() throws IOException {
        assertThat(answered("what\nwhy\n")).isEqualTo(1);
        assertThat(prompts()).isEqualTo(3);
    }

    // ---------------- when it is put

    @Test
    void onATerminalTheAnswerIsTaken() {
        assertThat(tune(true, "10\n")).isZero();
        assertThat(prompts()).isEqualTo(1);
        assertThat(out.toString()).contains("if one failure costs", "failureCost=10");
    }

    @Test
    void withoutATerminalNothingIsAskedAndAllAnswersAreShown() {
        assertThat(tune(false, "10\n")).isZero();
        assertThat(prompts()).isZero();
        assertThat(out.toString()).contains("failureCost=1\n", "What a failure costs is not in the log.");
    }

    @Test
    void whoSaidItOrWantsJsonIsNotAsked() {
        assertThat(tune(true, "10\n", "--cost", "3")).isZero();
        assertThat(tune(true, "10\n", "--json")).isZero();
        assertThat(prompts()).isZero();
        assertThat(out.toString()).contains("failureCost=3", "\"failureCost\" : 1.0");
    }
}
