package io.nopanic.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Blocking code that runs on another thread. Cancelling it answers at once and interrupts that thread, if wanted;
 * {@link #abandon} interrupts it and lets it end. */
final class ThreadTask<T> extends Work<T> implements Runnable {

    private final Callable<? extends T> code;
    private volatile @Nullable Interruption interruption;

    private ThreadTask(Callable<? extends T> code) {
        this.code = code;
    }

    /** Hands the code to an executor; if that refuses, the task ends with its exception. */
    static <T> ThreadTask<T> start(Callable<? extends T> code, Executor executor) {
        ThreadTask<T> task = new ThreadTask<>(code);
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            task.completeExceptionally(refused);
        }
        return task;
    }

    @Override
    public void run() {
        Interruption own = new Interruption(Thread.currentThread());
        interruption = own;
        @Nullable T value = null;
        Throwable error = null;
        if (!isDone()) {
            try {
                value = code.call();
            } catch (Throwable thrown) {
                error = thrown;
            }
        }
        own.done();
        if (error == null) {
            complete(value);
        } else {
            completeExceptionally(error);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled && mayInterruptIfRunning) {
            interrupt();
        }
        return cancelled;
    }

    /** Interrupts the code if it runs; cancels the task if it has not begun. */
    @Override
    void abandon() {
        if (!interrupt()) {
            cancel(true);
        }
    }

    private boolean interrupt() {
        Interruption running = interruption;
        if (running == null) {
            return false;
        }
        running.interrupt();
        return true;
    }
}
