package io.nopanic.testkit;

import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A time that passes only when a test says so. Thread-safe.
 *
 * <p>In the automatic mode ({@link #create()}) a thread that parks moves the clock itself: to the end of its park, or to the next timer
 * if that is due earlier, whose action it then runs. So a test in one thread passes through any number of backoffs at once.
 *
 * <p>In the manual mode ({@link #manual()}) a thread that parks really stops, until it is unparked or interrupted or until another thread has
 * moved the clock to the end of its park with {@link #advance(Duration)}. So a test can look at calls while they wait; it meets them
 * with {@link #awaitParked(int)}.
 *
 * <p>Timers run in the thread that moves the clock, one at a time, in the order of their moments and, at the same moment, in the order in which
 * they were scheduled, with the clock at their moment. As on a real timer, an action must not block.
 *
 * <p>The monotonic clock starts a few seconds before it overflows, so that every test that lasts longer passes the overflow. The wall clock
 * starts at {@link #WALL_START}.
 */
public final class VirtualTime {

    /** Where the wall clock starts. */
    public static final Instant WALL_START = Instant.parse("2030-01-01T00:00:00Z");

    private static final long START_NANOS = Long.MAX_VALUE - 5_000_000_000L;
    private static final long GUARD_SECONDS = 30;

    private final boolean automatic;
    private final Time time =
            Time.of(this::nanos, this::schedule, this::park, this::wallTime).withExecutor(Runnable::run);

    /** Held by the thread that moves the clock, while it runs actions too. Taken before {@link #lock}. */
    private final ReentrantLock moving = new ReentrantLock();

    /** Guards everything below; no foreign code runs under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition parkedChanged = lock.newCondition();
    private final TreeSet<Entry> timers = new TreeSet<>(Entry.ORDER);
    private final List<Parked> parked = new ArrayList<>();
    private final List<Duration> parks = new ArrayList<>();
    private final List<Throwable> timerFailures = new ArrayList<>();
    private Duration wallJump = Duration.ZERO;
    private long scheduled;

    /** Written under the lock, read anywhere. */
    private volatile long nowNanos = START_NANOS;

    private VirtualTime(boolean automatic) {
        this.automatic = automatic;
    }

    /** A time that a parking thread moves by itself. */
    public static VirtualTime create() {
        return new VirtualTime(true);
    }

    /** A time that only {@link #advance(Duration)} and its relatives move; a thread that parks really waits for it. */
    public static VirtualTime manual() {
        return new VirtualTime(false);
    }

    /** This time in the form that builders of policies and pipelines take. */
    public Time time() {
        return time;
    }

    /** The monotonic clock, in nanoseconds; compared only by difference. */
    public long nanos() {
        return nowNanos;
    }

    /** How much time has passed since the start, whatever the wall clock did. */
    public Duration elapsed() {
        return Duration.ofNanos(nowNanos - START_NANOS);
    }

    /** The wall clock. */
    public Instant wallTime() {
        lock.lock();
        try {
            return WALL_START.plus(elapsed()).plus(wallJump);
        } finally {
            lock.unlock();
        }
    }

    /** Sets the wall clock forward, or back if negative, as an operator or NTP would. The monotonic clock does not notice. */
    public void jumpWallClock(Duration by) {
        lock.lock();
        try {
            wallJump = wallJump.plus(by);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves the clock forward and runs the timers that become due on the way, also those that are scheduled meanwhile. Zero runs the timers that
     * are due now.
     *
     * @throws IllegalArgumentException if {@code duration} is negative
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("advance: " + duration + " is negative; time does not go back");
        }
        moving.lock();
        try {
            moveTo(nowNanos + Nanos.of(duration));
        } finally {
            moving.unlock();
        }
    }

    /**
     * Moves the clock to the next timer and runs everything that is due then.
     *
     * @return {@code false} if there was no timer, and nothing changed
     */
    public boolean advanceToNextTimer() {
        moving.lock();
        try {
            Entry next = firstTimer();
            if (next == null) {
                return false;
            }
            moveTo(latest(nowNanos, next.dueNanos));
            return true;
        } finally {
            moving.unlock();
        }
    }

    /**
     * Moves the clock from timer to timer until {@code condition} holds; not at all if it holds already.
     *
     * @throws IllegalStateException if it does not hold and no timer is left
     */
    public void advanceUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (!advanceToNextTimer() && !condition.getAsBoolean()) {
                throw new IllegalStateException("no timer is left and the condition does not hold; " + this);
            }
        }
    }

    /** How many timers are scheduled. */
    public int pendingTimers() {
        lock.lock();
        try {
            return timers.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What timers' actions threw. As on a real timer it reached nobody else, and a test may want to see that this is empty.
     */
    public List<Throwable> timerFailures() {
        lock.lock();
        try {
            return List.copyOf(timerFailures);
        } finally {
            lock.unlock();
        }
    }

    /**
     * For how long threads asked to park, in order: the backoffs and waits of a call. A park of zero or less is none. A park that ended early,
     * because a timer ran or somebody unparked the thread, is followed by another for the rest if the thread still has to wait.
     */
    public List<Duration> parks() {
        lock.lock();
        try {
            return List.copyOf(parks);
        } finally {
            lock.unlock();
        }
    }

    /**
     * How many threads are parked now. One that the clock has released does not count, even if it has not run yet; one that others unparked or
     * interrupted counts until it runs.
     */
    public int parked() {
        lock.lock();
        try {
            return parked.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until at least {@code count} threads are parked.
     *
     * @throws IllegalStateException if that has not happened after {@value #GUARD_SECONDS} real seconds, or if interrupted
     */
    public void awaitParked(int count) {
        long leftNanos = TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
        lock.lock();
        try {
            while (parked.size() < count) {
                if (leftNanos <= 0) {
                    throw new IllegalStateException("waited " + GUARD_SECONDS + " real seconds for " + count
                            + " parked threads; " + this);
                }
                leftNanos = parkedChanged.awaitNanos(leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + count + " parked threads", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return "VirtualTime[" + (automatic ? "automatic" : "manual") + ", elapsed " + elapsed() + ", "
                    + timers.size() + " timers, " + parked.size() + " parked]";
        } finally {
            lock.unlock();
        }
    }

    // ------------------------------------------------------------------------------------------------------------- timers

    private Timer.Scheduled schedule(long delayNanos, Runnable action) {
        Objects.requireNonNull(action, "action");
        long delay = Math.max(0, Math.min(delayNanos, Nanos.FOREVER));
        lock.lock();
        try {
            Entry entry = new Entry(nowNanos + delay, scheduled++, action);
            timers.add(entry);
            if (automatic) {
                // Whoever parks without an end now has something to move the clock to.
                parked.forEach(each -> LockSupport.unpark(each.thread));
            }
            return () -> cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private boolean cancel(Entry entry) {
        lock.lock();
        try {
            return timers.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry firstTimer() {
        lock.lock();
        try {
            return timers.isEmpty() ? null : timers.first();
        } finally {
            lock.unlock();
        }
    }

    /** Called with {@link #moving} held. An action may move the clock further; then it stays there. */
    private void moveTo(long targetNanos) {
        Entry due = takeDue(targetNanos);
        while (due != null) {
            run(due.action);
            due = takeDue(targetNanos);
        }
        lock.lock();
        try {
            setClock(targetNanos);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry takeDue(long targetNanos) {
        lock.lock();
        try {
            if (timers.isEmpty() || timers.first().dueNanos - targetNanos > 0) {
                return null;
            }
            Entry due = Objects.requireNonNull(timers.pollFirst());
            setClock(due.dueNanos);
            return due;
        } finally {
            lock.unlock();
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            lock.lock();
            try {
                timerFailures.add(thrown);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Called with {@link #lock} held. Releases the threads whose parks end. */
    private void setClock(long nanos) {
        nowNanos = latest(nowNanos, nanos);
        for (Iterator<Parked> all = parked.iterator(); all.hasNext(); ) {
            Parked each = all.next();
            if (each.endNanos - nowNanos <= 0) {
                all.remove();
                LockSupport.unpark(each.thread);
            }
        }
    }

    private static long latest(long aNanos, long bNanos) {
        return aNanos - bNanos > 0 ? aNanos : bNanos;
    }

    // ------------------------------------------------------------------------------------------------------------ parking

    private void park(Object blocker, long nanos) {
        if (nanos <= 0 || Thread.currentThread().isInterrupted()) {
            return;
        }
        long endNanos = nowNanos + Math.min(nanos, Nanos.FOREVER);
        lock.lock();
        try {
            parks.add(Duration.ofNanos(nanos));
        } finally {
            lock.unlock();
        }
        if (automatic && moveForPark(nanos, endNanos)) {
            return;
        }
        Parked me = new Parked(Thread.currentThread(), endNanos);
        if (enter(me)) {
            LockSupport.park(blocker);
            leave(me);
        }
    }

    /** Moves the clock to the park's end or an earlier timer; {@code false} if there is neither. */
    private boolean moveForPark(long nanos, long endNanos) {
        moving.lock();
        try {
            Entry next = firstTimer();
            if (next == null && nanos >= Nanos.FOREVER) {
                return false;
            }
            long target = next == null || next.dueNanos - endNanos > 0 ? endNanos : next.dueNanos;
            moveTo(latest(nowNanos, target));
            return true;
        } finally {
            moving.unlock();
        }
    }

    private boolean enter(Parked me) {
        lock.lock();
        try {
            if (me.endNanos - nowNanos <= 0 || (automatic && !timers.isEmpty())) {
                return false;
            }
            parked.add(me);
            parkedChanged.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Parked me) {
        lock.lock();
        try {
            parked.remove(me);
            parkedChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A thread that is parked, known by identity. */
    private static final class Parked {
        final Thread thread;
        final long endNanos;

        Parked(Thread thread, long endNanos) {
            this.thread = thread;
            this.endNanos = endNanos;
        }
    }

    /** A scheduled action, known by its number. */
    private static final class Entry {
        /** All moments lie within half the range of a {@code long}, so that differences order them. */
        static final Comparator<Entry> ORDER = (a, b) -> {
            long difference = a.dueNanos - b.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(a.number, b.number);
        };

        final long dueNanos;
        final long number;
        final Runnable action;

        Entry(long dueNanos, long number, Runnable action) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.action = action;
        }
    }
}
