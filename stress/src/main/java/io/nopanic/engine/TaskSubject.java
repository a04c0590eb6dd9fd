package io.nopanic.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** A blocking copy of a call, which a thread begins, and others give up. */
public final class TaskSubject {

    private final AtomicReference<Runnable> handedOver = new AtomicReference<>();
    private final AtomicBoolean ran = new AtomicBoolean();
    private final AtomicBoolean abandoned = new AtomicBoolean();
    private final ThreadTask<String> task = ThreadTask.start(
            () -> {
                ran.set(true);
                return "value";
            },
            handedOver::set);

    /** The thread that it was handed to runs it. */
    @Operation
    public void begin() {
        Runnable code = handedOver.getAndSet(null);
        if (code != null) {
            code.run();
        }
    }

    /** It is given up. */
    @Operation
    public void abandon() {
        task.abandon();
        abandoned.set(true);
    }

    /** Whether code that ran is what the task ends with, and a task that was given up before ends, too. */
    @Validate
    public void codeThatRanIsAnsweredFor() {
        String end = task.isDone() ? end() : "none";
        String expected = ran.get() ? "value" : abandoned.get() ? "cancelled" : "none";
        if (!end.equals(expected)) {
            throw new IllegalStateException("the code ran: " + ran + ", and the task ended with " + end);
        }
    }

    private String end() {
        try {
            return task.join();
        } catch (CancellationException e) {
            return "cancelled";
        }
    }
}
