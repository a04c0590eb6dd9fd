package io.nopanic.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.format.KeyBy;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.recorder.Recorder;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the recorder of the library writes is what is read here. */
class RecordedCallsTest {

    @TempDir
    Path folder;

    private final VirtualTime time = VirtualTime.create();

    @Test
    void aRecordIsReadWithItsRefusals() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .consecutiveFailures(2)
                .time(time.time())
                .build();
        record(
                Recorder.jsonl(file()),
                Pipeline.builder().name("db").with(breaker).build(),
                1);
        try (ReadCalls read = LogSources.open(
                List.of(file().toString()), LogOptions.standard().withBy(KeyBy.KEY))) {
            assertThat(Logs.calls(read.log()))
                    .extracting(Logs.Call::ending)
                    .containsExactly(Ending.FAILURE, Ending.FAILURE);
            assertThat(Logs.calls(read.log())).allSatisfy(call -> {
                assertThat(call.key()).isEqualTo("db");
                assertThat(call.durationNanos()).isEqualTo(5_000_000);
            });
            assertThat(read.report().format()).isEqualTo("jsonl");
            assertThat(read.report().droppedByReason()).isEqualTo(Map.of("refused, never sent: circuit open", 2L));
            assertThat(read.report().emptyLines()).isEqualTo(1);
            assertThat(read.report().samplingHints()).isEmpty();
            assertThat(read.report().failing()).isFalse();
        }
    }

    @Test
    void aSampledRecordIsKnownAsOne() throws Exception {
        record(
                Recorder.jsonl(file()).sample(0.5).random(new SplittableRandom(3)),
                Pipeline.builder().time(time.time()).build(),
                50);
        try (ReadCalls read = LogSources.open(List.of(file().toString()), LogOptions.standard())) {
            assertThat(read.report().calls()).isBetween(60L, 140L);
            assertThat(read.report().samplingHints()).containsExactly("only a share of 0.5 of all calls was recorded");
        }
    }

    @Test
    void lostCallsAreCounted() throws LogException {
        ReadReport report = Logs.read("jsonl", "{\"ts\":1.5,\"ok\":true}\n{\"lost\":3}\n{\"lost\":4}\n")
                .report();
        assertThat(report.lost()).isEqualTo(7);
        assertThat(report.emptyLines()).isEqualTo(2);
    }

    private Path file() {
        return folder.resolve("calls.jsonl");
    }

    private void record(Recorder.Builder builder, Pipeline pipeline, int rounds) {
        try (Recorder recorder = builder.build()) {
            pipeline.events().subscribe(recorder);
            for (int i = 0; i < 4 * rounds; i++) {
                try {
                    pipeline.call(() -> {
                        time.advance(Duration.ofMillis(5));
                        throw new IOException();
                    });
                } catch (Exception expected) {
                    assertThat(expected).isNotNull();
                }
            }
        }
    }
}
