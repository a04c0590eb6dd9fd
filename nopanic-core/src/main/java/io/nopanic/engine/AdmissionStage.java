package io.nopanic.engine;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Gets a permit on the way in, by waiting if need be, and settles it on the way out, whatever happened in between. */
final class AdmissionStage extends Stage {

    /** Where a call remembers its permit, among the numbers of this stage. */
    static final int PERMIT = 0;

    /** Where it remembers the time that was given to the method that granted it. */
    static final int START = 1;

    final Admission admission;
    final Step next;
    final boolean readsTimeOnSettle;

    AdmissionStage(Context context, Admission admission, Step next) {
        super(context, admission.readsTimeOnEntry() || next.readsTimeOnEntry);
        this.admission = admission;
        this.next = next;
        readsTimeOnSettle = admission.readsTimeOnSettle();
    }

    // ---------------- blocking

    @Override
    @Nullable Object call(Callable<?> body, long nowNanos, long deadlineNanos) throws Exception {
        long startNanos = timeOnEntry(nowNanos);
        long permit = admission.tryAcquire(startNanos);
        return permit < 0 ? callAfterEntering(body, deadlineNanos) : callWith(permit, startNanos, body, deadlineNanos);
    }

    /** A call that did not get a permit at once. */
    @Nullable Object callAfterEntering(Callable<?> body, long deadlineNanos) throws Exception {
        Granted granted = enter(deadlineNanos);
        return callWith(granted.permit, granted.startNanos, body, deadlineNanos);
    }

    /** One place that settles for both endings keeps the compiled code small enough to become part of its caller's. */
    private @Nullable Object callWith(long permit, long startNanos, Callable<?> body, long deadlineNanos) {
        Object outcome = null;
        Throwable error;
        try {
            outcome = next.call(body, startNanos, deadlineNanos);
            error = Thrown.errorOf(outcome);
        } catch (Throwable thrown) {
            error = thrown;
        }
        Object result = error == null ? outcome : null;
        Waits.wake(admission.settle(permit, startNanos, timeOnSettle(startNanos), result, error));
        return Thrown.outcome(outcome, error);
    }

    /** The time at which a call ended, or, if the policy does without, the last reading. */
    long timeOnSettle(long startNanos) {
        return readsTimeOnSettle ? context.endNanos(startNanos) : startNanos;
    }

    /** A permit that was not to be had at once, and when it was. Made before it is had: there may be no memory for it then. */
    static final class Granted {

        long permit;
        long startNanos;

        private Granted of(long gotPermit, long gotAtNanos) {
            permit = gotPermit;
            startNanos = gotAtNanos;
            return this;
        }
    }

    /** The permit of a blocking call that did not get one at once. */
    Granted enter(long deadlineNanos) throws InterruptedException {
        Granted granted = new Granted();
        long nowNanos = context.time().nanos();
        Entry entry = admission.enter(request(nowNanos, deadlineNanos, new Waits.Parked(Thread.currentThread())));
        if (entry instanceof Entry.Admitted admitted) {
            return granted.of(admitted.permit(), nowNanos);
        }
        if (entry instanceof Entry.Refused refused) {
            throw refused.reason();
        }
        Entry.Waiting place = (Entry.Waiting) entry;
        long answer;
        try {
            while ((answer = place.check(nowNanos)) > 0) {
                if (Thread.currentThread().isInterrupted()) {
                    Thread.interrupted();
                    throw new InterruptedException("interrupted while waiting for " + admission);
                }
                context.time().park(admission, answer);
                nowNanos = context.time().nanos();
            }
        } catch (Throwable cutShort) {
            Waits.wake(place.leave(nowNanos));
            throw cutShort;
        }
        if (answer == Entry.Waiting.REFUSED) {
            throw place.refusal();
        }
        return granted.of(place.permit(), nowNanos);
    }

    private EntryRequest request(long nowNanos, long deadlineNanos, Waiter waiter) {
        return new EntryRequest(context.pipeline(), nowNanos, Context.remaining(deadlineNanos, nowNanos), waiter);
    }

    // ---------------- staged

    @Override
    int slots() {
        return 2;
    }

    @Override
    Move down(StagedCall<?> call) {
        long startNanos = timeOnEntry(call);
        long permit = admission.tryAcquire(startNanos);
        if (permit >= 0) {
            return admitted(call, permit, startNanos);
        }
        long nowNanos = call.nowNanos();
        Entry entry = admission.enter(request(nowNanos, call.deadlineNanos, call));
        if (entry instanceof Entry.Admitted admitted) {
            return admitted(call, admitted.permit(), nowNanos);
        }
        if (entry instanceof Entry.Refused refused) {
            return call.fail(refused.reason());
        }
        call.slot(START, nowNanos);
        call.pending = entry;
        return resume(call);
    }

    @Override
    Move resume(StagedCall<?> call) {
        Entry.Waiting place = (Entry.Waiting) Objects.requireNonNull(call.pending);
        try {
            return wait(call, place);
        } catch (Throwable cutShort) {
            call.pending = null;
            Waits.wake(place.leave(context.endNanos(call.slot(START))));
            throw cutShort;
        }
    }

    /** The last reading of the clock; where there is none, it is read if this policy or one further in needs it. */
    private long timeOnEntry(StagedCall<?> call) {
        return readsTimeOnEntry ? call.nowNanos() : call.lastReadNanos();
    }

    private static Move wait(StagedCall<?> call, Entry.Waiting place) {
        for (; ; ) {
            long nowNanos = call.nowNanos();
            long answer = place.check(nowNanos);
            if (answer == Entry.Waiting.ADMITTED) {
                call.pending = null;
                return admitted(call, place.permit(), nowNanos);
            }
            if (answer == Entry.Waiting.REFUSED) {
                call.pending = null;
                return call.fail(place.refusal());
            }
            if (call.isAbandoned()) {
                call.pending = null;
                Waits.wake(place.leave(nowNanos));
                return call.fail(call.cancelled());
            }
            if (call.park(answer)) {
                return Move.PARKED;
            }
        }
    }

    private static Move admitted(StagedCall<?> call, long permit, long startNanos) {
        call.slot(PERMIT, permit);
        call.slot(START, startNanos);
        return Move.DEEPER;
    }

    @Override
    Move up(StagedCall<?> call) {
        long startNanos = call.slot(START);
        long nowNanos = readsTimeOnSettle ? call.endNanos(startNanos) : startNanos;
        Waits.wake(admission.settle(call.slot(PERMIT), startNanos, nowNanos, call.result, call.error));
        return Move.OUT;
    }
}
