package io.nopanic.lab.logs.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes a line as values between commas (or semicolons, or tabs, as the first line has them), whose names are on the first line. A value may
 * stand in quotes, with quotes in it doubled, but not go on on another line: whatever a value holds, a line is a call.
 */
final class CsvSplitter implements Splitter {

    private static final Verdict NO_NAMES = Verdict.unparsable("the first line has no column named ts");
    private static final Verdict TOO_MANY = Verdict.unparsable("more values than the first line has columns");
    private static final Verdict OPEN_QUOTES = Verdict.unparsable("quotes that are not closed");
    private static final int UNUSED = -1;

    private final Map<String, Integer> places;
    private int @Nullable [] columns;
    private char comma = ',';

    /** The end of the value that was last unquoted. */
    private int valueEnd;

    /**
     * @param places the place of each column, by its name in lower case
     */
    CsvSplitter(Map<String, Integer> places) {
        this.places = Map.copyOf(places);
    }

    @Override
    public boolean knows(int field) {
        return places.containsValue(field);
    }

    /** Whether this can be the first line of a log. */
    static boolean isHeader(byte[] bytes, int from, int to) {
        return names(bytes, from, to, commaOf(bytes, from, to)).contains("ts");
    }

    @Override
    public @Nullable Verdict split(byte[] bytes, int from, int to, Fields into) {
        if (Ascii.isBlank(bytes, from, to)) {
            return Verdict.NOTHING;
        }
        int[] known = columns;
        if (known == null) {
            return header(bytes, from, to);
        }
        int at = from;
        for (int column = 0; column < known.length; column++) {
            boolean isQuoted = at < to && bytes[at] == '"';
            int start = isQuoted ? at + 1 : at;
            int end = isQuoted ? unquote(bytes, start, to) : Ascii.indexOf(bytes, at, to, comma);
            if (end < 0) {
                return OPEN_QUOTES;
            }
            if (known[column] != UNUSED) {
                set(into, known[column], bytes, start, isQuoted ? valueEnd : end);
            }
            if (end >= to) {
                return null;
            }
            at = end + 1;
        }
        return TOO_MANY;
    }

    private static void set(Fields into, int field, byte[] bytes, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && bytes[start] == ' ') {
            start++;
        }
        while (end > start && bytes[end - 1] == ' ') {
            end--;
        }
        into.set(field, bytes, start, end);
    }

    private Verdict header(byte[] bytes, int from, int to) {
        comma = commaOf(bytes, from, to);
        List<String> names = names(bytes, from, to, comma);
        if (!names.contains("ts")) {
            return NO_NAMES;
        }
        columns = names.stream()
                .mapToInt(name -> places.getOrDefault(name, UNUSED))
                .toArray();
        return Verdict.NOTHING;
    }

    /** Takes the doubled quotes out of a value, in place; returns where the comma behind it is, or {@code to}, or -1 if the value does not end. */
    private int unquote(byte[] bytes, int from, int to) {
        int write = from;
        for (int read = from; read < to; read++) {
            if (bytes[read] == '"') {
                if (read + 1 < to && bytes[read + 1] == '"') {
                    read++;
                } else {
                    valueEnd = write;
                    boolean isEnd = read + 1 == to || bytes[read + 1] == comma;
                    return isEnd ? read + 1 : -1;
                }
            }
            bytes[write++] = bytes[read];
        }
        return -1;
    }

    private static char commaOf(byte[] bytes, int from, int to) {
        for (char candidate : new char[] {',', ';', '\t'}) {
            if (Ascii.indexOf(bytes, from, to, candidate) < to) {
                return candidate;
            }
        }
        return ',';
    }

    private static List<String> names(byte[] bytes, int from, int to, char comma) {
        List<String> names = new ArrayList<>();
        int at = from;
        while (at <= to) {
            int end = Ascii.indexOf(bytes, at, to, comma);
            names.add(Ascii.text(bytes, at, end).replace("\"", "").strip().toLowerCase(Locale.ROOT));
            at = end + 1;
        }
        return names;
    }
}
