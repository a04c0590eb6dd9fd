package io.nopanic.lab.logs;

import java.io.IOException;
import java.io.InputStream;

/**
 * Lines of a stream as views of a buffer, without the line feed, or carriage return and line feed, that ends them. Of a line that is too long only the
 * beginning is kept. Not thread-safe.
 */
final class Lines {

    private static final int BUFFER = 1 << 18;

    /** How much of a line that is too long is kept, to be shown. */
    private static final int KEPT = 512;

    private final InputStream in;
    private final int maxLine;
    private final byte[] buffer;
    private int filled;
    private int from;
    private int to;
    private int next;
    private boolean isAtEnd;
    private boolean isTooLong;

    Lines(InputStream in, int maxLine) {
        this.in = in;
        this.maxLine = maxLine;
        this.buffer = new byte[Math.max(BUFFER, maxLine + KEPT)];
    }

    /** Moves to the next line; {@code false} behind the last. */
    boolean next() throws IOException {
        from = next;
        isTooLong = false;
        int at = from;
        while (true) {
            int end = lineFeed(at);
            if (end < filled || isAtEnd) {
                return finish(end);
            }
            at = filled;
            if (filled - from > maxLine + 1) {
                return skipRest();
            }
            if (filled == buffer.length) {
                at -= from;
                moveToFront(filled - from);
            }
            fill();
        }
    }

    private boolean finish(int end) {
        boolean isThere = from < filled;
        to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
        next = Math.min(end + 1, filled);
        isTooLong = to - from > maxLine;
        return isThere;
    }

    /** Reads on to the end of the line, and keeps only its beginning. */
    private boolean skipRest() throws IOException {
        int kept = Math.min(KEPT, filled - from);
        moveToFront(kept);
        int end = filled;
        while (end == filled && !isAtEnd) {
            filled = kept;
            fill();
            end = lineFeed(kept);
        }
        to = kept;
        next = Math.min(end + 1, filled);
        isTooLong = true;
        return true;
    }

    private void moveToFront(int length) {
        System.arraycopy(buffer, from, buffer, 0, length);
        from = 0;
        filled = length;
    }

    private void fill() throws IOException {
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
            isAtEnd = true;
        } else {
            filled += read;
        }
    }

    private int lineFeed(int start) {
        int at = start;
        while (at < filled && buffer[at] != '\n') {
            at++;
        }
        return at;
    }

    byte[] bytes() {
        return buffer;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Whether the line is longer than allowed; {@link #from} to {@link #to} is its beginning then. */
    boolean isTooLong() {
        return isTooLong;
    }
}
