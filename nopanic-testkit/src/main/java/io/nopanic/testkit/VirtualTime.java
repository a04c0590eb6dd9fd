package io.nopanic.testkit;

import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A time that passes only when a test says so. Thread-safe.
 *
 * <p>In the automatic mode ({@link #create()}) a thread that parks moves the clock itself: to the end of its park, or to the next timer
 * if that is due earlier, whose action it then runs. So a test in one thread passes through any number of backoffs at once. A park without an
 * end and without a timer really waits for another thread, but not for ever: after {@value Parking#GUARD_SECONDS} real seconds it fails.
 *
 * <p>In the manual mode ({@link #manual()}) a thread that parks really stops, until it is unparked or interrupted or until another thread has
 * moved the clock to the end of its park with {@link #advance(Duration)}. So a test can look at calls while they wait. Threads that
 * it runs by {@link #threads()} are followed: the clock stops at every moment at which one of them or a timer has something to do, and
 * moves on when all of them wait again, so such a test is the same every time however many threads take part. Other threads have
 * to be met with {@link #awaitParked(int)}.
 *
 * <p>Timers run in the thread that moves the clock, one at a time, in the order of their moments and, at the same moment, in the order in which
 * they were scheduled, with the clock at their moment; threads whose parks end at the same moment follow. As on a real timer, an action must not
 * block.
 *
 * <p>The monotonic clock starts a few seconds before it overflows, so that every test that lasts longer passes the overflow. The wall clock
 * starts at {@link #WALL_START}.
 */
public final class VirtualTime {

    /** Where the wall clock starts. */
    public static final Instant WALL_START = Instant.parse("2030-01-01T00:00:00Z");

    private static final long START_NANOS = Long.MAX_VALUE - 5_000_000_000L;

    private final boolean automatic;
    private final Time time =
            Time.of(this::nanos, this::schedule, this::park, this::wallTime).withExecutor(Runnable::run);

    /** Held by the thread that moves the clock, while it runs actions too. Taken before {@link #lock}. */
    private final ReentrantLock moving = new ReentrantLock();

    /** Guards everything below; no foreign code runs under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Parking parking = new Parking(lock);
    private final TimerQueue timers = new TimerQueue();
    private final List<Throwable> timerFailures = new ArrayList<>();
    private Duration wallJump = Duration.ZERO;

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

    /** Whether a parking thread moves this time by itself. */
    public boolean isAutomatic() {
        return automatic;
    }

    /** This time in the form that builders of policies and pipelines take; always the same object. */
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
        return read(() -> WALL_START.plus(elapsed()).plus(wallJump));
    }

    /** Sets the wall clock forward, or back if negative, as an operator or NTP would. The monotonic clock does not notice. */
    public void jumpWallClock(Duration by) {
        write(() -> wallJump = wallJump.plus(by));
    }

    /**
     * Runs each task on a thread of its own that this time follows, at once: for calls that a test makes in the background, and for policies that need an
     * executor. A task must wait for nothing but in this time, or for others that do; the clock never moves while it runs.
     *
     * @throws IllegalStateException if this time is automatic
     */
    public Executor threads() {
        if (automatic) {
            throw new IllegalStateException("threads can be followed only in a time made by VirtualTime.manual(): in an"
                    + " automatic one each would move the clock under the others");
        }
        return parking::start;
    }

    // ---------------- moving the clock

    /**
     * Moves the clock forward and runs the timers that become due on the way, also those that are scheduled meanwhile. Zero runs what is due
     * now.
     *
     * @throws IllegalArgumentException if {@code duration} is negative
     * @throws IllegalStateException if a thread of {@link #threads()} has neither parked nor ended after {@value Parking#GUARD_SECONDS} real seconds
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
     * Moves the clock to the next moment at which a timer is due or a thread's park ends, and lets everything happen that happens then.
     *
     * @return {@code false} if there was no such moment, and nothing changed
     * @throws IllegalStateException see {@link #advance}
     */
    public boolean advanceToNext() {
        moving.lock();
        try {
            parking.settle();
            Long next = nextMoment();
            if (next == null) {
                return false;
            }
            moveTo(latest(nowNanos, next));
            return true;
        } finally {
            moving.unlock();
        }
    }

    /**
     * Moves the clock from moment to moment until {@code condition} holds; not at all if it holds already.
     *
     * @throws IllegalStateException if it does not hold and nothing is left to happen, or see {@link #advance}
     */
    public void advanceUntil(BooleanSupplier condition) {
        settle();
        while (!condition.getAsBoolean()) {
            if (!advanceToNext() && !condition.getAsBoolean()) {
                throw new IllegalStateException("nothing is left to happen and the condition does not hold; " + this);
            }
        }
    }

    /**
     * Waits until every thread of {@link #threads()} has done all that it can do at this moment: it waits, also after a look at what others
     * may have done for it, or it has ended. Moving the clock does this by itself; a test needs it after it has done something to such
     * threads by other means.
     *
     * @throws IllegalStateException see {@link #advance}
     */
    public void settle() {
        parking.settle();
    }

    // ---------------- looking

    /** How many timers are scheduled. */
    public int pendingTimers() {
        return read(timers::size);
    }

    /**
     * What timers' actions threw. As on a real timer it reached nobody else, and a test may want to see that this is empty.
     */
    public List<Throwable> timerFailures() {
        return read(() -> List.copyOf(timerFailures));
    }

    /**
     * For how long threads asked to park, in order: the backoffs and waits of blocking calls. A park of zero or less is none, and one that is cut short
     * and taken up again for the same blocker until the same moment is one.
     */
    public List<Duration> parks() {
        return parking.parks();
    }

    /**
     * How many threads are parked now. One that the clock has released does not count, even if it has not run yet; one that others unparked or
     * interrupted counts until it runs.
     */
    public int parked() {
        return read(parking::size);
    }

    /**
     * Waits until at least {@code count} threads are parked.
     *
     * @throws IllegalStateException if that has not happened after {@value Parking#GUARD_SECONDS} real seconds, or if interrupted
     */
    public void awaitParked(int count) {
        parking.awaitParked(count);
    }

    /**
     * Waits until threads have asked to park at least {@code count} times since the start, as {@link #parks()} lists them. It tells a thread that
     * parks again from one that has not yet noticed that it was unparked.
     *
     * @throws IllegalStateException if that has not happened after {@value Parking#GUARD_SECONDS} real seconds, or if interrupted
     */
    public void awaitParks(int count) {
        parking.awaitParks(count);
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return "VirtualTime[" + (automatic ? "automatic" : "manual") + ", elapsed " + elapsed() + ", "
                    + timers.size() + " timers, " + parking.size() + " parked]";
        } finally {
            lock.unlock();
        }
    }

    // ---------------- timers

    private Timer.Scheduled schedule(long delayNanos, Runnable action) {
        Objects.requireNonNull(action, "action");
        lock.lock();
        try {
            TimerQueue.Entry entry = timers.add(nowNanos, delayNanos, action);
            parking.progress();
            if (automatic) {
                // Whoever parks without an end now has something to move the clock to.
                parking.releaseAll();
            }
            return () -> cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private boolean cancel(TimerQueue.Entry entry) {
        lock.lock();
        try {
            boolean cancelled = timers.remove(entry);
            if (cancelled) {
                parking.progress();
            }
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Long nextMoment() {
        lock.lock();
        try {
            Parking.Parked park = parking.first();
            TimerQueue.Entry timer = timers.first();
            if (timer == null) {
                return park == null ? null : park.endNanos;
            }
            return park == null || timer.dueNanos - park.endNanos <= 0 ? timer.dueNanos : park.endNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Called with {@link #moving} held. An action may move the clock further; then it stays there. */
    private void moveTo(long targetNanos) {
        parking.settle();
        Long next = nextMoment();
        while (next != null && next - targetNanos <= 0) {
            setClock(next);
            Runnable due = takeDue(next);
            while (due != null) {
                run(due);
                parking.settle();
                due = takeDue(next);
            }
            release();
            parking.settle();
            next = nextMoment();
        }
        setClock(targetNanos);
        release();
    }

    private void setClock(long nanos) {
        write(() -> nowNanos = latest(nowNanos, nanos));
    }

    private void release() {
        write(() -> parking.releaseUntil(nowNanos));
    }

    private @Nullable Runnable takeDue(long momentNanos) {
        lock.lock();
        try {
            TimerQueue.Entry due = timers.pollDue(momentNanos);
            if (due == null) {
                return null;
            }
            parking.progress();
            return due.action;
        } finally {
            lock.unlock();
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            write(() -> timerFailures.add(thrown));
        }
    }

    private <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    private void write(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private static long latest(long aNanos, long bNanos) {
        return aNanos - bNanos > 0 ? aNanos : bNanos;
    }

    // ---------------- parking

    private void park(Object blocker, long nanos) {
        if (nanos <= 0 || Thread.currentThread().isInterrupted()) {
            return;
        }
        Parking.Parked me = parking.ask(blocker, nanos, nowNanos);
        if (!automatic) {
            parking.park(me, () -> me.endless || me.endNanos - nowNanos > 0);
        } else if (!moveForPark(me)) {
            parking.parkBriefly(me, timers::isEmpty);
        }
    }

    /** Moves the clock to the park's end or an earlier timer; {@code false} if there is neither. */
    private boolean moveForPark(Parking.Parked me) {
        moving.lock();
        try {
            Long timer = nextMoment();
            if (timer != null && (me.endless || timer - me.endNanos <= 0)) {
                moveTo(latest(nowNanos, timer));
            } else if (!me.endless) {
                moveTo(latest(nowNanos, me.endNanos));
            } else {
                return false;
            }
            return true;
        } finally {
            moving.unlock();
        }
    }
}
