package io.nopanic.stress.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A bulkhead: a list of those who run, and a list of those who wait. */
final class NaiveBulkhead {

    /** A call, and what its caller was told. */
    static final class Call {
        final long maxWaitEndNanos;
        final long deadlineNanos;

        /** Whether its code ends when it is cancelled. */
        final boolean obedient;

        String fate = "waits";

        Call(long maxWaitEndNanos, long deadlineNanos, boolean obedient) {
            this.maxWaitEndNanos = maxWaitEndNanos;
            this.deadlineNanos = deadlineNanos;
            this.obedient = obedient;
        }
    }

    final List<String> events = new ArrayList<>();
    final List<Call> running = new ArrayList<>();
    final List<Call> line = new ArrayList<>();

    /** Those whose callers have not been told anything, in the order in which they came. */
    private final List<Call> unanswered = new ArrayList<>();

    /** Two things happen to different calls at the same moment: what then comes first is not said anywhere. */
    boolean tied;

    private final long maxWaitNanos;
    private int maxConcurrent;
    private int maxQueued;
    private long nowNanos;

    NaiveBulkhead(int maxConcurrent, int maxQueued, long maxWaitNanos, long nowNanos) {
        this.maxConcurrent = maxConcurrent;
        this.maxQueued = maxQueued;
        this.maxWaitNanos = maxWaitNanos;
        this.nowNanos = nowNanos;
    }

    Call enter(long deadlineNanos, boolean obedient) {
        Call call = new Call(nowNanos + maxWaitNanos, nowNanos + deadlineNanos, obedient);
        if (line.isEmpty() && running.size() < maxConcurrent) {
            letIn(call);
        } else if (line.size() < maxQueued) {
            line.add(call);
        } else {
            refuse(call, 0);
        }
        unanswered.add(call);
        return call;
    }

    private void letIn(Call call) {
        running.add(call);
        call.fate = "runs";
    }

    private void refuse(Call call, long waitedNanos) {
        call.fate = "refused after " + waitedNanos;
        events.add("refused after " + waitedNanos);
    }

    /** The code of a call has ended. */
    void end(Call call, String fate) {
        if (call.fate.equals("runs")) {
            call.fate = fate;
        }
        running.remove(call);
        letInAll();
    }

    private void letInAll() {
        while (!line.isEmpty() && running.size() < maxConcurrent) {
            letIn(line.remove(0));
        }
    }

    /** The caller gives a call up, or its time is up. */
    void giveUp(Call call, String fate) {
        line.remove(call);
        call.fate = fate;
        if (call.obedient) {
            end(call, fate);
        }
    }

    void resize(int concurrent, int queued) {
        maxConcurrent = concurrent;
        maxQueued = queued;
        letInAll();
    }

    int available() {
        return line.isEmpty() ? Math.max(0, maxConcurrent - running.size()) : 0;
    }

    // ---------------- time

    void passTo(long nanos) {
        while (true) {
            Call impatient = first(line, call -> call.maxWaitEndNanos);
            unanswered.removeIf(call -> !call.fate.equals("waits") && !call.fate.equals("runs"));
            Call late = first(unanswered, call -> call.deadlineNanos);
            long waitsUntilNanos = impatient == null ? Long.MAX_VALUE : impatient.maxWaitEndNanos - nowNanos;
            long lateInNanos = late == null ? Long.MAX_VALUE : late.deadlineNanos - nowNanos;
            if (Math.min(waitsUntilNanos, lateInNanos) > nanos - nowNanos) {
                nowNanos = nanos;
                return;
            }
            tied |= waitsUntilNanos == lateInNanos;
            if (impatient != null && waitsUntilNanos <= lateInNanos) {
                nowNanos = impatient.maxWaitEndNanos;
                line.remove(impatient);
                refuse(impatient, maxWaitNanos);
            } else if (late != null) {
                nowNanos = late.deadlineNanos;
                giveUp(late, "timed out");
            }
        }
    }

    private @Nullable Call first(List<Call> calls, ToLongFunction<Call> moment) {
        Call first = null;
        for (Call each : calls) {
            if (first == null || moment.applyAsLong(each) - moment.applyAsLong(first) < 0) {
                first = each;
            }
        }
        return first;
    }
}
