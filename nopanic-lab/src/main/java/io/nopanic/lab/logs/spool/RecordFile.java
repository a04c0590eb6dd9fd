package io.nopanic.lab.logs.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Packed calls in a temporary file, which is gone when this is closed. Appending is for one thread, reading for many. */
final class RecordFile implements Records {

    /** How many calls are read or written in one go. */
    static final int CHUNK = 8192;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK * Packed.BYTES);
    private long size;

    private RecordFile(FileChannel channel) {
        this.channel = channel;
    }

    /** A new file in a folder. */
    static RecordFile createIn(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "nopanic-calls-", ".tmp");
        return new RecordFile(FileChannel.open(
                file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)));
    }

    @Override
    public long size() {
        return size;
    }

    /** Adds the first {@code count} calls of an array. */
    void append(long[] records, int count) throws IOException {
        for (int done = 0; done < count; done += CHUNK) {
            int now = Math.min(CHUNK, count - done);
            buffer.clear();
            buffer.asLongBuffer().put(records, done * Packed.LONGS, now * Packed.LONGS);
            buffer.limit(now * Packed.BYTES);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
        size += count;
    }

    @Override
    public int read(long first, long[] into) throws IOException {
        int count = (int) Math.min(into.length / Packed.LONGS, Math.max(0, size - first));
        ByteBuffer bytes = ByteBuffer.allocate(count * Packed.BYTES);
        long at = first * Packed.BYTES;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new IOException("the temporary file of calls ends before its " + size + " calls do");
            }
        }
        bytes.flip();
        bytes.asLongBuffer().get(into, 0, count * Packed.LONGS);
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
