package io.nopanic.lab.logs.format;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Takes a line of an AWS application load balancer: values between spaces, some in quotes, at fixed places. */
final class AlbSplitter implements Splitter {

    private static final Verdict TOO_FEW = Verdict.unparsable("fewer values than a line of a load balancer has");
    private static final Verdict OPEN_QUOTES = Verdict.unparsable("quotes that are not closed");
    private static final byte[] TARGET_GROUP = Ascii.bytes("targetgroup/");
    private static final int UNUSED = -1;
    private static final int LEAST_VALUES = 13;

    /** The place of each value that is of use, in the order of the line. */
    private static final int[] PLACES = places();

    private static int[] places() {
        int[] places = new int[23];
        Arrays.fill(places, UNUSED);
        places[1] = Fields.END_TIME;
        places[4] = Fields.UPSTREAM;
        places[5] = Fields.SECONDS;
        places[6] = Fields.UPSTREAM_SECONDS;
        places[7] = Fields.RESPONSE_SECONDS;
        places[8] = Fields.STATUS;
        places[9] = Fields.UPSTREAM_STATUS;
        places[12] = Fields.REQUEST;
        places[16] = Fields.KEY;
        places[18] = Fields.HOST;
        places[21] = Fields.START_TIME;
        places[22] = Fields.ACTIONS;
        return places;
    }

    @Override
    public boolean knows(int field) {
        return Arrays.stream(PLACES).anyMatch(place -> place == field);
    }

    @Override
    public @Nullable Verdict split(byte[] bytes, int from, int to, Fields into) {
        if (Ascii.isBlank(bytes, from, to)) {
            return Verdict.NOTHING;
        }
        int at = from;
        int value = 0;
        while (at < to && value < PLACES.length) {
            boolean isQuoted = bytes[at] == '"';
            int start = isQuoted ? at + 1 : at;
            int end = isQuoted ? endOfQuotes(bytes, start, to) : Ascii.indexOf(bytes, at, to, ' ');
            if (end < 0) {
                return OPEN_QUOTES;
            }
            if (PLACES[value] != UNUSED) {
                into.set(PLACES[value], bytes, start, end);
            }
            value++;
            at = end + (isQuoted ? 2 : 1);
        }
        nameTargetGroup(into);
        return value < LEAST_VALUES ? TOO_FEW : null;
    }

    /** Where the quotes end that a space or the end of the line follows; -1 if they do not. */
    private static int endOfQuotes(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                i++;
            } else if (bytes[i] == '"') {
                return i + 1 == to || bytes[i + 1] == ' ' ? i : -1;
            }
        }
        return -1;
    }

    /** Takes the name out of {@code arn:aws:elasticloadbalancing:region:account:targetgroup/name/id}. */
    private static void nameTargetGroup(Fields fields) {
        byte[] bytes = fields.bytes(Fields.KEY);
        int to = fields.to(Fields.KEY);
        for (int i = fields.from(Fields.KEY); i < to; i++) {
            if (Ascii.startsWith(bytes, i, to, TARGET_GROUP)) {
                int start = i + TARGET_GROUP.length;
                fields.set(Fields.KEY, bytes, start, Ascii.indexOf(bytes, start, to, '/'));
                return;
            }
        }
    }
}
