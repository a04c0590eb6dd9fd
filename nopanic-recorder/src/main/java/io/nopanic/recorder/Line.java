package io.nopanic.recorder;

import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.bulkhead.BulkheadFullException;
import io.nopanic.events.Event;
import io.nopanic.outcome.Failures;
import io.nopanic.outcome.RejectedException;
import io.nopanic.ratelimit.RateLimitedException;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lines of the record. */
final class Line {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int SECOND_DIGITS = 9;
    private static final int MILLI_DIGITS = 6;

    private Line() {}

    /** The line of a call; of one that was refused it says by what, for it never reached what it was meant for. */
    static void append(StringBuilder text, Event.Stamp stamp, long durationNanos, @Nullable Throwable error) {
        decimal(text.append("{\"ts\":"), nanos(stamp.time()) - durationNanos, SECOND_DIGITS);
        decimal(text.append(",\"ms\":"), durationNanos, MILLI_DIGITS);
        quoted(text.append(",\"key\":"), stamp.name());
        if (error == null) {
            text.append(",\"ok\":true");
        } else if (error instanceof RejectedException) {
            quoted(text.append(",\"rejected\":"), refusal(error));
        } else {
            quoted(text.append(",\"ok\":false,\"error\":"), kind(error));
        }
        text.append("}\n");
    }

    /** What stands at the beginning of each file. */
    static String header(double sample) {
        return "{\"record\":\"nopanic calls\",\"version\":1,\"sample\":" + sample + "}\n";
    }

    /** Stands where calls are missing. */
    static void appendLost(StringBuilder text, long calls) {
        text.append("{\"lost\":").append(calls).append("}\n");
    }

    private static String refusal(Throwable error) {
        if (error instanceof CircuitOpenException) {
            return "circuit open";
        }
        if (error instanceof BulkheadFullException) {
            return "bulkhead full";
        }
        return error instanceof RateLimitedException
                ? "rate limited"
                : error.getClass().getName();
    }

    private static String kind(Throwable error) {
        if (Failures.isTimeout(error)) {
            return "timeout";
        }
        return Failures.isCancellation(error) ? "cancelled" : error.getClass().getName();
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * NANOS_PER_SECOND + time.getNano();
    }

    /** A number with its last {@code digits} digits behind a point. */
    private static void decimal(StringBuilder text, long value, int digits) {
        if (value < 0) {
            text.append('-');
        }
        String figures = Long.toString(Math.abs(value));
        int missing = digits + 1 - figures.length();
        String padded = missing > 0 ? "0".repeat(missing) + figures : figures;
        int point = padded.length() - digits;
        text.append(padded, 0, point).append('.').append(padded, point, padded.length());
    }

    private static void quoted(StringBuilder text, String word) {
        text.append('"');
        for (int i = 0; i < word.length(); i++) {
            char character = word.charAt(i);
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }
}
