package io.nopanic.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads that call. Every second one is virtual, on a JVM that has such. */
final class Callers {

    private static final long PATIENCE_SECONDS = 30;

    private final List<Thread> threads = new ArrayList<>();

    /** One more, of this name. */
    void add(String name, Runnable calls) {
        threads.add(threads.size() % 2 == 1 ? virtual(name, calls) : new Thread(calls, name));
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /**
     * Waits until all have ended.
     *
     * @throws TimeoutException if one does not
     */
    void join() throws InterruptedException, TimeoutException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            if (thread.isAlive()) {
                throw new TimeoutException(
                        thread.getName() + " does not come back: " + List.of(thread.getStackTrace()));
            }
        }
    }

    /** Whether this JVM has virtual threads, without being asked for a preview. */
    static boolean canBeVirtual() {
        return virtual("unused", () -> {}).getClass() != Thread.class;
    }

    /** A virtual thread, by names that Java 17 does not know; an ordinary one where there are none. */
    private static Thread virtual(String name, Runnable calls) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, calls);
        } catch (ReflectiveOperationException noneOrAPreview) {
            return new Thread(calls, name);
        }
    }
}
