package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import io.nopanic.time.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call on its way through a {@link Segment}: the promise that the caller holds, what the stages remember of this
 * call, and the loop that walks them.
 *
 * <p><b>It behaves like a thread.</b> Exactly one thread runs the loop at a time. Where a thread would block, the stage arranges to be woken and {@linkplain #park parks};
 * {@link #unpark}, like that of {@link java.util.concurrent.locks.LockSupport}, may come from anywhere, at any time, too often or too early: it makes the loop go on, or
 * makes the next park return at once. So every stage looks again at what it waits for after every wake-up, and late timers, late completions and cancellations need no
 * bookkeeping: they are wake-ups that find nothing changed. There is no recursion: a stage that completes at once is seen by the same loop, so a million immediate
 * retries need no more stack than one.
 *
 * <p><b>Giving up.</b> When somebody else completes the promise (cancels it, say) the call is <em>abandoned</em>: waits end, the stage that the guarded code returned is
 * cancelled, no further attempt is made, and the loop walks out, settling every permit as the code really ends.
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><td>{@code state}</td><td>anyone, by compare-and-set; RUNNING to PARKED and NOTIFIED to RUNNING only the loop's owner; PARKED to RUNNING makes the writer that</td></tr>
 * <tr><td>{@code abandoned}, {@code source}</td><td>volatile; each side writes its own, then reads the other's, so that at least one sees both and cancels</td></tr>
 * <tr><td>everything else</td><td>the loop's owner, handed on by {@code state}</td></tr>
 * </table>
 */
final class StagedCall<T> extends Work<T> implements Resumer.Resumable, Waiter {

    private static final int RUNNING = 0;
    private static final int PARKED = 1;
    private static final int NOTIFIED = 2;

    private enum Phase {
        DOWN,
        UP,
        WAITING
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(StagedCall.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Context context;
    final Supplier<? extends CompletionStage<?>> body;
    final long deadlineNanos;
    private final Segment segment;
    private final long[] slots;
    private @Nullable Object @Nullable [] notes;
    private int at;
    private Phase phase = Phase.DOWN;
    private long nowNanos;

    @Nullable Object result;

    @Nullable Throwable error;

    /** What the stage at which the call is parked waits for, as far as it is not a number. */
    @Nullable Object pending;

    private Timer.@Nullable Scheduled timer;

    @SuppressWarnings("UnusedVariable") // through STATE
    private volatile int state;

    private volatile boolean abandoned;
    private volatile @Nullable CompletionStage<?> source;

    StagedCall(
            Context context,
            Segment segment,
            Supplier<? extends CompletionStage<?>> body,
            long nowNanos,
            long deadlineNanos) {
        this.context = context;
        this.segment = segment;
        this.body = body;
        this.nowNanos = nowNanos;
        this.deadlineNanos = deadlineNanos;
        slots = new long[segment.slots];
    }

    /** Walks until the call ends or parks. Called once to start it, and by {@link #unpark} to go on. If it throws, it can be called again. */
    @Override
    public void run() {
        Stage[] stages = segment.stages;
        while (at >= 0) {
            Stage.Move move;
            try {
                move = switch (phase) {
                    case DOWN -> stages[at].down(this);
                    case WAITING -> resume(stages[at]);
                    case UP -> stages[at].up(this);
                };
            } catch (Throwable thrown) {
                // Calls nothing, for which there may be no stack.
                nowNanos = Context.UNREAD_NANOS;
                result = null;
                error = thrown;
                move = Stage.Move.OUT;
            }
            switch (move) {
                case DEEPER -> {
                    at++;
                    phase = Phase.DOWN;
                }
                case OUT -> {
                    at--;
                    phase = Phase.UP;
                }
                case PARKED -> {
                    return;
                }
            }
        }
        finish();
    }

    private Stage.Move resume(Stage stage) {
        unparked();
        return stage.resume(this);
    }

    @SuppressWarnings("unchecked")
    private void finish() {
        if (error == null) {
            super.complete((T) result);
        } else {
            super.completeExceptionally(error);
        }
    }

    // ---------------- for the stages

    Stage.Move succeed(@Nullable Object value) {
        result = value;
        error = null;
        return Stage.Move.OUT;
    }

    Stage.Move fail(Throwable thrown) {
        result = null;
        error = thrown;
        return Stage.Move.OUT;
    }

    /** A number that the current stage remembers. */
    long slot(int i) {
        return slots[segment.slotOffsets[at] + i];
    }

    void slot(int i, long value) {
        slots[segment.slotOffsets[at] + i] = value;
    }

    /** An object that the current stage remembers, or {@code null}. */
    @Nullable Object note() {
        return notes == null ? null : notes[at];
    }

    void note(@Nullable Object value) {
        if (notes == null) {
            if (value == null) {
                return;
            }
            notes = new Object[segment.stages.length];
        }
        notes[at] = value;
    }

    /** The time, read at most once until the next wait or the guarded code. */
    long nowNanos() {
        nowNanos = context.readIfUnread(nowNanos);
        return nowNanos;
    }

    /** The same when something ends; see {@link Context#endNanos}. */
    long endNanos(long lastNanos) {
        nowNanos = context.endIfUnread(nowNanos, lastNanos);
        return nowNanos;
    }

    /** The last reading of the clock, or {@link Context#UNREAD_NANOS} if there is none since the last wait or the guarded code. */
    long lastReadNanos() {
        return nowNanos;
    }

    /** Forgets the last reading of the clock, because time may have passed. */
    void timeHasPassed() {
        nowNanos = Context.UNREAD_NANOS;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    CancellationException cancelled() {
        return new CancellationException("the call through pipeline '" + context.pipeline() + "' was cancelled");
    }

    /**
     * Hands the call over to whoever unparks it, unless somebody did already.
     *
     * @param wakeInNanos when to be unparked at the latest; {@link Nanos#FOREVER} or more for never
     * @return {@code true} if the call is parked: return {@link Stage.Move#PARKED} and touch nothing; {@code false}: look again
     */
    boolean park(long wakeInNanos) {
        if (wakeInNanos < Nanos.FOREVER) {
            timer = context.time().schedule(wakeInNanos, this::wake);
        }
        phase = Phase.WAITING;
        if (STATE.compareAndSet(this, RUNNING, PARKED)) {
            return true;
        }
        STATE.setVolatile(this, RUNNING);
        unparked();
        return false;
    }

    private void unparked() {
        Timer.Scheduled armed = timer;
        if (armed != null) {
            timer = null;
            armed.cancel();
        }
        timeHasPassed();
    }

    /** Attaches to a stage and looks whether it has ended; if so, its result or error becomes this call's. If not, {@link #park} and look with {@link #hasArrived} when unparked. */
    boolean arrives(CompletionStage<?> stage) {
        if (Waits.isPlainFuture(stage)) {
            CompletableFuture<?> future = (CompletableFuture<?>) stage;
            if (future.isDone() && !future.isCompletedExceptionally()) {
                succeed(future.join());
                return true;
            }
        }
        Arrival arrival = new Arrival(this);
        pending = arrival;
        source = stage;
        Waits.attach(stage, arrival);
        if (abandoned) {
            cancel(stage);
        }
        return hasArrived();
    }

    boolean hasArrived() {
        if (!(pending instanceof Arrival arrival) || !arrival.complete) {
            return false;
        }
        pending = null;
        source = null;
        result = arrival.result;
        error = arrival.error == null ? null : Failures.unwrap(arrival.error);
        timeHasPassed();
        return true;
    }

    // ---------------- wake-ups

    @Override
    public void wake() {
        goOn(false);
    }

    /** Goes on, on the calling thread. */
    void unpark() {
        goOn(true);
    }

    /** If that fails, for lack of stack or memory, the call is parked as before, for another wake-up to move it. Who wakes it need not know. */
    private void goOn(boolean here) {
        boolean owns = notified();
        while (owns) {
            try {
                if (here) {
                    run();
                } else {
                    context.resumer().execute(this);
                }
                return;
            } catch (Throwable thrown) {
                owns = wasCutShort();
                if (!owns) {
                    context.faults().thrown(thrown);
                }
            }
        }
    }

    /** Parks the call again, unless it has been woken meanwhile. */
    @Override
    public boolean wasCutShort() {
        if (STATE.compareAndSet(this, RUNNING, PARKED)) {
            return false;
        }
        STATE.setVolatile(this, RUNNING);
        return true;
    }

    /** Leaves a notice; {@code true} if the call was parked and now belongs to the calling thread. */
    private boolean notified() {
        for (; ; ) {
            int seen = (int) STATE.getVolatile(this);
            if (seen == NOTIFIED) {
                return false;
            }
            int next = seen == PARKED ? RUNNING : NOTIFIED;
            if (STATE.compareAndSet(this, seen, next)) {
                return seen == PARKED;
            }
        }
    }

    /** The end of a stage that the call waits for. */
    private static final class Arrival implements BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Object> {

        private final StagedCall<?> call;
        private @Nullable Object result;
        private @Nullable Throwable error;
        private volatile boolean complete;

        Arrival(StagedCall<?> call) {
            this.call = call;
        }

        @Override
        public @Nullable Object apply(@Nullable Object value, @Nullable Throwable thrown) {
            result = value;
            error = thrown;
            complete = true;
            call.unpark();
            return null;
        }
    }

    // ---------------- giving up

    /** Gives the call up; see the class's description. */
    @Override
    void abandon() {
        abandoned = true;
        CompletionStage<?> running = source;
        if (running != null) {
            cancel(running);
        }
        unpark();
    }

    private static void cancel(CompletionStage<?> stage) {
        if (stage instanceof Work<?> work) {
            work.abandon();
            return;
        }
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (Throwable notCancellable) {
            // It ends when it ends.
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return abandonIf(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(T value) {
        return abandonIf(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return abandonIf(super.completeExceptionally(thrown));
    }

    private boolean abandonIf(boolean completedFromOutside) {
        if (completedFromOutside) {
            abandon();
        }
        return completedFromOutside;
    }
}
