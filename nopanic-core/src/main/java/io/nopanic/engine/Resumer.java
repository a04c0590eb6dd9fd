package io.nopanic.engine;

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
 * wake each other. An executor that refuses, for whatever reason, does not stop a call: it then continues on the submitting
 * thread. Tasks must not throw.
 */
final class Resumer implements Executor {

    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();

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
            handOver(Objects.requireNonNull(queue.poll()));
        } while (queued.decrementAndGet() > 0);
    }

    private void handOver(Runnable task) {
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            // Also an executor that cannot start a thread must not strand a call, nor those queued behind it.
            task.run();
        }
    }
}
