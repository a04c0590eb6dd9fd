package io.nopanic.lab.logs.spool;

import java.io.IOException;

/** Reads packed calls one after the other, many at a time. */
final class RecordReader {

    private final Records records;
    private final long[] chunk;
    private final long end;
    private long nextChunk;
    private int count;
    private int at;

    /** Reads the calls from {@code first} to before {@code end}, so many in one go. */
    RecordReader(Records records, long first, long end, int chunk) {
        this.records = records;
        this.nextChunk = first;
        this.end = end;
        this.chunk = new long[(int) Math.max(1, Math.min(chunk, end - first)) * Packed.LONGS];
        this.at = -1;
    }

    /** Moves to the next call; {@code false} behind the last. */
    boolean next() throws IOException {
        if (++at < count) {
            return true;
        }
        count = (int) Math.min(records.read(nextChunk, chunk), end - nextChunk);
        nextChunk += count;
        at = 0;
        return count > 0;
    }

    long startNanos() {
        return chunk[at * Packed.LONGS];
    }

    long durationNanos() {
        return chunk[at * Packed.LONGS + 1];
    }

    long rest() {
        return chunk[at * Packed.LONGS + 2];
    }

    /** Copies the call to a place of an array. */
    void copyTo(long[] into, int record) {
        System.arraycopy(chunk, at * Packed.LONGS, into, record * Packed.LONGS, Packed.LONGS);
    }
}
