package io.nopanic.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Everything a policy or the engine knows of time. Immutable and thread-safe.
 *
 * <p>Decisions use {@link #nanos()} only. {@link #wallTime()} may jump; it is put on events for people to read.
 */
public final class Time {

    private static final Time SYSTEM =
            new Time(null, WheelTimer.shared(), LockSupport::parkNanos, InstantSource.system(), null);

    private static final Time COARSE = SYSTEM.withTicker(CoarseClock.ofProcess());

    /** {@code null} stands for {@link System#nanoTime()}, called directly so that the compiler can inline it. */
    private final @Nullable Ticker ticker;

    private final Timer timer;
    private final Parker parker;
    private final InstantSource wallClock;
    private final @Nullable Executor executor;

    private Time(
            @Nullable Ticker ticker, Timer timer, Parker parker, InstantSource wallClock, @Nullable Executor executor) {
        this.ticker = ticker;
        this.timer = timer;
        this.parker = parker;
        this.wallClock = wallClock;
        this.executor = executor;
    }

    /** The time of this machine, with one timer thread shared by the whole process and started only when needed. */
    public static Time system() {
        return SYSTEM;
    }

    /**
     * The time of this machine with a {@link CoarseClock}: a reading costs a nanosecond or two and is behind by up to
     * {@link CoarseClock#TICK_NANOS} and a little more. Timers and parked threads are as exact as with {@link #system()}.
     *
     * <p>Good for time windows, open times, backoffs and timeouts. Not for what is as short as a few ticks: {@code slowAfter}, latencies,
     * and the intervals at which a rate limiter gives permits.
     */
    public static Time coarse() {
        return COARSE;
    }

    /** A time made of other parts. */
    public static Time of(Ticker ticker, Timer timer, Parker parker, InstantSource wallClock) {
        return new Time(
                Objects.requireNonNull(ticker, "ticker"),
                Objects.requireNonNull(timer, "timer"),
                Objects.requireNonNull(parker, "parker"),
                Objects.requireNonNull(wallClock, "wallClock"),
                null);
    }

    /** This time with another monotonic clock. */
    public Time withTicker(Ticker other) {
        return new Time(Objects.requireNonNull(other, "ticker"), timer, parker, wallClock, executor);
    }

    /** This time with another wall clock. */
    public Time withWallClock(InstantSource other) {
        return new Time(ticker, timer, parker, Objects.requireNonNull(other, "wallClock"), executor);
    }

    /**
     * This time with an executor on which asynchronous calls go on after a wait, in pipelines that have none of their own. Virtual time uses one that
     * runs tasks at once, so that what a moment sets off has happened when the clock has reached it.
     */
    public Time withExecutor(Executor other) {
        return new Time(ticker, timer, parker, wallClock, Objects.requireNonNull(other, "executor"));
    }

    /** The executor on which asynchronous calls go on after a wait, if this time has one. */
    public Optional<Executor> executor() {
        return Optional.ofNullable(executor);
    }

    /** The monotonic clock, in nanoseconds; compared only by difference. */
    public long nanos() {
        Ticker t = ticker;
        if (t == null) {
            return System.nanoTime();
        }
        // Named, so that the compiler can inline it whatever other tickers a process has.
        return t instanceof CoarseClock coarse ? coarse.nanos() : t.nanos();
    }

    /** This time with a clock that is exact: the same, unless it is {@link #coarse()} or made from that. For waits that must not be too short. */
    public Time exact() {
        if (this == COARSE) {
            return SYSTEM;
        }
        return ticker instanceof CoarseClock coarse ? withTicker(coarse.exact()) : this;
    }

    /** Whether the calling thread is that of the machine's timer, on which nothing may block. */
    public static boolean isTimerThread() {
        return Thread.currentThread().getName().equals(WheelTimer.THREAD_NAME);
    }

    /** Runs an action later; see {@link Timer#schedule}. */
    public Timer.Scheduled schedule(long delayNanos, Runnable action) {
        return timer.schedule(delayNanos, action);
    }

    /** Blocks the calling thread; see {@link Parker#park}. */
    public void park(Object blocker, long nanos) {
        parker.park(blocker, nanos);
    }

    /** The wall clock, for display. */
    public Instant wallTime() {
        return wallClock.instant();
    }
}
