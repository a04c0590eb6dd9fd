package io.nopanic.time;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Placeholder until the wheel is in place. */
final class WheelTimer implements Timer {
    private static final WheelTimer SHARED = new WheelTimer();
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(0, runnable -> {
        Thread thread = new Thread(runnable, "nopanic-timer");
        thread.setDaemon(true);
        return thread;
    });

    static Timer shared() {
        return SHARED;
    }

    @Override
    public Scheduled schedule(long delayNanos, Runnable action) {
        var future = executor.schedule(action, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
