package io.nopanic.stress.interleavings;

import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test moves it, and whose timer goes off when a test says so, also when it was cancelled: too late is one of the
 * moments to try. Asynchronous calls go on where they are woken.
 */
public final class HandTime {

    /** When it begins: long after zero, so that times before it are possible. */
    public static final long START_NANOS = 1_000_000_000_000L;

    /** What guarded code fails with. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack, and millions of calls fail
    public static final Exception FAILURE = new Failure();

    /** Another that it fails with. */
    @SuppressWarnings("StaticAssignmentOfThrowable")
    public static final Exception OTHER_FAILURE = new Failure();

    private volatile long nowNanos = START_NANOS;
    private volatile @Nullable Runnable armed;

    /** The time, for policies and pipelines. */
    public final Time time = Time.of(
                    () -> nowNanos, this::arm, (blocker, nanos) -> Thread.onSpinWait(), () -> Instant.EPOCH)
            .withExecutor(Runnable::run);

    private Timer.Scheduled arm(long delayNanos, Runnable action) {
        armed = action;
        return () -> false;
    }

    /** Moves to so long after the start. */
    public void moveTo(long afterStartNanos) {
        nowNanos = START_NANOS + afterStartNanos;
    }

    /** Does what was scheduled last, if anything was. */
    public void fire() {
        Runnable action = armed;
        if (action != null) {
            action.run();
        }
    }

    /** A call that asks to be let in so long after the start, and would wait as long as it takes. */
    public static EntryRequest request(long afterStartNanos, Waiter waiter) {
        return new EntryRequest("pipeline", START_NANOS + afterStartNanos, Long.MAX_VALUE, waiter);
    }

    /** A call that asks to be let in at the start, and whose wait nobody has to end. */
    public static EntryRequest request() {
        return request(0, () -> {});
    }

    private static final class Failure extends Exception {

        private static final long serialVersionUID = 1;

        Failure() {
            super("failed", null, false, false);
        }
    }
}
