package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Race;
import io.nopanic.time.Nanos;
import io.nopanic.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies of one call that race. The first copy that ends well enough ends the race; the others are cancelled and not waited for. A copy
 * that fails starts the next one at once, time or not. When every copy has failed, the first copy's end is the call's.
 *
 * <p>The lock guards the few fields below; copies are started and cancelled, and results handed on, outside of it. Who ends the race is
 * decided by one compare-and-set. A copy that fails hands its place among those that run to the next one, so that nobody can find that none runs
 * while one is due.
 *
 * <p>A result either becomes that of the promise or is closed. The caller may cancel the promise until it is completed, and then nobody gets what the
 * race was decided for.
 */
final class RacingCall<T> extends Work<T> {

    private static final int NONE = -1;

    private final Context context;
    private final Race race;
    private final Supplier<? extends Work<T>> starter;

    /** Set by whoever decides how the race ends, before losers are cancelled and then the promise is completed. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Work<T>> copies = new ArrayList<>();
    private int started;
    private int running;
    private Timer.@Nullable Scheduled timer;
    private long startNanos;

    /** What the first copy returned that was not good enough, until somebody hands it on or lets go of it. */
    private @Nullable T firstResult;

    private @Nullable Throwable firstError;

    RacingCall(Context context, Race race, Supplier<? extends Work<T>> starter) {
        this.context = context;
        this.race = race;
        this.starter = starter;
    }

    /** Starts the original, and the clock for the first hedge. */
    void start() {
        if (claim(0)) {
            startNanos = context.time().nanos();
            launch(0);
        }
    }

