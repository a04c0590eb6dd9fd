package io.nopanic.lab.logs;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A file or the standard input, unpacked if it is packed with gzip, whatever its name is. */
final class Source implements AutoCloseable {

    /** What users write for the standard input. */
    static final String STANDARD_INPUT = "-";

    private static final int HEAD = 1 << 16;
    private static final int BUFFER = 1 << 16;
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};

    private final InputStream raw;
    private final InputStream unpacked;
    private final byte[] head;
    private @Nullable IOException damage;

    private Source(InputStream raw) throws IOException {
        this.raw = raw;
        Peekable buffered = new Peekable(raw);
        byte[] first = buffered.readNBytes(GZIP.length);
        buffered.unread(first);
        unpacked = Arrays.equals(first, GZIP) ? new GZIPInputStream(buffered, BUFFER) : buffered;
        head = readHead();
    }

    /** Opens what a user names. */
    static Source open(String file, InputStream standardInput) throws IOException {
        InputStream raw = file.equals(STANDARD_INPUT) ? standardInput : Files.newInputStream(Path.of(file));
        try {
            return new Source(raw);
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    /** The beginning, without a byte order mark; it is part of {@link #stream} all the same. */
    byte[] head() {
        return head;
    }

    /** All of it, without a byte order mark. */
    InputStream stream() {
        InputStream rest = damage == null ? unpacked : new Damaged(damage);
        return new SequenceInputStream(new ByteArrayInputStream(head), rest);
    }

    private byte[] readHead() {
        byte[] read = new byte[HEAD];
        int length = 0;
        try {
            int more = 0;
            while (more >= 0 && length < HEAD) {
                more = unpacked.read(read, length, HEAD - length);
                length += Math.max(0, more);
            }
        } catch (IOException e) {
            damage = e;
        }
        boolean isMarked = length >= MARK.length && Arrays.equals(read, 0, MARK.length, MARK, 0, MARK.length);
        return Arrays.copyOfRange(read, isMarked ? MARK.length : 0, length);
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }

    /**
     * Says that there is something to read as long as it is not at the end. {@link GZIPInputStream} asks that where one of several packed parts ends, and
     * takes a pipe that has nothing at this very moment for one that has ended.
     */
    private static final class Peekable extends PushbackInputStream {

        Peekable(InputStream in) {
            super(new BufferedInputStream(in, BUFFER), GZIP.length);
        }

        @Override
        public int available() throws IOException {
            int known = super.available();
            if (known > 0) {
                return known;
            }
            int read = read();
            if (read < 0) {
                return 0;
            }
            unread(read);
            return 1;
        }
    }

    /** What cannot be read any further. */
    private static final class Damaged extends InputStream {

        private final IOException damage;

        Damaged(IOException damage) {
            this.damage = damage;
        }

        @Override
        public int read() throws IOException {
            throw damage;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            throw damage;
        }
    }
}
