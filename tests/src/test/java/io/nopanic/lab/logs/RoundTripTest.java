package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.call.SlowCalls;
import io.nopanic.lab.logs.Logs.Call;
import io.nopanic.lab.logs.format.KeyBy;
import io.nopanic.lab.logs.spool.CallSpool;
import io.nopanic.lab.logs.spool.KeyTable;
import io.nopanic.lab.logs.write.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read as the same calls, as far as a format can tell. */
class RoundTripTest {

    private static final List<Ending> WRITTEN = List.of(Ending.SUCCESS, Ending.FAILURE, Ending.TIMEOUT, Ending.IGNORED);
    private static final int CALLS = 3000;

    /** Two whole milliseconds may be cut off, that of the end and that of the duration. */
    private static final long MILLIS_RESOLUTION = 2_000_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "jsonl,KEY,0,true",
        "csv,KEY,0,true",
        "otlp,KEY,0,true",
        "nginx,HOST,2000000,false",
        "envoy,HOST,2000000,false",
        "envoy-json,KEY,2000000,false",
        "alb,KEY,2000000,false"
    })
    void whatIsWrittenIsReadAgain(String format, KeyBy by, long resolutionNanos, boolean saysAttempt)
            throws IOException {
        try (CallLog log = traffic(!format.equals("alb"))) {
            Logs.Read read =
                    Logs.read(written(format, log), LogOptions.standard().withBy(by));
            assertThat(read.report().format()).startsWith(format);
            assertThat(read.report().formatWasFound()).isTrue();
            assertThat(read.report().failing()).isFalse();
            assertThat(read.report().outOfOrder()).isZero();
            List<Call> calls = Logs.calls(log);
            assertThat(read.calls()).hasSize(CALLS);
            if (resolutionNanos == 0) {
                assertThat(read.calls()).isEqualTo(calls);
            }
            assertThat(read.report().withoutDuration())
                    .isEqualTo(calls.stream()
                            .filter(call -> call.durationNanos() < 0)
                            .count());
            for (String key : log.keys()) {
                assertSame(of(key, read.calls()), of(key, calls), resolutionNanos, saysAttempt);
            }
        }
    }

    private static List<Call> of(String key, List<Call> calls) {
        return calls.stream().filter(call -> call.key().equals(key)).toList();
    }

    /** Calls of one key are further apart than the resolution, so that their order is the same. */
    private static void assertSame(List<Call> read, List<Call> written, long resolutionNanos, boolean saysAttempt) {
        assertThat(read).hasSameSizeAs(written);
        for (int i = 0; i < read.size(); i++) {
            Call one = read.get(i);
            Call other = written.get(i);
            assertThat(one.ending()).as("%s", other).isEqualTo(other.ending());
            assertThat(one.attempt()).isEqualTo(saysAttempt ? other.attempt() : 1);
            assertThat(Math.abs(one.startNanos() - other.startNanos())).isLessThanOrEqualTo(resolutionNanos);
            assertThat(Math.abs(one.durationNanos() - other.durationNanos())).isLessThanOrEqualTo(resolutionNanos);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "envoy", "envoy-json", "alb", "otlp"})
    void linesAreInTheOrderInWhichCallsEnd(String format) throws IOException {
        CallSpool spool = spool();
        spool.accept(1_000_000_000_000_000_000L, 5_000_000_000L, Ending.FAILURE, 0, 1);
        spool.accept(1_000_000_001_000_000_000L, 1_000_000_000L, Ending.SUCCESS, 0, 1);
        try (CallLog log = spool.finish()) {
            String[] lines = new String(written(format, log), StandardCharsets.UTF_8).split("\n");
            assertThat(lines[0]).contains("200");
            assertThat(lines[1]).contains("503");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "csv", "nginx", "envoy", "envoy-json", "alb", "otlp"})
    void aSlowAnswerIsWrittenAsTheAnswerThatItIs(String format) throws IOException {
        CallSpool spool = spool();
        spool.accept(1_000_000_000_000_000_000L, 5_000_000_000L, Ending.SUCCESS, 0, 1);
        try (CallLog log = new SlowCalls(spool.finish(), Duration.ofSeconds(1))) {
            Call read = Logs.read(written(format, log), LogOptions.standard()).only();
            assertThat(read.ending()).isEqualTo(Ending.SUCCESS);
            assertThat(read.durationNanos()).isEqualTo(5_000_000_000L);
        }
    }

    @Test
    void aLoadBalancerCannotLeaveOutADuration() throws IOException {
        CallSpool spool = spool();
        spool.accept(1, CallCursor.UNKNOWN, Ending.SUCCESS, 0, 1);
        try (CallLog log = spool.finish()) {
            assertThatThrownBy(() -> written("alb", log))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no duration");
        }
    }

    @Test
    void anUnknownFormatIsRefused() {
        assertThatThrownBy(() -> LogWriter.named("w3c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("w3c")
                .hasMessageContaining("envoy-json");
    }

    private CallSpool spool() {
        KeyTable keys = new KeyTable(10);
        keys.numberOf("only");
        return new CallSpool(keys, CallSpool.DEFAULT_MEMORY_BYTES, folder);
    }

    private CallLog traffic(boolean withUnknownDurations) throws IOException {
        Random random = new Random(7);
        KeyTable keys = new KeyTable(10);
        CallSpool spool = new CallSpool(keys, CallSpool.DEFAULT_MEMORY_BYTES, folder);
        long startNanos = 1_700_000_000_000_000_000L;
        for (int i = 0; i < CALLS; i++) {
            startNanos += 3 * MILLIS_RESOLUTION + random.nextInt(5_000_000);
            int key = keys.numberOf("db-" + random.nextInt(3));
            boolean unknown = withUnknownDurations && random.nextInt(10) == 0;
            long durationNanos = unknown ? CallCursor.UNKNOWN : random.nextLong(2_000_000_000);
            Ending ending = WRITTEN.get(random.nextInt(WRITTEN.size()));
            spool.accept(startNanos, durationNanos, ending, key, 1 + random.nextInt(3));
        }
        return spool.finish();
    }

    private static byte[] written(String format, CallLog log) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogWriter.named(format).write(log, out);
        return out.toByteArray();
    }
}
