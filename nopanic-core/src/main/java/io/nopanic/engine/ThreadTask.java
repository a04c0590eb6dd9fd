package io.nopanic.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Blocking code that runs on another thread. Cancelling it answers at once and interrupts that thread, if wanted; {@link #abandon} interrupts it and lets
 * it end, or, if it has not begun, sees to it that it never does: code that has begun is never answered for.
 */
final class ThreadTask<T> extends Work<T> implements Runnable {

    private static final int NOT_BEGUN = 0;
    private static final int BEGUN = 1;
    private static final int DROPPED = 2;

    private static final VarHandle STAND;

    static {
        try {
            STAND = MethodHandles.lookup().findVarHandle(ThreadTask.class, "stand", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Callable<? extends T> code;
    private volatile @Nullable Interruption interruption;

    /** From NOT_BEGUN to BEGUN by the thread that runs the code, or to DROPPED by whoever gives it up; by compare-and-set. */
    @SuppressWarnings("UnusedVariable") // through STAND
    private volatile int stand;

    private ThreadTask(Callable<? extends T> code) {
        this.code = code;
    }

    /** Hands the code to an executor; if that throws, and has not begun to run it all the same, it never does, and the task ends with the exception. */
    static <T> ThreadTask<T> start(Callable<? extends T> code, Executor executor) {
        ThreadTask<T> task = new ThreadTask<>(code);
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            if (STAND.compareAndSet(task, NOT_BEGUN, DROPPED) || task.ranHere()) {
                task.completeExceptionally(refused);
            }
        }
        return task;
    }

    /** Whether it was run by the thread that asks. If it could not even end there, nobody else ends it. */
    private boolean ranHere() {
        Interruption running = interruption;
        return running != null && running.isOf(Thread.currentThread());
    }

    @Override
    public void run() {
        Interruption own = new Interruption(Thread.currentThread());
        interruption = own;
        if (!STAND.compareAndSet(this, NOT_BEGUN, BEGUN)) {
            own.done();
            return;
        }
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

    @Override
    void abandon() {
        if (STAND.compareAndSet(this, NOT_BEGUN, DROPPED)) {
            cancel(false);
        } else {
            interrupt();
        }
    }

    private void interrupt() {
        Interruption running = interruption;
        if (running != null) {
            running.interrupt();
        }
    }
}
