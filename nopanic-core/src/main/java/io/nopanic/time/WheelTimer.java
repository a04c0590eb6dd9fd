package io.nopanic.time;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A timer with one daemon thread of its own, whose timers sit in a {@link TimerWheel}. Thread-safe.
 *
 * <p>Scheduling and cancelling are O(1) and cost one uncontended lock each; scheduling also reads the clock and makes one object of about 40 bytes. An
 * action is late by less than two ticks ({@value TimerWheel#TICK_NANOS} ns each) and what the operating system needs to wake a thread. A
 * cancelled action is forgotten at once.
 *
 * <p><b>Theory of operation.</b> The thread is started when something is scheduled and there is none. It parks until the next occupied slot
 * of the wheel begins, so it does nothing while nothing is due. Whoever schedules something that the thread would sleep past wakes it;
 * nobody else does. In particular quick calls that schedule a timeout and cancel it leave the thread alone, because their
 * timeouts lie beyond the moment at which it wakes anyway, and it finds nothing then. When nothing was scheduled for a while and nothing is left the
 * thread ends. Whether there is a thread is decided under the same lock as what is scheduled, so one of the two always sees the other:
 * either the thread finds the action before it ends, or the action finds no thread and starts one.
 *
 * <p>All fields are guarded by one {@link ReentrantLock}; actions run outside of it. A slot that many timers share is dealt out in one go under the lock.
 */
final class WheelTimer implements Timer {

    static final String THREAD_NAME = "nopanic-timer";

    private static final long IDLE_NANOS = 1_000_000_000L;

    private static final WheelTimer SHARED =
            new WheelTimer(System::nanoTime, LockSupport::parkNanos, WheelTimer::newThread, IDLE_NANOS);

    private final Ticker ticker;
    private final Parker parker;
    private final ThreadFactory threads;
    private final long idleNanos;
    private final AtomicBoolean reported = new AtomicBoolean();

    private final ReentrantLock lock = new ReentrantLock();
    private final TimerWheel wheel;
    private long scheduledCount;

    /** {@code null} while none is needed. */
    private @Nullable Thread thread;

    /** Whether the thread parks or is about to; else it looks at the wheel again before it does. */
    private boolean sleeping;

    /** The moment at which the thread wakes by itself, while {@link #sleeping}. */
    private long wakeNanos;

    /** Whether that moment is further away than the idle time was when the thread lay down. */
    private boolean sleepingLong;

    /** Whether the thread found nothing left when it last looked. */
    private boolean idle;

    /** {@link #scheduledCount} when the idle time began. */
    private long idleCount;

    /** When the idle time ends. */
    private long idleEndNanos;

    /**
     * @param ticker the clock
     * @param parker how the thread waits; it must heed {@link LockSupport#unpark}
     * @param threads makes the thread
     * @param idleNanos how long the thread stays when nothing is scheduled
     */
    WheelTimer(Ticker ticker, Parker parker, ThreadFactory threads, long idleNanos) {
        this.ticker = ticker;
        this.parker = parker;
        this.threads = threads;
        this.idleNanos = idleNanos;
        wheel = new TimerWheel(ticker.nanos());
    }

    /** The timer of the whole process. */
    static Timer shared() {
        return SHARED;
    }

    static Thread newThread(Runnable body) {
        return DaemonThread.make(THREAD_NAME, body);
    }

    /** How many actions are scheduled. */
    int size() {
        lock.lock();
        try {
            return wheel.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Scheduled schedule(long delayNanos, Runnable action) {
        Task task = new Task(Objects.requireNonNull(action, "action"));
        long nowNanos = ticker.nanos();
        long dueNanos = nowNanos + Math.max(0, Math.min(delayNanos, Nanos.FOREVER));
        Thread toWake = null;
        lock.lock();
        try {
            wheel.add(task, dueNanos, nowNanos);
            scheduledCount++;
            if (thread == null) {
                start(task);
            } else {
                toWake = sleeperIfNeeded(nowNanos);
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(toWake);
        return task;
    }

    /** Called under the lock. If there can be no thread, nothing has been scheduled. */
    private void start(Task task) {
        try {
            Thread made = threads.newThread(this::run);
            sleeping = false;
            thread = made;
            made.start();
        } catch (Throwable thrown) {
            thread = null;
            wheel.remove(task);
            throw thrown;
        }
    }

    /** Called under the lock. The thread, if it would sleep too long. */
    private @Nullable Thread sleeperIfNeeded(long nowNanos) {
        if (!sleeping) {
            return null;
        }
        long nextNanos = nowNanos + wheel.nanosUntilNext(nowNanos);
        if (nextNanos - wakeNanos >= 0) {
            return null;
        }
        sleeping = false;
        return thread;
    }

    private boolean cancel(Task task) {
        Thread toWake = null;
        lock.lock();
        try {
            if (!wheel.remove(task)) {
                return false;
            }
            task.action = null;
            if (wheel.isEmpty() && sleeping && sleepingLong) {
                // Nothing is left to sleep so long for; the idle time begins.
                sleeping = false;
                toWake = thread;
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(toWake);
        return true;
    }

    // ---------------- the thread

    private void run() {
        try {
            loop();
        } finally {
            // In the normal case nobody can have started another thread: it is still this one's turn.
            lock.lock();
            try {
                if (thread == Thread.currentThread()) {
                    thread = null;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void loop() {
        while (true) {
            Runnable action = null;
            long waitNanos = 0;
            lock.lock();
            try {
                sleeping = false;
                long nowNanos = ticker.nanos();
                action = take(nowNanos);
                if (action == null) {
                    waitNanos = nanosToSleep(nowNanos);
                    if (waitNanos <= 0) {
                        thread = null;
                        return;
                    }
                    sleeping = true;
                    sleepingLong = waitNanos > idleNanos;
                    wakeNanos = nowNanos + waitNanos;
                }
            } finally {
                lock.unlock();
            }
            // A left-over interrupt would make every park return at once.
            Thread.interrupted();
            if (action != null) {
                run(action);
            } else {
                parker.park(this, waitNanos);
            }
        }
    }

    /** Called under the lock, when nothing is due. Zero or less: the idle time is over. */
    private long nanosToSleep(long nowNanos) {
        if (!wheel.isEmpty()) {
            idle = false;
            return wheel.nanosUntilNext(nowNanos);
        }
        if (!idle || idleCount != scheduledCount) {
            idle = true;
            idleCount = scheduledCount;
            idleEndNanos = nowNanos + idleNanos;
        }
        return idleEndNanos - nowNanos;
    }

    /** Called under the lock. */
    private @Nullable Runnable take(long nowNanos) {
        Task task = (Task) wheel.poll(nowNanos);
        if (task == null) {
            return null;
        }
        idle = false;
        Runnable action = task.action;
        task.action = null;
        return action;
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    private void report(Throwable thrown) {
        if (reported.compareAndSet(false, true)) {
            try {
                System.getLogger(WheelTimer.class.getName())
                        .log(Level.WARNING, "an action of a timer threw (reported once)", thrown);
            } catch (Throwable ignored) {
                // A logger that fails must not end the thread.
            }
        }
    }

    /** A scheduled action. */
    private final class Task extends TimerWheel.Node implements Scheduled {

        /** {@code null} once it was cancelled or taken to run, so that a kept handle keeps nothing else. */
        private @Nullable Runnable action;

        Task(Runnable action) {
            this.action = action;
        }

        @Override
        public boolean cancel() {
            return WheelTimer.this.cancel(this);
        }
    }
}
