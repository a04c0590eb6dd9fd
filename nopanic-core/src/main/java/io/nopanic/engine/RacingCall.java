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
 * decided by one compare-and-set.
 */
final class RacingCall<T> extends Work<T> {

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

    private void launch(int copy) {
        long copyStartNanos = context.time().nanos();
        Work<T> work = starter.get();
        lock.lock();
        try {
            copies.add(work);
        } finally {
            lock.unlock();
        }
        Waits.whenEnded(work, (value, thrown) -> ended(copy, copyStartNanos, value, thrown));
        if (isOver()) {
            work.abandon();
        } else {
            armNext(copy);
        }
    }

    private boolean isOver() {
        return decided.get() || isDone();
    }

    private void armNext(int copy) {
        long delayNanos = race.nextCopyDelayNanos(copy);
        if (delayNanos < 0 || delayNanos >= Nanos.FOREVER) {
            return;
        }
        Timer.Scheduled armed =
                context.time().schedule(delayNanos, () -> context.resumer().execute(() -> launchNext(copy + 1)));
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

    /** Starts copy {@code copy} if it is the next and the policy agrees; if not and nothing runs, the race ends in failure. */
    private void launchNext(int copy) {
        if (claim(copy)) {
            if (race.mayStart(copy, context.time().nanos())) {
                launch(copy);
                return;
            }
            lock.lock();
            try {
                running--;
            } finally {
                lock.unlock();
            }
        }
        endIfNoneRuns();
    }

    private void ended(int copy, long copyStartNanos, @Nullable T value, @Nullable Throwable thrown) {
        Throwable error = thrown == null ? null : Failures.unwrap(thrown);
        long nowNanos = context.time().nanos();
        if (isOver()) {
            discard(copy, value, error, nowNanos);
        } else if (race.accepts(value, error)) {
            if (decided.compareAndSet(false, true)) {
                race.onWon(copy, nowNanos - copyStartNanos, nowNanos - startNanos, nowNanos);
                cancelAll();
                end(value, error);
            } else {
                discard(copy, value, error, nowNanos);
            }
        } else {
            lost(copy, value, error);
        }
    }

    /** Only now does the copy no longer run: until it had been judged, nobody else may end the race in failure. */
    private void lost(int copy, @Nullable T value, @Nullable Throwable error) {
        int copiesStarted;
        lock.lock();
        try {
            running--;
            copiesStarted = started;
            if (copy == 0) {
                firstResult = value;
                firstError = error;
            }
        } finally {
            lock.unlock();
        }
        if (race.startsNextAfter(value, error)) {
            launchNext(copiesStarted);
        } else {
            endIfNoneRuns();
        }
    }

    private void end(@Nullable T value, @Nullable Throwable error) {
        if (error == null) {
            complete(value);
        } else {
            completeExceptionally(error);
        }
    }

    private void endIfNoneRuns() {
        lock.lock();
        try {
            if (running > 0 || !decided.compareAndSet(false, true)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        cancelAll();
        end(firstResult, firstError);
    }

    private void discard(int copy, @Nullable T value, @Nullable Throwable error, long nowNanos) {
        if (error != null) {
            if (!Failures.isCancellation(error)) {
                race.onLoserFailed(copy, error, nowNanos);
            }
        } else if (value instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable thrown) {
                race.onLoserFailed(copy, thrown, nowNanos);
            }
        }
    }

    private void cancelAll() {
        List<Work<T>> losers;
        Timer.Scheduled armed;
        lock.lock();
        try {
            losers = List.copyOf(copies);
            armed = timer;
        } finally {
            lock.unlock();
        }
        if (armed != null) {
            armed.cancel();
        }
        losers.forEach(Work::abandon);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        decided.set(true);
        cancelAll();
        return super.cancel(mayInterruptIfRunning);
    }

    @Override
    void abandon() {
        cancel(true);
    }
}
