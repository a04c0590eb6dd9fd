package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.Ending;

/**
 * A line of nginx or Apache. nginx says what each server answered that it tried; each of these is a call, one behind the other from the
 * beginning of the request on. Without such lists a line is one call.
 */
final class ProxyCall implements Meaning {

    private static final Verdict NO_STATUS = Verdict.unparsable("the status is no number from 100 to 999");
    private static final Verdict UNEQUAL = Verdict.unparsable(
            "$upstream_addr, $upstream_status and $upstream_response_time are lists of different lengths");
    private static final Verdict NO_UPSTREAM = Verdict.dropped("answered by the proxy itself, without an upstream");

    private final Classifier classifier;
    private final Intake intake;
    private final Keys keys;
    private final Moment moment;
    private final boolean saysUpstream;
    private final ListOfTries addresses = new ListOfTries(Fields.UPSTREAM);
    private final ListOfTries statuses = new ListOfTries(Fields.UPSTREAM_STATUS);
    private final ListOfTries times = new ListOfTries(Fields.UPSTREAM_SECONDS);

    ProxyCall(Reading reading, Splitter splitter) {
        this.classifier = reading.classifier();
        this.intake = reading.intake();
        this.keys = new Keys(reading);
        this.moment = new Moment(intake);
        this.saysUpstream = splitter.knows(Fields.UPSTREAM_STATUS);
    }

    @Override
    public Verdict read(Fields fields) {
        int status = fields.has(Fields.STATUS) ? fields.status(Fields.STATUS) : 0;
        if (status < 0 || (status == 0 && !saysUpstream)) {
            return NO_STATUS;
        }
        addresses.split(fields);
        statuses.split(fields);
        times.split(fields);
        int tries = Math.max(statuses.count(), Math.max(addresses.count(), times.count()));
        if (!addresses.isOf(tries) || !statuses.isOf(tries) || !times.isOf(tries)) {
            return UNEQUAL;
        }
        if (saysUpstream && tries <= 1 && !fields.has(Fields.UPSTREAM_STATUS) && !fields.has(Fields.UPSTREAM)) {
            return NO_UPSTREAM;
        }
        return tries == 0 ? one(fields, status) : all(fields, tries, status);
    }

    private Verdict one(Fields fields, int status) {
        Verdict verdict = moment.read(fields);
        if (verdict.isCall()) {
            intake.call(moment.startNanos(), moment.durationNanos(), classifier.ofStatus(status), keys.of(fields), 1);
        }
        return verdict;
    }

    private Verdict all(Fields fields, int tries, int status) {
        long sumNanos = 0;
        for (int i = 0; i < tries; i++) {
            long nanos = times.nanos(i);
            if (nanos == Durations.NO_DURATION || (i < statuses.count() && statuses.isWrongStatus(i))) {
                return nanos == Durations.NO_DURATION ? Moment.NO_DURATION : NO_STATUS;
            }
            sumNanos += Math.max(0, nanos);
        }
        Verdict verdict = Moment.hasDuration(fields)
                ? moment.read(fields)
                : moment.read(fields, times.count() > 0 ? sumNanos : CallCursor.UNKNOWN);
        if (!verdict.isCall()) {
            return verdict;
        }
        long startNanos = moment.startNanos();
        for (int i = 0; i < tries; i++) {
            long nanos = times.nanos(i);
            if (nanos == CallCursor.UNKNOWN && tries == 1) {
                nanos = moment.durationNanos();
            }
            intake.call(startNanos, nanos, ending(i, tries, status), key(fields, i), i + 1);
            startNanos += Math.max(0, nanos);
        }
        return Verdict.CALL;
    }

    private Ending ending(int attempt, int tries, int status) {
        int own = attempt < statuses.count() ? statuses.status(attempt) : 0;
        if (own > 0) {
            return classifier.ofStatus(own);
        }
        // The last one has the status of the whole, such as 499 when the client did not wait; those before it were
        // given up.
        boolean isLast = attempt == tries - 1;
        return isLast && status > 0 ? classifier.ofStatus(status) : classifier.ofKind(FailureKind.IO);
    }

    private int key(Fields fields, int attempt) {
        return keys.isByUpstream() && attempt < addresses.count()
                ? keys.of(addresses.bytes(), addresses.from(attempt), addresses.to(attempt))
                : keys.of(fields);
    }
}
