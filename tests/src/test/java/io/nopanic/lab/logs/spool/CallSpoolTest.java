package io.nopanic.lab.logs.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallSpoolTest {

    private static final Ending[] ENDINGS = Ending.values();

    @TempDir
    Path folder;

    /** Memory for so many calls, disorder of so many places. */
    @ParameterizedTest
    @CsvSource({"1000000,0", "1000000,50", "1000000,30000", "1000,0", "1000,50", "1000,30000", "16,30000", "0,100"})
    void callsComeBackInTheOrderOfTheirStarts(long memoryCalls, int disorder) throws IOException {
        Random random = new Random(memoryCalls + disorder);
        List<Call> calls = new ArrayList<>();
        KeyTable keys = keys();
        try (CallSpool spool = new CallSpool(keys, memoryCalls * 2 * Packed.BYTES, folder)) {
            for (int i = 0; i < 30_000; i++) {
                // Even numbers only, so that many calls begin at the same time.
                long startNanos = (i + (disorder == 0 ? 0 : random.nextInt(disorder))) / 2 * 2L;
                Call call = new Call(startNanos, i, ENDINGS[i % 4], i % 3, 1 + i % 7);
                calls.add(call);
                spool.accept(call.startNanos, call.durationNanos, call.ending, call.key, call.attempt);
            }
            try (CallLog log = spool.finish()) {
                calls.sort(Comparator.comparingLong(Call::startNanos));
                assertThat(read(log)).isEqualTo(calls);
                assertThat(log.size()).isEqualTo(30_000);
                assertThat(log.keys()).containsExactly("a", "b", "c");
                assertThat(files()).hasSizeLessThanOrEqualTo(1);
            }
        }
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 24})
    void severalCursorsReadAtTheSameTime(long memoryBytes) throws IOException {
        try (CallSpool spool = new CallSpool(keys(), memoryBytes, folder)) {
            for (int i = 0; i < 20_000; i++) {
                spool.accept(i, 1, Ending.SUCCESS, 0, 1);
            }
            try (CallLog log = spool.finish();
                    CallCursor first = log.open();
                    CallCursor second = log.open()) {
                for (int i = 0; i < 20_000; i++) {
                    assertThat(first.next()).isTrue();
                    assertThat(first.startNanos()).isEqualTo(i);
                    if (i % 2 == 0) {
                        assertThat(second.next()).isTrue();
                        assertThat(second.startNanos()).isEqualTo(i / 2);
                    }
                }
                assertThat(first.next()).isFalse();
                assertThat(first.next()).isFalse();
            }
        }
    }

    @Test
    void anEmptySpoolIsAnEmptyLog() throws IOException {
        try (CallSpool spool = new CallSpool(keys(), 0, folder);
                CallLog log = spool.finish();
                CallCursor cursor = log.open()) {
            assertThat(log.size()).isZero();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void extremesAreKeptAsTheyAre() throws IOException {
        KeyTable keys = new KeyTable(Integer.MAX_VALUE);
        try (CallSpool spool = new CallSpool(keys, 0, folder)) {
            spool.accept(Long.MAX_VALUE, Long.MAX_VALUE, Ending.IGNORED, Integer.MAX_VALUE, Integer.MAX_VALUE);
            spool.accept(0, CallCursor.UNKNOWN, Ending.TIMEOUT, 0, 1);
            try (CallLog log = spool.finish()) {
                assertThat(read(log))
                        .containsExactly(
                                new Call(0, CallCursor.UNKNOWN, Ending.TIMEOUT, 0, 1),
                                new Call(
                                        Long.MAX_VALUE,
                                        Long.MAX_VALUE,
                                        Ending.IGNORED,
                                        Integer.MAX_VALUE,
                                        Packed.MAX_ATTEMPT));
            }
        }
    }

    @Test
    void aSpoolThatIsGivenUpLeavesNoFile() throws IOException {
        try (CallSpool spool = new CallSpool(keys(), 0, folder)) {
            for (int i = 0; i < 1000; i++) {
                spool.accept(i, 1, Ending.SUCCESS, 0, 1);
            }
            assertThat(files()).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void aFolderThatIsNotThereIsToldWhenItIsNeeded() throws IOException {
        try (CallSpool spool = new CallSpool(keys(), 0, folder.resolve("none"))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            spool.accept(i, 1, Ending.SUCCESS, 0, 1);
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("none");
        }
    }

    @Test
    void keysHaveNumbersInTheOrderInWhichTheyComeUp() {
        KeyTable keys = new KeyTable(5000);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5000; i++) {
                assertThat(keys.numberOf("key-" + i)).isEqualTo(i);
            }
        }
        assertThat(keys.keys()).hasSize(5000).startsWith("key-0", "key-1");
        assertThatThrownBy(() -> keys.numberOf("more"))
                .isInstanceOf(TooManyKeysException.class)
                .hasMessageContaining("'more'")
                .hasMessageContaining("5000");
        assertThat(keys.numberOf("key-4999")).isEqualTo(4999);
        assertThatThrownBy(() -> new KeyTable(0)).hasMessageStartingWith("maxKeys is 0");
    }

    private static KeyTable keys() {
        KeyTable keys = new KeyTable(3);
        List.of("a", "b", "c").forEach(keys::numberOf);
        return keys;
    }

    private static List<Call> read(CallLog log) {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                calls.add(new Call(
                        cursor.startNanos(), cursor.durationNanos(), cursor.ending(), cursor.key(), cursor.attempt()));
            }
        }
        return calls;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private record Call(long startNanos, long durationNanos, Ending ending, int key, int attempt) {}
}
