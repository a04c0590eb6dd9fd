package io.nopanic.lab.logs.format;

import io.nopanic.lab.logs.spool.KeyTable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Finds out what format a log is in, from its beginning: the one that most of the first lines are lines of. */
public final class Detection {

    private static final int MAX_LINES = 100;

    private Detection() {}

    /** Which of these formats a log is in that begins with these bytes; empty if in none of them. The first of those that fit equally well. */
    public static Optional<LogFormat> of(byte[] beginning, List<LogFormat> candidates) {
        Optional<LogFormat> best = Optional.empty();
        int most = 0;
        for (LogFormat candidate : candidates) {
            int fitting = fitting(candidate, beginning);
            if (fitting > most) {
                most = fitting;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    private static int fitting(LogFormat candidate, byte[] beginning) {
        return candidate instanceof LogFormat.OfLines lines
                ? fittingLines(lines, beginning)
                : fittingSpans((LogFormat.OfSpans) candidate, beginning);
    }

    private static int fittingSpans(LogFormat.OfSpans format, byte[] beginning) {
        int fitting = 0;
        try {
            SpanReader reader = format.reader(new ByteArrayInputStream(beginning), beginning.length + 1, nowhere());
            for (int span = 0; span < MAX_LINES && reader.next(); span++) {
                fitting += isLine(reader.verdict()) ? 1 : 0;
            }
        } catch (IOException e) {
            // The beginning ends in the middle of something.
            return fitting;
        }
        return fitting;
    }

    private static Reading nowhere() {
        Intake intake = new Intake(new KeyTable(MAX_LINES), 0, (start, duration, ending, key, attempt) -> {});
        return new Reading(Classifier.standard(), KeyBy.NONE, intake);
    }

    private static int fittingLines(LogFormat.OfLines format, byte[] beginning) {
        LineParser parser = format.parser(nowhere());
        // Some parsers change the bytes that they read.
        byte[] bytes = beginning.clone();
        int fitting = 0;
        int from = 0;
        for (int line = 0; line < MAX_LINES && from < bytes.length; line++) {
            int end = Ascii.indexOf(bytes, from, bytes.length, '\n');
            int to = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
            if (isLine(parser.read(bytes, from, to))) {
                fitting++;
            }
            from = end + 1;
        }
        return fitting;
    }

    private static boolean isLine(Verdict verdict) {
        return verdict.kind() == Verdict.Kind.CALL || verdict.kind() == Verdict.Kind.DROPPED;
    }

    /** The first line, to be shown. */
    public static String firstLine(byte[] beginning) {
        String text = new String(beginning, StandardCharsets.UTF_8).strip();
        return Printable.shortened(text.lines().findFirst().orElse(""));
    }
}
