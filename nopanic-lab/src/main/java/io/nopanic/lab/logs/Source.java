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

/** A file or the standard input, unpacked if it is packed with gzip, whatever its name is. */
final class Source implements AutoCloseable {

    /** What users write for the standard input. */
    static final String STANDARD_INPUT = "-";

    private static final int HEAD = 1 << 16;
    private static final int BUFFER = 1 << 16;
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};

    private final InputStream raw;
    private final InputStream unpacked;
    private final byte[] head = new byte[HEAD];
    private int headLength;

    private Source(InputStream raw) throws IOException {
        this.raw = raw;
        Peekable buffered = new Peekable(raw);
        byte[] first = buffered.readNBytes(GZIP.length);
        buffered.unread(first);
        unpacked = Arrays.equals(first, GZIP) ? new GZIPInputStream(buffered, BUFFER) : buffered;
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

    /** Reads the beginning, without taking it from {@link #stream}. What goes wrong goes wrong again there. */
    byte[] head() {
        try {
            while (headLength < HEAD) {
                int read = unpacked.read(head, headLength, HEAD - headLength);
                if (read < 0) {
                    break;
                }
                headLength += read;
            }
        } catch (IOException damaged) {
            // The stream says so when it is read to there.
            return head;
        }
        return head;
    }

    /** How much of {@link #head} there is. */
    int headLength() {
        return headLength;
    }

    /** All of it. */
    InputStream stream() {
        return new SequenceInputStream(new ByteArrayInputStream(head, 0, headLength), unpacked);
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
}
