package io.nopanic.lab.logs.format;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Picks the key of a call from the fields of its line. */
final class Keys {

    /** The only key if calls are not told apart. */
    static final String ALL = "all";

    /** The key of a call that has not got what others are told apart by. */
    static final String MISSING = "-";

    private static final byte[] ALL_BYTES = Ascii.bytes(ALL);
    private static final byte[] MISSING_BYTES = Ascii.bytes(MISSING);

    private final Intake intake;
    private final KeyBy by;

    Keys(Reading reading) {
        this.intake = reading.intake();
        this.by = reading.by();
    }

    /**
     * Makes sure that a format can tell calls apart as it was asked to.
     *
     * @throws IllegalArgumentException if it cannot
     */
    static void check(String format, KeyBy by, Splitter splitter) {
        if (isSaid(by, splitter)) {
            return;
        }
        String others = Arrays.stream(KeyBy.values())
                .filter(other -> isSaid(other, splitter))
                .map(KeyBy::toString)
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "by is " + by + ", and lines of the format " + format + " do not say it; allowed is " + others);
    }

    private static boolean isSaid(KeyBy by, Splitter splitter) {
        boolean isInRequest = by == KeyBy.PATH1 && splitter.knows(Fields.REQUEST);
        return by == KeyBy.NONE || isInRequest || splitter.knows(fieldOf(by));
    }

    private static int fieldOf(KeyBy by) {
        return switch (by) {
            case HOST -> Fields.HOST;
            case UPSTREAM -> Fields.UPSTREAM;
            case PATH1 -> Fields.PATH;
            case KEY, NONE -> Fields.KEY;
        };
    }

    boolean isByUpstream() {
        return by == KeyBy.UPSTREAM;
    }

    /** The number of the key of a line. */
    int of(Fields fields) {
        if (by == KeyBy.NONE) {
            return of(ALL_BYTES, 0, ALL_BYTES.length);
        }
        if (by == KeyBy.PATH1) {
            return fields.has(Fields.PATH) ? ofPath(fields, Fields.PATH) : ofRequest(fields);
        }
        int field = fieldOf(by);
        return fields.has(field) ? of(fields.bytes(field), fields.from(field), fields.to(field)) : ofMissing();
    }

    int of(byte[] bytes, int from, int to) {
        return intake.key(bytes, from, to);
    }

    private int ofMissing() {
        return of(MISSING_BYTES, 0, MISSING_BYTES.length);
    }

    /** {@code /first} of {@code /first/second?query}, also behind {@code https://host:443}. */
    static String firstOfPath(String path) {
        byte[] bytes = Ascii.bytes(path);
        int start = startOfPath(bytes, 0, bytes.length);
        return Ascii.text(bytes, start, endOfPart(bytes, start, bytes.length));
    }

    /** Of {@code GET /path HTTP/1.1}, or with a whole address in the middle. */
    private int ofRequest(Fields fields) {
        byte[] bytes = fields.bytes(Fields.REQUEST);
        int to = fields.to(Fields.REQUEST);
        int path = Ascii.indexOf(bytes, fields.from(Fields.REQUEST), to, ' ') + 1;
        return path < to ? ofPath(bytes, path, Ascii.indexOf(bytes, path, to, ' ')) : ofMissing();
    }

    private int ofPath(Fields fields, int field) {
        return ofPath(fields.bytes(field), fields.from(field), fields.to(field));
    }

    private int ofPath(byte[] bytes, int from, int to) {
        int start = startOfPath(bytes, from, to);
        return start < to ? of(bytes, start, endOfPart(bytes, start, to)) : ofMissing();
    }

    private static int startOfPath(byte[] bytes, int from, int to) {
        int colon = Ascii.indexOf(bytes, from, to, ':');
        boolean isWholeAddress =
                colon + 2 < to && bytes[from] != '/' && bytes[colon + 1] == '/' && bytes[colon + 2] == '/';
        return isWholeAddress ? Ascii.indexOf(bytes, colon + 3, to, '/') : from;
    }

    private static int endOfPart(byte[] bytes, int from, int to) {
        int end = Math.min(from + 1, to);
        while (end < to && bytes[end] != '/' && bytes[end] != '?' && bytes[end] != '#') {
            end++;
        }
        return end;
    }

    /** What is called by a service, where nothing else is known of it; not the same as that service. */
    static String calledBy(String service) {
        return service.isEmpty() ? MISSING : "from " + service;
    }
}
