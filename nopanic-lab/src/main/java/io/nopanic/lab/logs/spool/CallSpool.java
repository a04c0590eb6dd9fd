package io.nopanic.lab.logs.spool;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes calls in any order and gives them back in order of their start. Holds them in memory up to a limit; what is more goes to a temporary
 * file, of {@value Packed#BYTES} bytes a call and while it is being sorted twice that, which is deleted when the log is closed. Not thread-safe.
 */
public final class CallSpool implements CallSink, AutoCloseable {

    /** How much memory is used for calls if nobody says otherwise, in bytes. */
    public static final long DEFAULT_MEMORY_BYTES = 64L << 20;

    private static final int FIRST_RECORDS = 1024;
    private static final int LEAST_RECORDS = 16;

    private final KeyTable keys;
    private final Path folder;
    private final int maxRecords;
    private final List<Long> runEnds = new ArrayList<>();
    private long[] records;
    private int count;
    private boolean runsAreInOrder = true;
    private long lastStartNanos = Long.MIN_VALUE;
    private @Nullable RecordFile runs;

    /**
     * @param keys knows the keys of the calls
     * @param memoryBytes about how much memory calls may take while they are sorted
     * @param folder where the temporary file is made, if one is needed
     */
    public CallSpool(KeyTable keys, long memoryBytes, Path folder) {
        this.keys = keys;
        this.folder = folder;
        // Half of the memory is for sorting.
        long fitting = memoryBytes / 2 / Packed.BYTES;
        this.maxRecords = (int) Math.max(LEAST_RECORDS, Math.min(fitting, Integer.MAX_VALUE / Packed.LONGS / 2));
        this.records = new long[Math.min(FIRST_RECORDS, maxRecords) * Packed.LONGS];
    }

    @Override
    public void accept(long startNanos, long durationNanos, Ending ending, int key, int attempt) {
        if ((count + 1) * Packed.LONGS > records.length) {
            makeRoom();
        }
        int at = count++ * Packed.LONGS;
        records[at] = startNanos;
        records[at + 1] = durationNanos;
        records[at + 2] = Packed.rest(ending, key, attempt);
    }

    private void makeRoom() {
        if (count < maxRecords) {
            records = Arrays.copyOf(records, Math.min(count * 2, maxRecords) * Packed.LONGS);
            return;
        }
        try {
            writeRun();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeRun() throws IOException {
        if (count == 0) {
            return;
        }
        RecordSort.sort(records, count);
        if (runs == null) {
            runs = RecordFile.createIn(folder);
        }
        runsAreInOrder &= records[0] >= lastStartNanos;
        lastStartNanos = records[(count - 1) * Packed.LONGS];
        runs.append(records, count);
        runEnds.add(runs.size());
        count = 0;
    }

    /** The calls so far, in order. They belong to the log from now on: close that instead of this. */
    public CallLog finish() throws IOException {
        if (runs == null) {
            RecordSort.sort(records, count);
            return new SpooledCalls(Records.of(records, count), keys.keys());
        }
        writeRun();
        Records sorted = runsAreInOrder ? runs : merged(runs);
        records = new long[0];
        runs = null;
        return new SpooledCalls(sorted, keys.keys());
    }

    private RecordFile merged(RecordFile unsorted) throws IOException {
        RecordFile target = RecordFile.createIn(folder);
        try (unsorted) {
            int chunk = Math.max(LEAST_RECORDS, Math.min(RecordFile.CHUNK, maxRecords / runEnds.size()));
            RunMerge.merge(unsorted, runEnds, chunk, target);
        } catch (IOException | RuntimeException e) {
            target.close();
            throw e;
        }
        return target;
    }

    @Override
    public void close() throws IOException {
        if (runs != null) {
            runs.close();
        }
    }
}