    /** Takes the right to start copy {@code copy}: one caller gets it, unless the race is over. */
    private boolean claim(int copy) {
        lock.lock();
        try {
            if (isOver() || started != copy) {
                return false;
            }
            started = copy + 1;
            running++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** If this throws, the copy does not run, or has been told to stop and counts for nothing. */
    private void launch(int copy) {
        long copyStartNanos = context.time().nanos();
        Work<T> work = starter.get();
        try {
            lock.lock();
            try {
                copies.add(work);
            } finally {
                lock.unlock();
            }
            Waits.whenEnded(work, (value, thrown) -> ended(copy, copyStartNanos, value, thrown));
        } catch (Throwable thrown) {
            work.abandon();
            throw thrown;
        }
        if (isOver()) {
            work.abandon();
        } else {
            armNextIfPossible(copy);
        }
    }

    private boolean isOver() {
        return decided.get() || isDone();
    }

    /** Without a timer the copies that run go on. */
    private void armNextIfPossible(int copy) {
        try {
            armNext(copy);
        } catch (Throwable cannotBeTimed) {
            context.faults().thrown(cannotBeTimed);
        }
    }

    private void armNext(int copy) {
        long delayNanos = race.nextCopyDelayNanos(copy);
        if (delayNanos < 0 || delayNanos >= Nanos.FOREVER) {
            return;
        }
        Timer.Scheduled armed =
                context.time().schedule(delayNanos, () -> context.resumer().execute(() -> due(copy + 1)));
        Timer.Scheduled unwanted;
        lock.lock();
        try {
            boolean isNewest = started == copy + 1;
            unwanted = isNewest ? timer : armed;
            timer = isNewest ? armed : timer;
        } finally {
            lock.unlock();
        }
        if (unwanted != null) {
            unwanted.cancel();
        }
        if (isOver()) {
            armed.cancel();
        }
    }

    /** The time has come for copy {@code copy}, unless it was started before. */
    private void due(int copy) {
        if (claim(copy)) {
            launchIfAllowed(copy);
        }
    }

    /** Starts copy {@code copy}, which counts as running already, if the policy agrees and nothing prevents it. */
    private void launchIfAllowed(int copy) {
        boolean starts = false;
        try {
            if (race.mayStart(copy, context.time().nanos())) {
                launch(copy);
                starts = true;
            }
        } catch (Throwable thrown) {
            context.faults().thrown(thrown);
        }
        if (!starts) {
            oneLessRuns();
        }
    }

    /** Nobody hears of what is thrown here; so it ends the race, unless that has ended. */
    private void ended(int copy, long copyStartNanos, @Nullable T value, @Nullable Throwable thrown) {
        try {
            judge(copy, copyStartNanos, value, thrown == null ? null : Failures.unwrap(thrown));
        } catch (Throwable fault) {
            if (decided.compareAndSet(false, true)) {
                endAfterCancelling(copy, null, fault, copyStartNanos);
            }
        }
    }

    private void judge(int copy, long copyStartNanos, @Nullable T value, @Nullable Throwable error) {
        long nowNanos = context.endNanos(copyStartNanos);
        if (isOver()) {
            discard(copy, value, error, nowNanos);
        } else if (race.accepts(value, error)) {
            if (decided.compareAndSet(false, true)) {
                won(copy, nowNanos - copyStartNanos, nowNanos);
                endAfterCancelling(copy, value, error, nowNanos);
            } else {
                discard(copy, value, error, nowNanos);
            }
        } else {
            lost(copy, value, error, nowNanos);
        }
    }

    private void won(int copy, long latencyNanos, long nowNanos) {
        try {
            race.onWon(copy, latencyNanos, nowNanos - startNanos, nowNanos);
        } catch (Throwable thrown) {
            context.faults().thrown(thrown);
        }
    }

    /** Whoever has decided the race ends it. */
    private void endAfterCancelling(int copy, @Nullable T value, @Nullable Throwable error, long nowNanos) {
        T unwanted = null;
        try {
            unwanted = cancelAll();
        } finally {
            end(copy, value, error, nowNanos);
        }
        close(0, unwanted, nowNanos);
    }

    private void lost(int copy, @Nullable T value, @Nullable Throwable error, long nowNanos) {
        // Asked while the copy still counts as running, for it may run code of the user.
        boolean startsNext = race.startsNextAfter(value, error);
        boolean late;
        int next = NONE;
        lock.lock();
        try {
            late = isOver();
            if (!late && startsNext) {
                next = started;
                started++;
            }
            if (!late && copy == 0) {
                firstResult = value;
                firstError = error;
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            discard(copy, value, error, nowNanos);
            return;
        }
        if (next != NONE) {
            launchIfAllowed(next);
        } else {
            oneLessRuns();
        }
        if (copy != 0) {
            close(copy, value, nowNanos);
        }
    }

    /** A copy does not run any more, or is not to be started after all; if it was the last, the race ends in failure. */
    private void oneLessRuns() {
        T value;
        Throwable error;
        lock.lock();
        try {
            running--;
            if (running > 0 || !decided.compareAndSet(false, true)) {
                return;
            }
            value = firstResult;
            error = firstError;
            firstResult = null;
        } finally {
            lock.unlock();
        }
        endAfterCancelling(0, value, error, context.endNanos(startNanos));
    }

    private void end(int copy, @Nullable T value, @Nullable Throwable error, long nowNanos) {
        boolean taken = error == null ? complete(value) : completeExceptionally(error);
        if (!taken) {
            discard(copy, value, error, nowNanos);
        }
    }

    private void discard(int copy, @Nullable T value, @Nullable Throwable error, long nowNanos) {
        if (error != null) {
            if (!Failures.isCancellation(error)) {
                race.onLoserFailed(copy, error, nowNanos);
            }
        } else {
            close(copy, value, nowNanos);
        }
    }

    private void close(int copy, @Nullable T value, long nowNanos) {
        if (value instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable thrown) {
                race.onLoserFailed(copy, thrown, nowNanos);
            }
        }
    }

    /** Cancels what runs or is due. Returns what was kept of the first copy, for whoever decided the race to close. */
    private @Nullable T cancelAll() {
        List<Work<T>> losers;
        Timer.Scheduled armed;
        T unwanted;
        lock.lock();
        try {
            losers = List.copyOf(copies);
            armed = timer;
            unwanted = firstResult;
            firstResult = null;
        } finally {
            lock.unlock();
        }
        if (armed != null) {
            armed.cancel();
        }
        losers.forEach(Work::abandon);
        return unwanted;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        decided.set(true);
        T unwanted = null;
        boolean cancelled;
        try {
            unwanted = cancelAll();
        } finally {
            cancelled = super.cancel(mayInterruptIfRunning);
        }
        close(0, unwanted, context.endNanos(startNanos));
        return cancelled;
    }

    @Override
    void abandon() {
        cancel(true);
    }
}
