package io.nopanic.lab.logs.write;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers, times and words, as logs have them. */
final class Text {

    private static final long SECOND = 1_000_000_000L;

    private static final DateTimeFormatter TO_MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter TO_MICROS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Text() {}

    /** A whole number with its last {@code digits} digits behind a point. */
    static StringBuilder decimal(StringBuilder text, long value, int digits) {
        String figures = Long.toString(value);
        if (figures.length() <= digits) {
            figures = "0".repeat(digits + 1 - figures.length()) + figures;
        }
        int point = figures.length() - digits;
        return text.append(figures, 0, point).append('.').append(figures, point, figures.length());
    }

    static String toMillis(long nanos) {
        return TO_MILLIS.format(instant(nanos));
    }

    static String toMicros(long nanos) {
        return TO_MICROS.format(instant(nanos));
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(nanos / SECOND, nanos % SECOND);
    }

    /** A word with quotes, backslashes, control characters and {@code others} as {@code \xHH}, as nginx writes them. */
    static StringBuilder escaped(StringBuilder text, String word, String others) {
        for (int i = 0; i < word.length(); i++) {
            char character = word.charAt(i);
            boolean isPlain = character >= ' '
                    && character != 0x7f
                    && "\"\\".indexOf(character) < 0
                    && others.indexOf(character) < 0;
            if (isPlain) {
                text.append(character);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02X", (int) character));
            }
        }
        return text;
    }

    /** A word in quotes, as JSON has it. */
    static StringBuilder json(StringBuilder text, String word) {
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
        return text.append('"');
    }
}
