package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.CallCursor;

/** When a line says its call began and for how long it went on. Used again for each line; not thread-safe. */
final class Moment {

    static final Verdict NO_TIME = Verdict.unparsable("no time, or none between 1970 and 2261");
    static final Verdict NO_DURATION = Verdict.unparsable("the duration is no number of 0 or more");

    private static final int MICROS_FROM_NANOS = 3;

    private final Intake intake;
    private final Stamps stamps = new Stamps();
    private boolean hasParts;
    private long startNanos;
    private long durationNanos;

    Moment(Intake intake) {
        this.intake = intake;
    }

    /** Reads both, and tells the intake of the line; what is wrong with them otherwise. */
    Verdict read(Fields fields) {
        long nanos = durationNanos(fields);
        return nanos == Durations.NO_DURATION ? NO_DURATION : read(fields, nanos);
    }

    /** Reads the time of a line whose duration is known, or {@link CallCursor#UNKNOWN}. */
    Verdict read(Fields fields, long durationNanos) {
        boolean isStart = fields.has(Fields.START_TIME);
        int field = isStart ? Fields.START_TIME : Fields.END_TIME;
        long stampNanos = stamps.any(fields.bytes(field), fields.from(field), fields.to(field));
        if (stampNanos == Stamps.NO_TIME) {
            return NO_TIME;
        }
        // A log that has parts of seconds now and then leaves them out where they are 0.
        hasParts |= !stamps.isWholeSecond();
        long length = Math.max(0, durationNanos);
        this.durationNanos = durationNanos;
        startNanos = isStart ? stampNanos : stampNanos - length;
        if (startNanos < 0 || startNanos > Long.MAX_VALUE - length) {
            return NO_TIME;
        }
        intake.line(startNanos, startNanos + length, !hasParts);
        return Verdict.CALL;
    }

    /** Whether a line says how long its call took. */
    static boolean hasDuration(Fields fields) {
        boolean isSaid = fields.has(Fields.POINTED_SECONDS) || fields.has(Fields.DURATION);
        for (int field = Fields.SECONDS; field <= Fields.NANOS; field++) {
            isSaid |= fields.has(field);
        }
        return isSaid;
    }

    private static long durationNanos(Fields fields) {
        for (int field = Fields.SECONDS; field <= Fields.NANOS; field++) {
            if (fields.has(field)) {
                return number(fields, field, Durations.SECONDS - (field - Fields.SECONDS) * MICROS_FROM_NANOS);
            }
        }
        int field = Fields.POINTED_SECONDS;
        if (fields.has(field)) {
            // Without a point it is of another program, which writes microseconds at the same place.
            boolean hasPoint =
                    Ascii.indexOf(fields.bytes(field), fields.from(field), fields.to(field), '.') < fields.to(field);
            return hasPoint ? number(fields, field, Durations.SECONDS) : Durations.NO_DURATION;
        }
        field = Fields.DURATION;
        return fields.has(field)
                ? Durations.withUnit(fields.bytes(field), fields.from(field), fields.to(field))
                : CallCursor.UNKNOWN;
    }

    private static long number(Fields fields, int field, int unit) {
        return Durations.of(fields.bytes(field), fields.from(field), fields.to(field), unit);
    }

    long startNanos() {
        return startNanos;
    }

    /** {@link CallCursor#UNKNOWN} if the line does not say. */
    long durationNanos() {
        return durationNanos;
    }
}
