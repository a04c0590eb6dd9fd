package io.nopanic.lab.logs.format;

import java.nio.charset.StandardCharsets;

/** What stands in a log, fit to be shown: short, on one line, and without anything that a terminal would obey. */
public final class Printable {

    private static final int MAX_LENGTH = 120;

    private Printable() {}

    /** The beginning of some bytes. */
    public static String shortened(byte[] bytes, int from, int to) {
        // No character takes more than four bytes.
        int end = Math.min(to, from + 4 * (MAX_LENGTH + 1));
        return shortened(new String(bytes, from, end - from, StandardCharsets.UTF_8));
    }

    /** The beginning of a text. */
    public static String shortened(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .map(character -> isPrintable(character) ? character : '\ufffd')
                .forEach(shown::appendCodePoint);
        return text.codePointCount(0, text.length()) > MAX_LENGTH ? shown + "..." : shown.toString();
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
