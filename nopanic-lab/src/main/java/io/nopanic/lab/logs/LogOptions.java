package io.nopanic.lab.logs;

import io.nopanic.lab.logs.format.Classifier;
import io.nopanic.lab.logs.format.Formats;
import io.nopanic.lab.logs.format.KeyBy;
import io.nopanic.lab.logs.spool.CallSpool;
import io.nopanic.lab.logs.spool.KeyTable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * How logs are read.
 *
 * @param format the name of a format, as {@link Formats#NAMES} lists them; found out from the first lines if empty
 * @param classifier which ends are failures
 * @param by how calls are told apart
 * @param maxLineBytes lines longer than this are unparsable, 1 to 1 GiB; they are not held in memory
 * @param maxKeys how many keys there may be, at least 1
 * @param memoryBytes about how much memory calls may take before they go to a temporary file
 * @param temporaryFolder where that file is made
 * @param seed of the random numbers that spread times in whole seconds
 * @param progress is told now and then how many lines have been read
 */
public record LogOptions(
        Optional<String> format,
        Classifier classifier,
        KeyBy by,
        int maxLineBytes,
        int maxKeys,
        long memoryBytes,
        Path temporaryFolder,
        long seed,
        LongConsumer progress) {

    private static final int DEFAULT_MAX_LINE_BYTES = 1 << 20;
    private static final int MOST_LINE_BYTES = 1 << 30;

    /** Checks the numbers and the name of the format. */
    public LogOptions {
        if (maxLineBytes < 1 || maxLineBytes > MOST_LINE_BYTES) {
            throw new IllegalArgumentException(
                    "maxLineBytes is " + maxLineBytes + ", allowed is a whole number from 1 to " + MOST_LINE_BYTES);
        }
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys is " + maxKeys + ", allowed is a whole number of at least 1");
        }
        if (memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "memoryBytes is " + memoryBytes + ", allowed is a whole number of at least 0");
        }
        format.ifPresent(Formats::named);
    }

    /** The format found out, the standard classifier, calls not told apart, lines of up to 1 MiB, 100,000 keys, 64 MiB of memory. */
    public static LogOptions standard() {
        return new LogOptions(
                Optional.empty(),
                Classifier.standard(),
                KeyBy.NONE,
                DEFAULT_MAX_LINE_BYTES,
                KeyTable.DEFAULT_MAX_KEYS,
                CallSpool.DEFAULT_MEMORY_BYTES,
                Path.of(System.getProperty("java.io.tmpdir")),
                1,
                lines -> {});
    }

    /** With a format, by its name. */
    public LogOptions withFormat(String name) {
        return new LogOptions(
                Optional.of(name), classifier, by, maxLineBytes, maxKeys, memoryBytes, temporaryFolder, seed, progress);
    }

    /** With another classifier. */
    public LogOptions withClassifier(Classifier other) {
        return new LogOptions(format, other, by, maxLineBytes, maxKeys, memoryBytes, temporaryFolder, seed, progress);
    }

    /** With calls told apart like this. */
    public LogOptions withBy(KeyBy other) {
        return new LogOptions(
                format, classifier, other, maxLineBytes, maxKeys, memoryBytes, temporaryFolder, seed, progress);
    }

    /** With other bounds. */
    public LogOptions withBounds(int lineBytes, int keys, long memory) {
        return new LogOptions(format, classifier, by, lineBytes, keys, memory, temporaryFolder, seed, progress);
    }

    /** With another folder for the temporary file. */
    public LogOptions withTemporaryFolder(Path folder) {
        return new LogOptions(format, classifier, by, maxLineBytes, maxKeys, memoryBytes, folder, seed, progress);
    }

    /** With another seed. */
    public LogOptions withSeed(long other) {
        return new LogOptions(
                format, classifier, by, maxLineBytes, maxKeys, memoryBytes, temporaryFolder, other, progress);
    }

    /** With somebody who is told now and then how many lines have been read. */
    public LogOptions withProgress(LongConsumer listener) {
        return new LogOptions(
                format, classifier, by, maxLineBytes, maxKeys, memoryBytes, temporaryFolder, seed, listener);
    }
}
