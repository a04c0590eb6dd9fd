package io.nopanic.lab.logs.format;

/** What a line has to say, each thing at the place of its number: views of bytes, not copies. Not thread-safe. */
final class Fields {

    /** When the call began, or when the line was written, which is when it had ended. */
    static final int START_TIME = 0;

    static final int END_TIME = 1;

    static final int SECONDS = 2;
    static final int MILLIS = 3;
    static final int MICROS = 4;
    static final int NANOS = 5;

    /** A duration that says its unit. */
    static final int DURATION = 6;

    /** In seconds, one for each server that was tried. */
    static final int UPSTREAM_SECONDS = 7;

    static final int STATUS = 8;
    static final int UPSTREAM_STATUS = 9;
    static final int OK = 10;
    static final int ERROR = 11;
    static final int FLAGS = 12;
    static final int REJECTED = 13;
    static final int ATTEMPT = 14;
    static final int KEY = 15;
    static final int HOST = 16;
    static final int UPSTREAM = 17;
    static final int PATH = 18;

    /** As in {@code GET /path HTTP/1.1}. */
    static final int REQUEST = 19;

    static final int RESPONSE_SECONDS = 20;
    static final int ACTIONS = 21;
    static final int SAMPLE = 22;
    static final int LOST = 23;

    /** In seconds with parts of them behind a point, however few there are. */
    static final int POINTED_SECONDS = 24;

    static final int COUNT = 25;

    private static final byte[] NOTHING = new byte[0];

    private final byte[][] bytes = new byte[COUNT][];
    private final int[] from = new int[COUNT];
    private final int[] to = new int[COUNT];

    Fields() {
        clear();
    }

    void clear() {
        for (int field = 0; field < COUNT; field++) {
            set(field, NOTHING, 0, 0);
        }
    }

    void set(int field, byte[] in, int start, int end) {
        bytes[field] = in;
        from[field] = start;
        to[field] = end;
    }

    /** Whether it says something; {@code -} and nothing do not. */
    boolean has(int field) {
        int length = to[field] - from[field];
        return length > 1 || (length == 1 && bytes[field][from[field]] != '-');
    }

    byte[] bytes(int field) {
        return bytes[field];
    }

    int from(int field) {
        return from[field];
    }

    int to(int field) {
        return to[field];
    }

    String text(int field) {
        return Ascii.text(bytes[field], from[field], to[field]);
    }

    long wholeNumber(int field) {
        return Ascii.wholeNumber(bytes[field], from[field], to[field]);
    }

    /** A number times ten to the power of {@code digits}, or {@link Ascii#NOT_A_NUMBER}. */
    long scaled(int field, int digits) {
        return Ascii.scaled(bytes[field], from[field], to[field], digits);
    }

    /** A status of three digits; -1 if it is none. */
    int status(int field) {
        long status = wholeNumber(field);
        return status >= 100 && status <= 999 ? (int) status : -1;
    }
}
