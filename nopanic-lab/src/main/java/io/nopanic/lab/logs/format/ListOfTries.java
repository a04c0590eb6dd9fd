package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.CallCursor;
import java.util.Arrays;

/** A value of nginx that has a part for each server that was tried: {@code a, b : c}, where the colon stands between groups of servers. */
final class ListOfTries {

    private static final int FIRST_TRIES = 8;

    private final int field;
    private byte[] bytes = new byte[0];
    private int[] from = new int[FIRST_TRIES];
    private int[] to = new int[FIRST_TRIES];
    private int count;

    ListOfTries(int field) {
        this.field = field;
    }

    void split(Fields fields) {
        bytes = fields.bytes(field);
        count = 0;
        int start = fields.from(field);
        int end = fields.to(field);
        if (start == end) {
            return;
        }
        int at = start;
        for (int i = start; i < end; i++) {
            boolean isComma = bytes[i] == ',';
            boolean isColon = bytes[i] == ':' && i > start && bytes[i - 1] == ' ' && i + 1 < end && bytes[i + 1] == ' ';
            if (isComma || isColon) {
                add(at, i);
                at = i + 1;
            }
        }
        add(at, end);
    }

    private void add(int start, int end) {
        if (count == from.length) {
            from = Arrays.copyOf(from, count * 2);
            to = Arrays.copyOf(to, count * 2);
        }
        int first = start;
        int behind = end;
        while (first < behind && bytes[first] == ' ') {
            first++;
        }
        while (behind > first && bytes[behind - 1] == ' ') {
            behind--;
        }
        from[count] = first;
        to[count] = behind;
        count++;
    }

    /** How many there are; 0 if the format has no such value. */
    int count() {
        return count;
    }

    /** Whether there are so many, or none at all. */
    boolean isOf(int tries) {
        return count == 0 || count == tries;
    }

    byte[] bytes() {
        return bytes;
    }

    int from(int i) {
        return from[i];
    }

    int to(int i) {
        return to[i];
    }

    private boolean isMissing(int i) {
        return from[i] == to[i] || Ascii.is(bytes, from[i], to[i], '-');
    }

    /** The time of a try in nanoseconds; {@link CallCursor#UNKNOWN} if it is not said, {@link Durations#NO_DURATION} if it is none. */
    long nanos(int i) {
        boolean isSaid = i < count && !isMissing(i);
        return isSaid ? Durations.of(bytes, from[i], to[i], Durations.SECONDS) : CallCursor.UNKNOWN;
    }

    /** The status of a try; 0 if there was none. */
    int status(int i) {
        return isMissing(i) ? 0 : (int) Ascii.wholeNumber(bytes, from[i], to[i]);
    }

    boolean isWrongStatus(int i) {
        long status = isMissing(i) ? 100 : Ascii.wholeNumber(bytes, from[i], to[i]);
        return status < 100 || status > 999;
    }
}
