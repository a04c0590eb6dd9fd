package io.nopanic.engine;

import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.Admission;
import io.nopanic.time.Time;

/**
 * What all stages of a pipeline share.
 *
 * @param pipeline its name
 * @param time its time
 * @param resumer what continues asynchronous calls after a wait
 * @param faults where to report what must not keep a call from going on
 */
record Context(String pipeline, Time time, Resumer resumer, ReportedOnce faults) {

    Context(String pipeline, Time time, Resumer resumer) {
        this(
                pipeline,
                time,
                resumer,
                new ReportedOnce(
                        Context.class,
                        "the clock, a timer or a policy threw; calls go on and give back what they hold"));
    }

    /** Stands for a time not read yet. */
    static final long UNREAD_NANOS = Admission.UNREAD_NANOS;

    /** Stands for no deadline. */
    static final long NO_DEADLINE_NANOS = Long.MIN_VALUE;

    /** The earlier of an outer deadline and one that begins now. */
    static long earlier(long outerDeadlineNanos, long nowNanos, long timeoutNanos) {
        if (outerDeadlineNanos != NO_DEADLINE_NANOS && outerDeadlineNanos - nowNanos <= timeoutNanos) {
            return outerDeadlineNanos;
        }
        long deadlineNanos = nowNanos + timeoutNanos;
        return deadlineNanos == NO_DEADLINE_NANOS ? deadlineNanos + 1 : deadlineNanos;
    }

    /** What a deadline leaves; {@link Long#MAX_VALUE} if there is none. */
    static long remaining(long deadlineNanos, long nowNanos) {
        return deadlineNanos == NO_DEADLINE_NANOS ? Long.MAX_VALUE : deadlineNanos - nowNanos;
    }

    /** The time at which something ends; if the clock throws, the time given, for what was taken has to be given back all the same. */
    long endNanos(long lastNanos) {
        try {
            return time.nanos();
        } catch (Throwable thrown) {
            faults.thrown(thrown);
            return lastNanos;
        }
    }

    /** The time given, or, if that was not read yet, that at which something ends. */
    long endIfUnread(long nowNanos, long lastNanos) {
        return nowNanos == UNREAD_NANOS ? endNanos(lastNanos) : nowNanos;
    }

    /** The time given, or, if that was not read yet, the clock's. */
    long readIfUnread(long nowNanos) {
        return nowNanos == UNREAD_NANOS ? time.nanos() : nowNanos;
    }
}
