package io.nopanic.engine;

import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.time.Time;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Continues asynchronous calls on an executor after a wait, so that the code that they run never holds up the timer thread or whoever
 * gave a permit back.
 *
 * <p>An executor that runs its tasks at once, on the submitting thread, would start each woken call on the stack of the one that
 * woke it. So submissions made while one is being handed over are queued and handed over after it: the stack stays flat however many calls
 * wake each other.
 *
 * <p>An executor that refuses, for whatever reason, does not stop a call, and one that runs its tasks on the submitting thread does not
 * get the timer's: the call then goes on with {@link DefaultExecutors#blocking()}.
 */
final class Resumer implements Executor {

    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final ReportedOnce faults =
            new ReportedOnce(Resumer.class, "continuing an asynchronous call threw; others go on");

    Resumer(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        queue.add(task);
        if (queued.getAndIncrement() > 0) {
            return;
        }
        do {
            handOver(new Once(Objects.requireNonNull(queue.poll())));
        } while (queued.decrementAndGet() > 0);
    }

    private void handOver(Once task) {
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            elsewhere(task);
        }
    }

    private static void elsewhere(Once task) {
        if (task.begun) {
            return;
        }
        try {
            DefaultExecutors.blocking().execute(task::runHere);
        } catch (Throwable noThread) {
            task.runHere();
        }
    }

    /** Runs a task once, wherever it is asked to first but on the timer's thread, and lets nothing that it throws escape. */
    private final class Once implements Runnable {

        private final Runnable task;
        private volatile boolean begun;

        Once(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (Time.isTimerThread()) {
                elsewhere(this);
            } else {
                runHere();
            }
        }

        void runHere() {
            begun = true;
            try {
                task.run();
            } catch (Throwable thrown) {
                faults.thrown(thrown);
            }
        }
    }
}
