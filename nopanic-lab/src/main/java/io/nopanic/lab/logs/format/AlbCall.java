package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;

/**
 * A line of an AWS application load balancer. It has a time for each of three parts of a call; -1 for one of them means that the call did not get
 * that far.
 */
final class AlbCall implements Meaning {

    private static final Verdict NO_STATUS = Verdict.unparsable("the status is no number from 100 to 999");
    private static final Verdict NO_PART = Verdict.unparsable("a part of the time is no number of 0 or more, nor -1");
    private static final Verdict NOT_FORWARDED = Verdict.dropped("answered by the load balancer itself");
    private static final int FIRST_FAILING_STATUS = 400;
    private static final int FIRST_SERVER_STATUS = 500;
    private static final long NOT_REACHED = -1_000_000_000L;

    private final Classifier classifier;
    private final Intake intake;
    private final Keys keys;
    private final Stamps stamps = new Stamps();

    AlbCall(Reading reading) {
        this.classifier = reading.classifier();
        this.intake = reading.intake();
        this.keys = new Keys(reading);
    }

    @Override
    public Verdict read(Fields fields) {
        int status = fields.status(Fields.STATUS);
        int target = fields.has(Fields.UPSTREAM_STATUS) ? fields.status(Fields.UPSTREAM_STATUS) : 0;
        if (status < 0 || target < 0) {
            return NO_STATUS;
        }
        long sumNanos = 0;
        boolean isCutShort = false;
        for (int part : new int[] {Fields.SECONDS, Fields.UPSTREAM_SECONDS, Fields.RESPONSE_SECONDS}) {
            long nanos = fields.scaled(part, Durations.SECONDS);
            if (nanos < 0 && nanos != NOT_REACHED) {
                return NO_PART;
            }
            isCutShort |= nanos < 0;
            sumNanos += Math.max(0, nanos);
        }
        if (fields.has(Fields.ACTIONS) && !fields.text(Fields.ACTIONS).contains("forward")) {
            return NOT_FORWARDED;
        }
        return call(fields, isCutShort ? CallCursor.UNKNOWN : sumNanos, ending(status, target, isCutShort));
    }

    private Verdict call(Fields fields, long knownNanos, Ending ending) {
        long endNanos = timeNanos(fields, Fields.END_TIME);
        long begunNanos = fields.has(Fields.START_TIME)
                ? timeNanos(fields, Fields.START_TIME)
                : endNanos - Math.max(0, knownNanos);
        if (endNanos < 0 || begunNanos < 0) {
            return Moment.NO_TIME;
        }
        boolean isMeasured =
                knownNanos == CallCursor.UNKNOWN && fields.has(Fields.START_TIME) && endNanos >= begunNanos;
        long durationNanos = isMeasured ? endNanos - begunNanos : knownNanos;
        if (begunNanos > Long.MAX_VALUE - Math.max(0, durationNanos)) {
            return Moment.NO_DURATION;
        }
        intake.line(begunNanos, Math.max(begunNanos, endNanos), false);
        intake.call(begunNanos, durationNanos, ending, keys.of(fields), 1);
        return Verdict.CALL;
    }

    private long timeNanos(Fields fields, int field) {
        return stamps.iso(fields.bytes(field), fields.from(field), fields.to(field));
    }

    private Ending ending(int status, int target, boolean isCutShort) {
        if (isCutShort && status < FIRST_FAILING_STATUS) {
            return classifier.ofKind(FailureKind.IO);
        }
        // What the load balancer says counts where it found the answer of the target wanting.
        return classifier.ofStatus(target == 0 || status >= FIRST_SERVER_STATUS ? status : target);
    }
}
