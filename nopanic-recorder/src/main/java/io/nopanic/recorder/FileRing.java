package io.nopanic.recorder;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is put aside when it is full: {@code calls.jsonl}, then {@code calls.jsonl.1}, then {@code calls.jsonl.2}, of which the last one goes when
 * there are too many. Each begins with the same header. For one thread.
 */
final class FileRing {

    private final Path file;
    private final long maxBytes;
    private final int files;
    private final String header;
    private @Nullable FileChannel channel;

    FileRing(Path file, long maxBytes, int files, String header) {
        this.file = file;
        this.maxBytes = maxBytes;
        this.files = files;
        this.header = header;
    }

    /** Opens the file, if it is not open; goes on behind what is in it. */
    FileChannel open() throws IOException {
        FileChannel known = channel;
        if (known != null) {
            return known;
        }
        FileChannel opened =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            opened.position(opened.size());
            write(opened, endsWithinALine(opened) ? "\n" + header : header);
        } catch (IOException e) {
            tidyAfter(e, opened);
            throw e;
        }
        channel = opened;
        return opened;
    }

    private static boolean endsWithinALine(FileChannel opened) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        return opened.size() > 0 && opened.read(last, opened.size() - 1) == 1 && last.get(0) != '\n';
    }

    /** Writes whole lines, into another file if they do not fit into this one. After a failure the next call opens the file anew. */
    void write(String lines) throws IOException {
        try {
            FileChannel current = open();
            if (current.position() > header.length() && current.position() + lines.length() > maxBytes) {
                putAside();
                current = open();
            }
            write(current, lines);
        } catch (IOException e) {
            tidyAfter(e, this::close);
            throw e;
        }
    }

    /** Writes all, or nothing that stays. */
    static void write(SeekableByteChannel to, String text) throws IOException {
        long before = to.position();
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
        } catch (IOException e) {
            tidyAfter(e, () -> to.truncate(before));
            throw e;
        }
    }

    /** Tidies up after a failure, of which a second one must not take the place. */
    private static void tidyAfter(IOException failure, Closeable tidying) {
        try {
            tidying.close();
        } catch (IOException another) {
            failure.addSuppressed(another);
        }
    }

    private void putAside() throws IOException {
        close();
        for (int number = files - 1; number > 0; number--) {
            Path newer = numbered(number - 1);
            if (Files.exists(newer)) {
                Files.move(newer, numbered(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.deleteIfExists(file);
    }

    private Path numbered(int number) {
        return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
    }

    void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
