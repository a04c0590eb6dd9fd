package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.logs.format.KeyBy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What files do to whoever reads them. */
class HardInputTest {

    private static final String GOOD = "{\"ts\":1.5,\"ok\":true}";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n \n", "\ufeff"})
    void aFileWithNothingInItIsAnEmptyLog(String text) throws LogException {
        var read = Logs.read(text, LogOptions.standard());
        assertThat(read.calls()).isEmpty();
        assertThat(read.report().failing()).isFalse();
        assertThat(read.report().format()).startsWith("none");
    }

    @Test
    void linesEndInEveryWay() throws LogException {
        var read = Logs.read("jsonl", "\ufeff" + GOOD + "\r\n\r\n" + GOOD + "\n" + GOOD);
        assertThat(read.calls()).hasSize(3);
        assertThat(read.report().lines()).isEqualTo(4);
        assertThat(read.report().emptyLines()).isEqualTo(1);
    }

    @Test
    void aLineThatIsTooLongIsCountedAndWhatFollowsIsRead() throws LogException {
        String tooLong = "{\"ts\":1.5,\"ok\":true,\"key\":\"" + "x".repeat(3_000_000) + "\"}";
        var read = Logs.read("jsonl", GOOD + "\n" + tooLong + "\n" + GOOD + "\n" + tooLong);
        assertThat(read.calls()).hasSize(2);
        assertThat(read.report().lines()).isEqualTo(4);
        assertThat(read.report().unparsable()).isEqualTo(2);
        var example = read.report().examples().get(0);
        assertThat(example.line()).isEqualTo(2);
        assertThat(example.reason()).contains("longer");
        assertThat(example.text()).startsWith("{\"ts\"").hasSizeLessThan(150);
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 100, 101, 102})
    void aLineMayBeExactlyAsLongAsAllowed(int length) throws LogException {
        String line = GOOD + " ".repeat(length - GOOD.length());
        LogOptions options = LogOptions.standard().withFormat("jsonl").withBounds(100, 10, 1 << 20);
        for (String end : List.of("", "\n", "\r\n")) {
            assertThat(Logs.read(line + end, options).report().unparsable()).isEqualTo(length > 100 ? 1 : 0);
        }
    }

    @Test
    void linesOfEveryLengthAreFoundAcrossTheEndsOfTheBuffer() throws LogException {
        StringBuilder log = new StringBuilder();
        int lines = 0;
        for (int length = GOOD.length(); log.length() < 3_000_000; length = GOOD.length() + (length * 7) % 5003) {
            log.append(GOOD).append(" ".repeat(length - GOOD.length())).append('\n');
            lines++;
        }
        var read = Logs.read("jsonl", log.toString());
        assertThat(read.calls()).hasSize(lines);
        assertThat(read.report().lines()).isEqualTo(lines);
    }

    @Test
    void bytesThatAreNoUtf8AreReplaced() throws LogException {
        byte[] bytes = "{\"ts\":1.5,\"ok\":true,\"key\":\"a?b\"}\n".getBytes(StandardCharsets.UTF_8);
        bytes[new String(bytes, StandardCharsets.UTF_8).indexOf('?')] = (byte) 0xff;
        assertThat(Logs.read(bytes, LogOptions.standard().withFormat("jsonl").withBy(KeyBy.KEY))
                        .only()
                        .key())
                .isEqualTo("a\ufffdb");
        byte[] nginx = "1.5 200 a?b\n".getBytes(StandardCharsets.UTF_8);
        nginx[9] = (byte) 0xff;
        LogOptions options =
                LogOptions.standard().withFormat("nginx:$msec $status $host").withBy(KeyBy.HOST);
        assertThat(Logs.read(nginx, options).only().key()).isEqualTo("a\ufffdb");
    }

    @Test
    void whatIsShownOfABadLineIsShortAndPrintable() throws LogException {
        String bad = "\u001b[31mred\u0000\u202e" + "\uD83D\uDE00".repeat(300);
        var report = Logs.read("jsonl", GOOD + "\n" + bad + "\n").report();
        assertThat(report.examples()).singleElement().satisfies(example -> {
            assertThat(example.file()).isEqualTo("-");
            assertThat(example.line()).isEqualTo(2);
            assertThat(example.text())
                    .startsWith("\ufffd[31mred\ufffd\ufffd\uD83D\uDE00")
                    .endsWith("\uD83D\uDE00...");
            assertThat(example.text().codePointCount(0, example.text().length()))
                    .isEqualTo(123);
        });
    }

    @Test
    void moreThanOneLineInAHundredThatIsUnparsableIsAFailure() throws LogException {
        assertThat(Logs.read("jsonl", (GOOD + "\n").repeat(99) + "bad\n")
                        .report()
                        .failing())
                .isFalse();
        assertThat(Logs.read("jsonl", (GOOD + "\n").repeat(98) + "bad\n")
                        .report()
                        .failing())
                .isTrue();
        assertThat(Logs.read("jsonl", "\n".repeat(500) + "bad\n").report().failing())
                .isTrue();
    }

    @Test
    void severalPackedPartsAreOneFileAlsoInAPipeThatIsSlow() throws LogException {
        byte[] part = packed(GOOD + "\n");
        byte[] all = new byte[part.length * 3];
        for (int i = 0; i < 3; i++) {
            System.arraycopy(part, 0, all, i * part.length, part.length);
        }
        assertThat(Logs.read(all, LogOptions.standard()).calls()).hasSize(3);
        try (ReadCalls read = LogSources.open(List.of("-"), LogOptions.standard(), new Drip(all))) {
            assertThat(read.log().size()).isEqualTo(3);
        }
    }

    @Test
    void aPackedFileThatIsCutIsReadUpToThere() throws LogException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            text.append("{\"ts\":").append(i * 7919 % 10007).append(".5,\"ok\":true}\n");
        }
        byte[] whole = packed(text.toString());
        var read = Logs.read(Arrays.copyOf(whole, whole.length / 2), LogOptions.standard());
        assertThat(read.calls()).hasSizeBetween(1, 4999);
        assertThat(read.report().unparsable()).isZero();
        assertThat(read.report().failing()).isTrue();
        assertThat(read.report().damages())
                .singleElement()
                .asString()
                .contains("beyond line " + read.calls().size());
        assertThat(Logs.read(new byte[] {0x1f, (byte) 0x8b, 8}, LogOptions.standard())
                        .report()
                        .damages())
                .hasSize(1);
    }

    @Test
    void aFileThatIsNotThereIsToldBeforeAnythingIsRead() throws IOException {
        Path good = Files.writeString(folder.resolve("good"), GOOD);
        assertThatThrownBy(() -> LogSources.open(
                        List.of(good.toString(), folder.resolve("none").toString()), LogOptions.standard()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("none: there is no such file");
        assertThatThrownBy(() -> LogSources.open(List.of(folder.toString()), LogOptions.standard()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("folder");
        assertThatThrownBy(() -> LogSources.open(List.of(), LogOptions.standard()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void severalFilesAreOneLogInOrderOfTime() throws IOException {
        Path later = Files.writeString(folder.resolve("a.csv"), "ts,ok\n7.5,true\n9.5,true\n");
        Path sooner = Files.writeString(folder.resolve("b.csv"), "ok;ts\ntrue;8.5\n");
        try (ReadCalls read = LogSources.open(List.of(later.toString(), sooner.toString()), LogOptions.standard())) {
            assertThat(Logs.calls(read.log()))
                    .extracting(Logs.Call::startNanos)
                    .containsExactly(7_500_000_000L, 8_500_000_000L, 9_500_000_000L);
            assertThat(read.report().outOfOrder()).isZero();
        }
    }

    @Test
    void whatIsOfNoKnownFormatIsToldWithItsFirstLine() {
        assertThatThrownBy(() -> Logs.read("once upon a time\nthere was\n", LogOptions.standard()))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("once upon a time")
                .hasMessageContaining("ingress-nginx");
    }

    @Test
    void tooManyKeysAreAnError() {
        String log = GOOD.replace("}", ",\"key\":\"a\"}\n")
                + GOOD.replace("}", ",\"key\":\"b\"}\n")
                + GOOD.replace("}", ",\"key\":\"c\"}\n");
        LogOptions options =
                LogOptions.standard().withFormat("jsonl").withBy(KeyBy.KEY).withBounds(1000, 2, 0);
        assertThatThrownBy(() -> Logs.read(log, options))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("'c'")
                .hasMessageContaining("2 allowed");
    }

    @Test
    void aTemporaryFileThatCannotBeMadeIsToldAsThat() {
        LogOptions options = LogOptions.standard()
                .withFormat("jsonl")
                .withBounds(1000, 10, 0)
                .withTemporaryFolder(folder.resolve("none"));
        assertThatThrownBy(() -> Logs.read((GOOD + "\n").repeat(1000), options))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("temporary file");
    }

    @Test
    void lateLinesAreCountedAndReadInOrder() throws LogException {
        var read = Logs.read("jsonl", line(10_000) + line(20_000) + line(14_500) + line(21_000));
        assertThat(read.report().outOfOrder()).isEqualTo(1);
        assertThat(read.report().mostLateNanos()).isEqualTo(5_500_000_000L);
        assertThat(read.report().clockJumps()).isZero();
        assertThat(read.calls()).extracting(Logs.Call::startNanos).isSorted();
    }

    @Test
    void linesInTheOrderOfTheirEndsAreInOrder() throws LogException {
        var read = Logs.read("jsonl", "{\"ts\":9.5,\"ms\":100,\"ok\":true}\n{\"ts\":1.5,\"ms\":9000,\"ok\":true}\n");
        assertThat(read.report().outOfOrder()).isZero();
    }

    @Test
    void aClockThatIsSetBackIsAJumpAndNotAThousandLateLines() throws LogException {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            log.append(line((i < 500 ? 1_000_000 : 900_000) + i));
        }
        var report = Logs.read("jsonl", log.toString()).report();
        assertThat(report.clockJumps()).isEqualTo(1);
        assertThat(report.largestClockJumpNanos()).isEqualTo(99_999_000_000L);
        assertThat(report.outOfOrder()).isEqualTo(50);
    }

    @Test
    void theLongestSilenceIsTold() throws LogException {
        assertThat(Logs.read("jsonl", line(10_000) + line(11_000) + line(100_000) + line(101_000))
                        .report()
                        .longestGapNanos())
                .isEqualTo(89_000_000_000L);
    }

    @Test
    void progressIsToldWhileReading() throws LogException {
        List<Long> told = new ArrayList<>();
        Logs.read(
                (GOOD + "\n").repeat(200_000),
                LogOptions.standard().withFormat("jsonl").withProgress(told::add));
        assertThat(told).containsExactly(65_536L, 131_072L, 196_608L);
    }

    private static String line(long millis) {
        return "{\"ts\":" + millis / 1000 + "." + String.format(Locale.ROOT, "%03d", millis % 1000) + ",\"ok\":true}\n";
    }

    private static byte[] packed(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    /** Gives one byte at a time and never says that there is another. */
    private static final class Drip extends InputStream {

        private final InputStream bytes;

        Drip(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            return bytes.read(into, at, Math.min(1, length));
        }
    }
}
