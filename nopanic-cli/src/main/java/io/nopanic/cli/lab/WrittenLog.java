package io.nopanic.cli.lab;

import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.logs.write.LogWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A log that is to be written.
 *
 * @param writer its format
 * @param file where to
 */
record WrittenLog(LogWriter writer, Path file) {

    /** Reads {@code FORMAT:FILE}. */
    static WrittenLog of(String text) {
        int colon = text.indexOf(':');
        if (colon < 1 || colon == text.length() - 1) {
            throw new IllegalArgumentException(
                    "--write is '" + text + "', allowed is a format and a file, such as nginx:access.log");
        }
        return new WrittenLog(LogWriter.named(text.substring(0, colon)), Path.of(text.substring(colon + 1)));
    }

    /** Writes the calls; never over a file that is there. */
    void write(CallLog log) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            writer.write(log, out);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " is there already; it is not written over", e);
        }
    }
}
