package io.nopanic.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where blocking code that must not hold up its caller runs unless a policy was given an executor of its own. Thread-safe.
 *
 * <p>Making a policy starts no thread: everything here comes into being when it is first asked for, and a thread when it first has
 * something to run.
 */
public final class DefaultExecutors {

    private static final long IDLE_SECONDS = 60;

    private DefaultExecutors() {}

    /**
     * The executor shared by the whole process. It starts every task at once and never queues or refuses one, so what bounds the
     * number of tasks is the policy that hands them in. On a JVM that has them it runs each task on a new virtual thread; elsewhere on a
     * daemon thread that is used again and ends after {@value #IDLE_SECONDS} idle seconds. It cannot be shut down.
     *
     * <p>Asking is a read of a constant; nothing is started by it.
     */
    public static Executor blocking() {
        return Blocking.EXECUTOR;
    }

    /** Shows of an executor service only that it executes. */
    private static final class Blocking implements Executor {

        /** Made when this class is first used, which is when somebody first asks for it. */
        static final Executor EXECUTOR = new Blocking(create());

        private final ExecutorService service;

        private Blocking(ExecutorService service) {
            this.service = service;
        }

        @Override
        public void execute(Runnable task) {
            service.execute(task);
        }

        private static ExecutorService create() {
            try {
                return (ExecutorService) MethodHandles.publicLookup()
                        .findStatic(
                                Executors.class,
                                "newVirtualThreadPerTaskExecutor",
                                MethodType.methodType(ExecutorService.class))
                        .invoke();
            } catch (Throwable thereAreNone) {
                // Either the method does not exist, or virtual threads are a preview feature that is not enabled.
                return daemonThreads();
            }
        }

        private static ExecutorService daemonThreads() {
            AtomicLong started = new AtomicLong();
            return new ThreadPoolExecutor(
                    0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                        // Without what the submitting thread holds in inheritable variables: the thread serves others
                        // after it.
                        Thread thread =
                                new Thread(null, task, "nopanic-blocking-" + started.incrementAndGet(), 0, false);
                        thread.setDaemon(true);
                        return thread;
                    });
        }
    }
}
