package io.nopanic.lab.logs;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Logs in the memory of a test. */
final class Logs {

    private Logs() {}

    /** Reads bytes as if they came on the standard input. */
    static Read read(byte[] bytes, LogOptions options) throws LogException {
        try (ReadCalls read = LogSources.open(List.of("-"), options, new ByteArrayInputStream(bytes))) {
            return new Read(calls(read.log()), read.report());
        }
    }

    static Read read(String text, LogOptions options) throws LogException {
        return read(text.getBytes(StandardCharsets.UTF_8), options);
    }

    /** Reads text in a format, with calls not told apart. */
    static Read read(String format, String text) throws LogException {
        return read(text, LogOptions.standard().withFormat(format));
    }

    static List<Call> calls(CallLog log) {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                calls.add(new Call(
                        cursor.startNanos(),
                        cursor.durationNanos(),
                        cursor.ending(),
                        log.keys().get(cursor.key()),
                        cursor.attempt()));
            }
        }
        return calls;
    }

    /** What a test compares. */
    record Call(long startNanos, long durationNanos, Ending ending, String key, int attempt) {}

    /** What was read, in memory. */
    record Read(List<Call> calls, ReadReport report) {

        Call only() {
            if (calls.size() != 1) {
                throw new AssertionError("not one call: " + calls + " " + report);
            }
            return calls.get(0);
        }
    }
}
