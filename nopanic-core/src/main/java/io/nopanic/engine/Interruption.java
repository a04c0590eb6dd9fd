package io.nopanic.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Interrupts one thread while it runs one piece of work, and never before or after.
 *
 * <p>The thread that works and the one that interrupts agree by compare-and-set who came first. If the interrupt did, the worker waits the
 * few instructions until it has really been delivered, and then takes it back, so that it can hit no later code. An interrupt flag
 * that was set before, by somebody else, is left as it was.
 *
 * <table>
 * <caption>Who writes {@code state}</caption>
 * <tr><td>WORKING or INTERRUPTED to DONE</td><td>the worker</td></tr>
 * <tr><td>WORKING or INTERRUPTED to INTERRUPTING, then to INTERRUPTED</td><td>the interrupter</td></tr>
 * </table>
 */
final class Interruption {

    private static final int WORKING = 0;
    private static final int DONE = 1;
    private static final int INTERRUPTING = 2;
    private static final int INTERRUPTED = 3;

    private final Thread worker;
    private final AtomicInteger state = new AtomicInteger(WORKING);

    /** Whether the flag was set before the first interrupt; written before that is over, read after. */
    private boolean flagWasSet;

    Interruption(Thread worker) {
        this.worker = worker;
    }

    /**
     * Interrupts the worker, unless the work is done. May be called again, one call after the other.
     *
     * @return whether the work was not done
     */
    boolean interrupt() {
        if (state.compareAndSet(WORKING, INTERRUPTING)) {
            flagWasSet = worker.isInterrupted();
        } else if (!state.compareAndSet(INTERRUPTED, INTERRUPTING)) {
            return false;
        }
        worker.interrupt();
        state.set(INTERRUPTED);
        return true;
    }

    boolean isOf(Thread thread) {
        return worker == thread;
    }

    boolean isDone() {
        return state.get() == DONE;
    }

    /**
     * The worker says that the work is done.
     *
     * @return whether it was interrupted before that
     */
    boolean done() {
        if (state.compareAndSet(WORKING, DONE)) {
            return false;
        }
        while (!state.compareAndSet(INTERRUPTED, DONE)) {
            Thread.onSpinWait();
        }
        if (!flagWasSet) {
            Thread.interrupted();
        }
        return true;
    }
}
