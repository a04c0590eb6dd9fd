package io.nopanic.engine;

import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.time.Time;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Continues asynchronous calls on an executor after a wait, so that the code that they run never holds up the timer thread or whoever
 * gave a permit back.
 *
 * <p>An executor that runs its tasks at once, on the submitting thread, would start each woken call on the stack of the one that
 * woke it. So what a thread submits while it is handing over is queued and handed over after that, by the same thread: the stack stays flat however many calls
 * wake each other, and no thread waits for another one's code.
 *
 * <p>An executor that throws, for whatever reason, does not stop a call, and one that runs its tasks on the submitting thread does not
 * get the timer's: the call then goes on with {@link DefaultExecutors#blocking()}.
 */
final class Resumer implements Executor {

    private final Executor executor;

    /** For each thread that is handing over: what it has submitted meanwhile. Only that thread touches its queue. */
    private final Map<Thread, Queue<Runnable>> handingOver = new ConcurrentHashMap<>();

    private final ReportedOnce faults =
            new ReportedOnce(Resumer.class, "continuing an asynchronous call threw; others go on");

    Resumer(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        Thread caller = Thread.currentThread();
        Queue<Runnable> outer = handingOver.get(caller);
        if (outer != null) {
            outer.add(task);
            return;
        }
        Queue<Runnable> queue = new ArrayDeque<>();
        queue.add(task);
        handingOver.put(caller, queue);
        try {
            while (!queue.isEmpty()) {
                handOver(new Once(queue.remove()));
            }
        } finally {
            handingOver.remove(caller);
        }
    }

    private void handOver(Once task) {
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            elsewhere(task);
        }
    }

    private static void elsewhere(Once task) {
        if (task.begun.get()) {
            return;
        }
        try {
            DefaultExecutors.blocking().execute(task::runHere);
        } catch (Throwable noThread) {
            task.runHere();
        }
    }

    /**
     * Runs a task once, wherever it is asked to first but on the timer's thread, and lets nothing that it throws escape. It may be asked more than once: an
     * executor may accept a task and throw all the same.
     */
    private final class Once implements Runnable {

        private final Runnable task;

        /** Set by compare-and-set; who succeeds runs the task. */
        private final AtomicBoolean begun = new AtomicBoolean();

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
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                task.run();
            } catch (Throwable thrown) {
                faults.thrown(thrown);
            }
        }
    }
}
