package io.nopanic.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a call that is made by hand, through a pipeline of nothing but policies that let calls in. Settled exactly once; every further
 * settling does nothing.
 *
 * <p>It does by turns what {@link AdmissionStage}s do around guarded code, on the same readings of the clock: none, or one on the way in, as far out
 * as a policy needs it; and on the way out one for all policies that need to know when the call ended.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code settled}</td><td>anyone, by compare-and-set; who succeeds settles</td></tr>
 * <tr><td>everything else</td><td>the thread that gets the permits, before anybody else has this object</td></tr>
 * </table>
 */
public final class HeldPermits {

    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(HeldPermits.class, "settled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Segment segment;

    /** The numbers that stages remember of a call, where a staged call has them too. */
    private final long[] slots;

    private volatile boolean settled;

    private HeldPermits(Segment segment) {
        this.segment = segment;
        slots = new long[segment.slots];
    }

    /**
     * Gets all permits, outermost first, waiting where the policies do. If that fails, those further out have been given back.
     *
     * @param segment policies that let calls in, and the end of the pipeline
     * @throws InterruptedException if the thread is interrupted while it waits; its flag is set as well
     */
    static HeldPermits acquire(Segment segment) throws InterruptedException {
        HeldPermits permits = new HeldPermits(segment);
        int held = 0;
        try {
            for (long nowNanos = Context.UNREAD_NANOS; held < permits.count(); held++) {
                nowNanos = permits.acquire(held, nowNanos);
            }
        } catch (Throwable refused) {
            permits.settleFrom(held - 1, Context.UNREAD_NANOS, null, refused);
            if (refused instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw refused;
        }
        return permits;
    }

    /** Gets one permit, and tells the last reading of the clock. */
    private long acquire(int i, long nowNanos) throws InterruptedException {
        AdmissionStage stage = stage(i);
        long startNanos = stage.timeOnEntry(nowNanos);
        long permit = stage.admission.tryAcquire(startNanos);
        if (permit < 0) {
            AdmissionStage.Granted granted = stage.enter(Context.NO_DEADLINE_NANOS);
            permit = granted.permit;
            startNanos = granted.startNanos;
        }
        slots[segment.slotOffsets[i] + AdmissionStage.PERMIT] = permit;
        slots[segment.slotOffsets[i] + AdmissionStage.START] = startNanos;
        return startNanos;
    }

    /** All stages but the end of the pipeline let calls in. */
    private int count() {
        return segment.stages.length - 1;
    }

    private AdmissionStage stage(int i) {
        return (AdmissionStage) segment.stages[i];
    }

    /** Whether the permits have been given back, or are about to be. */
    public boolean isSettled() {
        return settled;
    }

    /**
     * Gives all permits back.
     *
     * @return whether this call did, rather than an earlier one
     */
    public boolean settle(@Nullable Object result, @Nullable Throwable error) {
        if (!SETTLED.compareAndSet(this, false, true)) {
            return false;
        }
        settleFrom(count() - 1, Context.UNREAD_NANOS, result, error);
        return true;
    }

    /**
     * Settles this permit and those further out, even if one throws.
     *
     * @param endNanos when the call ended, or {@link Context#UNREAD_NANOS}
     */
    private void settleFrom(int i, long endNanos, @Nullable Object result, @Nullable Throwable error) {
        if (i < 0) {
            return;
        }
        AdmissionStage stage = stage(i);
        long permit = slots[segment.slotOffsets[i] + AdmissionStage.PERMIT];
        long startNanos = slots[segment.slotOffsets[i] + AdmissionStage.START];
        long readNanos = stage.readsTimeOnSettle ? stage.context.endIfUnread(endNanos, startNanos) : endNanos;
        long nowNanos = readNanos == Context.UNREAD_NANOS ? startNanos : readNanos;
        try {
            Waits.wake(stage.admission.settle(permit, startNanos, nowNanos, result, error));
        } finally {
            settleFrom(i - 1, readNanos, result, error);
        }
    }
}
