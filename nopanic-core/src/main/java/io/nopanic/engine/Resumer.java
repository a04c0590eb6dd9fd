package io.nopanic.engine;

import io.nopanic.outcome.ReportedOnce;
import io.nopanic.spi.DefaultExecutors;
import io.nopanic.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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
    private final Map<Thread, Tasks> handingOver = new ConcurrentHashMap<>();

    private final ReportedOnce faults =
            new ReportedOnce(Resumer.class, "continuing an asynchronous call threw; others go on");

    Resumer(Executor executor) {
        this.executor = executor;
    }

    /** A task that can begin again. */
    interface Resumable extends Runnable {

        /**
         * The task could not begin, or {@link #run} threw, for lack of stack or memory.
         *
         * @return whether it is to be run again, because of what has happened meanwhile
         */
        boolean wasCutShort();
    }

    /** If this throws, the task has not begun and never will. */
    @Override
    public void execute(Runnable task) {
        Once once = new Once(task);
        Thread caller = Thread.currentThread();
        Tasks outer = handingOver.get(caller);
        if (outer != null && outer.isOpen) {
            outer.add(once);
            return;
        }
        Tasks queue = new Tasks(once);
        try {
            handingOver.put(caller, queue);
            for (Once next = once; next != null; next = next.takeFollowing()) {
                try {
                    handOver(next);
                } catch (Throwable noStack) {
                    next.drop();
                }
            }
        } finally {
            queue.isOpen = false;
            forget(caller);
        }
    }

    private void forget(Thread caller) {
        try {
            handingOver.remove(caller);
        } catch (Throwable noStack) {
            // The thread's next queue takes the place of this one.
        }
    }

    /** What a thread hands over, of which only the end is known here. To add to it takes no memory. */
    private static final class Tasks {

        private Once last;

        /** Whether the thread will come to what is added. */
        private boolean isOpen = true;

        Tasks(Once first) {
            last = first;
        }

        void add(Once task) {
            last.following = task;
            last = task;
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

        /** What the thread that hands this over has submitted next. */
        private @Nullable Once following;

        Once(Runnable task) {
            this.task = task;
        }

        @Nullable Once takeFollowing() {
            Once next = following;
            following = null;
            return next;
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
            boolean runs = true;
            while (runs) {
                try {
                    task.run();
                    runs = false;
                } catch (Throwable thrown) {
                    runs = isToRunAgain();
                    faults.thrown(thrown);
                }
            }
        }

        private boolean isToRunAgain() {
            return task instanceof Resumable resumable && resumable.wasCutShort();
        }

        /** Sees to it that the task does not begin, if it has not. There was not even stack enough to begin it here. */
        void drop() {
            if (begun.compareAndSet(false, true)) {
                while (isToRunAgain()) {
                    // What has happened meanwhile cannot be answered either.
                }
            }
        }
    }
}
