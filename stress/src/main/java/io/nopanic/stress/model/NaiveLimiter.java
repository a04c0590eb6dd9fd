package io.nopanic.stress.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rate limiter with a list of those who wait. Who comes first is let in first, at the first moment at which its permits are there. */
final class NaiveLimiter {

    /** A call, and what has become of it. */
    static final class Call {
        final int permits;
        final long sinceNanos;
        final long limitNanos;
        final long deadlineNanos;
        String fate = "waits";

        Call(int permits, long sinceNanos, long maxWaitNanos, long deadlineNanos) {
            this.permits = permits;
            this.sinceNanos = sinceNanos;
            this.deadlineNanos = deadlineNanos;
            limitNanos = Math.min(maxWaitNanos, deadlineNanos);
        }
    }

    final List<String> events = new ArrayList<>();

    /** Somebody's permits are there at the very moment at which its time is up: what then comes first is not said anywhere. */
    boolean tied;

    final List<Call> line = new ArrayList<>();
    private final NaiveMeter meter;
    private final int maxQueued;

    NaiveLimiter(NaiveMeter meter, int maxQueued) {
        this.meter = meter;
        this.maxQueued = maxQueued;
    }

    private List<Integer> ahead(@Nullable Call until) {
        List<Integer> permits = new ArrayList<>();
        for (Call each : line) {
            if (each == until) {
                break;
            }
            permits.add(each.permits);
        }
        return permits;
    }

    void passTo(long nanos) {
        while (!line.isEmpty()) {
            Call first = line.get(0);
            long dueNanos = meter.nowNanos + meter.waitNanos(List.of(first.permits));
            if (dueNanos - nanos > 0) {
                break;
            }
            meter.passTo(dueNanos);
            letIn(line.remove(0));
        }
        spreadIfNobodyWaits();
        meter.passTo(nanos);
    }

    private void spreadIfNobodyWaits() {
        if (line.isEmpty()) {
            meter.spread();
        }
    }

    private void letIn(Call call) {
        meter.take(call.permits);
        call.fate = "let in after " + (meter.nowNanos - call.sinceNanos);
    }

    Call enter(int permits, long maxWaitNanos, long deadlineNanos) {
        Call call = new Call(permits, meter.nowNanos, maxWaitNanos, deadlineNanos);
        List<Integer> all = ahead(null);
        all.add(permits);
        if (permits > meter.burst) {
            meter.gather();
            spreadIfNobodyWaits();
            refuse(call, -1);
            return call;
        }
        long waitNanos = meter.waitNanos(all);
        if (line.isEmpty() && waitNanos == 0) {
            letIn(call);
        } else if (waitNanos > call.limitNanos || line.size() >= maxQueued) {
            refuse(call, waitNanos);
        } else {
            tied |= waitNanos == deadlineNanos;
            line.add(call);
            events.add("waits " + waitNanos);
        }
        spreadIfNobodyWaits();
        return call;
    }

    private void refuse(Call call, long retryAfterNanos) {
        call.fate = "refused, retry after " + retryAfterNanos;
        events.add("refused " + retryAfterNanos);
    }

    boolean tryTake(int permits) {
        if (permits > meter.burst) {
            meter.gather();
        }
        boolean there = line.isEmpty() && permits <= meter.burst && meter.waitNanos(List.of(permits)) == 0;
        if (there) {
            meter.take(permits);
        }
        spreadIfNobodyWaits();
        return there;
    }

    void cancel(Call call) {
        if (line.remove(call)) {
            call.fate = "cancelled";
            passTo(meter.nowNanos);
        }
    }

    void setRate(LimiterRules.Pace next) {
        meter.change(next);
        for (Call call : List.copyOf(line)) {
            List<Integer> all = ahead(call);
            all.add(call.permits);
            boolean impossible = call.permits > meter.burst;
            meter.gather();
            long waitNanos = impossible ? -1 : meter.waitNanos(all);
            long waitedNanos = meter.nowNanos - call.sinceNanos;
            tied |= waitNanos == call.deadlineNanos - waitedNanos;
            if (impossible || waitNanos > call.limitNanos - waitedNanos) {
                line.remove(call);
                refuse(call, waitNanos);
            }
        }
        passTo(meter.nowNanos);
    }

    long available() {
        return line.isEmpty() ? meter.available() : 0;
    }
}
