package io.nopanic.lab.logs.write;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Writes calls as lines of another program, in the order in which that would have written them. What each format can hold,
 * {@code docs/lab/logs.md} says. Not thread-safe.
 */
public final class LogWriter {

    /** So many calls wait at most for those that end before them; beyond it a line comes too early. */
    static final int MAX_WAITING = 1 << 18;

    private static final Map<String, Supplier<LineWriter>> FORMATS = new TreeMap<>(Map.of(
            "jsonl", OwnLines.Jsonl::new,
            "csv", OwnLines.Csv::new,
            "nginx", ProxyLines.Nginx::new,
            "envoy", ProxyLines.Envoy::new,
            "envoy-json", ProxyLines.EnvoyJson::new,
            "alb", AlbLines::new,
            "otlp", OtlpLines::new));

    private final LineWriter lines;
    private final StringBuilder line = new StringBuilder();

    private LogWriter(LineWriter lines) {
        this.lines = lines;
    }

    /**
     * A writer of a format: {@code alb}, {@code csv}, {@code envoy}, {@code envoy-json}, {@code jsonl}, {@code nginx} or {@code otlp}.
     *
     * @throws IllegalArgumentException if there is no such format
     */
    public static LogWriter named(String format) {
        Supplier<LineWriter> found = FORMATS.get(format);
        if (found == null) {
            throw new IllegalArgumentException(
                    "format is '" + format + "', allowed is " + String.join(", ", FORMATS.keySet()));
        }
        return new LogWriter(found.get());
    }

    /**
     * Writes all calls, and flushes.
     *
     * @throws IllegalArgumentException if a call lacks what the format cannot leave out
     */
    public void write(CallLog log, OutputStream out) throws IOException {
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
        if (!lines.header().isEmpty()) {
            writer.append(lines.header()).append('\n');
        }
        var waiting = new PriorityQueue<>(Comparator.comparingLong(WrittenCall::endNanos));
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                WrittenCall call = new WrittenCall(
                        cursor.startNanos(),
                        cursor.durationNanos(),
                        cursor.ending(),
                        log.keys().get(cursor.key()),
                        cursor.attempt());
                if (lines.isOrderedByStart()) {
                    write(call, writer);
                    continue;
                }
                while (!waiting.isEmpty()
                        && (waiting.element().endNanos() <= call.startNanos() || waiting.size() >= MAX_WAITING)) {
                    write(waiting.remove(), writer);
                }
                waiting.add(call);
            }
        }
        while (!waiting.isEmpty()) {
            write(waiting.remove(), writer);
        }
        writer.flush();
    }

    private void write(WrittenCall call, Writer writer) throws IOException {
        line.setLength(0);
        lines.append(line, call);
        writer.append(line).append('\n');
    }
}
