package io.nopanic.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.events.CircuitState;
import io.nopanic.events.Event;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecorderTest {

    private static final String HEADER = "{\"record\":\"nopanic calls\",\"version\":1,\"sample\":1.0}";

    @TempDir
    Path folder;

    private final VirtualTime time = VirtualTime.create();

    private Path file() {
        return folder.resolve("calls.jsonl");
    }

    @Test
    void aCallIsALineThatSaysWhenItBeganAndHowLongItTook() throws Exception {
        Pipeline pipeline = pipeline("prices");
        try (Recorder recorder = Recorder.jsonl(file()).build()) {
            pipeline.events().subscribe(recorder);
            time.advance(Duration.ofMillis(1500));
            pipeline.run(() -> time.advance(Duration.ofNanos(2_500_001)));
        }
        assertThat(lines())
                .containsExactly(
                        HEADER, "{\"ts\":1893456001.500000000,\"ms\":2.500001,\"key\":\"prices\",\"ok\":true}");
        assertThat(VirtualTime.WALL_START).isEqualTo(Instant.ofEpochSecond(1_893_456_000));
    }

    @Test
    void ofAFailureOnlyTheNameOfItsClassIsWritten() throws Exception {
        Pipeline pipeline = pipeline("a \"b\"\n");
        try (Recorder recorder = Recorder.jsonl(file()).build()) {
            pipeline.events().subscribe(recorder);
            fail(pipeline, new IOException("secret"));
            fail(pipeline, new TimeoutException("secret"));
            fail(pipeline, new InterruptedException("secret"));
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.readString(file())).doesNotContain("secret");
        assertThat(lines().get(1))
                .endsWith("\"key\":\"a \\\"b\\\"\\u000a\",\"ok\":false,\"error\":\"java.io.IOException\"}");
        assertThat(lines().get(2)).endsWith("\"error\":\"timeout\"}");
        assertThat(lines().get(3)).endsWith("\"error\":\"cancelled\"}");
    }

    @Test
    void aRefusalSaysByWhatItWasRefused() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.builder()
                .consecutiveFailures(1)
                .time(time.time())
                .build();
        Pipeline pipeline = Pipeline.builder().name("p").with(breaker).build();
        try (Recorder recorder = Recorder.jsonl(file()).build()) {
            pipeline.events().subscribe(recorder);
            fail(pipeline, new IOException());
            assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
            fail(pipeline, new IOException());
        }
        assertThat(lines().get(2)).endsWith("\"key\":\"p\",\"rejected\":\"circuit open\"}");
    }

    @Test
    void aSampleIsWhatChanceTakesAndTheFileSaysSo() throws Exception {
        Pipeline pipeline = pipeline("p");
        try (Recorder recorder = Recorder.jsonl(file())
                .sample(0.25)
                .random(new SplittableRandom(1))
                .build()) {
            pipeline.events().subscribe(recorder);
            for (int i = 0; i < 4000; i++) {
                pipeline.run(() -> {});
            }
            recorder.flush();
            assertThat(recorder.written()).isBetween(900L, 1100L);
            assertThat(recorder.lost()).isZero();
            assertThat(lines()).hasSize((int) recorder.written() + 1);
        }
        assertThat(lines().get(0)).contains("\"sample\":0.25");
    }

    @Test
    void aFullFileIsPutAsideAndTheOldestGoes() throws Exception {
        Pipeline pipeline = pipeline("p");
        try (Recorder recorder = Recorder.jsonl(file()).maxBytes(4096).files(3).build()) {
            pipeline.events().subscribe(recorder);
            for (int i = 0; i < 500; i++) {
                pipeline.run(() -> time.advance(Duration.ofSeconds(1)));
                recorder.flush();
            }
        }
        List<Path> files = files();
        assertThat(files)
                .extracting(file -> file.getFileName().toString())
                .containsExactly("calls.jsonl", "calls.jsonl.1", "calls.jsonl.2");
        for (Path file : files) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(4096);
            assertThat(Files.readAllLines(file).get(0)).isEqualTo(HEADER);
        }
        assertThat(Files.size(files.get(1))).isGreaterThan(3900);
        assertThat(Files.readAllLines(files.get(1)).get(1))
                .isGreaterThan(Files.readAllLines(files.get(2)).get(1));
    }

    @Test
    void aFileThatIsThereIsContinuedOnALineOfItsOwn() throws Exception {
        Files.writeString(file(), "{\"ts\":1.0,\"o");
        Recorder.jsonl(file()).build().close();
        assertThat(lines()).containsExactly("{\"ts\":1.0,\"o", HEADER);
    }

    @Test
    void callsForWhichThereIsNoRoomAreCountedWhereTheyAreMissing() throws Exception {
        Scribe scribe = new Scribe(new FileRing(file(), 1 << 20, 2, HEADER + "\n"), 2, 1 << 20);
        for (int i = 0; i < 5; i++) {
            scribe.call(new Event.Stamp("p", 0, Instant.EPOCH), 0, null);
        }
        assertThat(scribe.lost()).isEqualTo(3);
        scribe.start();
        scribe.flush();
        scribe.close();
        assertThat(scribe.written()).isEqualTo(2);
        assertThat(lines()).hasSize(4).endsWith("{\"lost\":3}");
    }

    @Test
    void callsThatCannotBeWrittenAreCountedAndLaterOnesAreWrittenAgain() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Pipeline pipeline = pipeline("p");
        try (Recorder recorder = Recorder.jsonl(inner.resolve("calls.jsonl"))
                .maxBytes(4096)
                .files(1)
                .build()) {
            pipeline.events().subscribe(recorder);
            Files.delete(inner.resolve("calls.jsonl"));
            Files.delete(inner);
            while (recorder.lost() == 0) {
                pipeline.run(() -> {});
                recorder.flush();
            }
            long lost = recorder.lost();
            Files.createDirectory(inner);
            pipeline.run(() -> {});
            recorder.flush();
            assertThat(recorder.lost()).isEqualTo(lost);
            assertThat(Files.readAllLines(inner.resolve("calls.jsonl")))
                    .hasSize(3)
                    .contains("{\"lost\":" + lost + "}");
        }
    }

    /** A disk with room for a few bytes, behind a file. */
    private record SmallDisk(FileChannel file, long size) implements SeekableByteChannel {

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int room = (int) Math.min(size - file.position(), bytes.remaining());
            if (room == 0) {
                throw new IOException("no space left on device");
            }
            file.write(bytes.slice(bytes.position(), room));
            bytes.position(bytes.position() + room);
            return room;
        }

        @Override
        public int read(ByteBuffer bytes) throws IOException {
            return file.read(bytes);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            return file.position(position);
        }

        @Override
        public SeekableByteChannel truncate(long length) throws IOException {
            return file.truncate(length);
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Test
    void ofABatchThatDoesNotFitOnTheDiskNothingStays() throws Exception {
        try (FileChannel file = FileChannel.open(file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                SmallDisk disk = new SmallDisk(file, 20)) {
            FileRing.write(disk, "whole line\n");
            assertThatThrownBy(() -> FileRing.write(disk, "first\nsecond\n")).hasMessageContaining("no space left");
        }
        assertThat(lines()).containsExactly("whole line");
    }

    @Test
    void aFileWhoseHeaderCannotBeWrittenIsNotOpen() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full));
        FileRing ring = new FileRing(full, 4096, 1, HEADER);

        assertThatThrownBy(ring::open).isInstanceOf(IOException.class);
        assertThatThrownBy(ring::open).isInstanceOf(IOException.class);
    }

    @Test
    void aCallThatCannotBePutIntoWordsIsCountedAndTheNextIsWritten() throws Exception {
        Scribe scribe = new Scribe(new FileRing(file(), 1 << 20, 2, HEADER + "\n"), 10, 1 << 20);
        Event.Stamp stamp = new Event.Stamp("p", 0, Instant.EPOCH);
        scribe.call(null, 0, null);
        scribe.call(stamp, 0, null);
        scribe.start();
        scribe.flush();
        scribe.close();

        assertThat(scribe.lost()).isEqualTo(1);
        assertThat(scribe.written()).isEqualTo(1);
    }

    @Test
    void callsThatRaceWithClosingAreWrittenOrCounted() throws Exception {
        int calls = 2000;
        for (int round = 0; round < 20; round++) {
            Scribe scribe = new Scribe(new FileRing(file(), 1 << 20, 2, HEADER + "\n"), 10_000, 1 << 20);
            scribe.start();
            Event.Stamp stamp = new Event.Stamp("p", 0, Instant.EPOCH);
            Thread caller = new Thread(() -> {
                for (int i = 0; i < calls; i++) {
                    scribe.call(stamp, 0, null);
                }
            });
            caller.start();
            scribe.close();
            caller.join();
            assertThat(scribe.written() + scribe.lost()).isEqualTo(calls);
        }
    }

    @Test
    void whatEndsAfterClosingIsNotRecordedAndDisturbsNobody() throws Exception {
        Pipeline pipeline = pipeline("p");
        Recorder recorder = Recorder.jsonl(file()).build();
        pipeline.events().subscribe(recorder);
        recorder.close();
        recorder.close();
        assertThatCode(() -> pipeline.run(() -> {})).doesNotThrowAnyException();
        recorder.flush();
        assertThat(recorder.lost()).isEqualTo(1);
        assertThat(lines()).containsExactly(HEADER);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedAtOnce() {
        Recorder.Builder builder = Recorder.jsonl(folder.resolve("nowhere/calls.jsonl"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("nowhere");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.01, Double.NaN})
    void aSampleIsAShare(double share) {
        assertThatThrownBy(() -> Recorder.jsonl(file()).sample(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("sample is ");
    }

    @Test
    void boundsAreChecked() {
        assertThatThrownBy(() -> Recorder.jsonl(file()).maxBytes(4095)).hasMessageStartingWith("maxBytes is 4095");
        assertThatThrownBy(() -> Recorder.jsonl(file()).files(0)).hasMessageStartingWith("files is 0");
        assertThatThrownBy(() -> Recorder.jsonl(file()).buffer(0)).hasMessageStartingWith("buffer is 0");
    }

    private Pipeline pipeline(String name) {
        return Pipeline.builder().name(name).time(time.time()).build();
    }

    private static void fail(Pipeline pipeline, Exception with) {
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw with;
                }))
                .isInstanceOf(Exception.class);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file(), StandardCharsets.UTF_8);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
