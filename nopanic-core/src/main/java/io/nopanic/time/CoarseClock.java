package io.nopanic.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine's monotonic clock, read ahead of need by a thread of its own every {@value #TICK_NANOS} ns, so that a reading costs about a
 * nanosecond instead of the 20 to 30 of {@link System#nanoTime()}. Thread-safe.
 *
 * <p><b>What a reading is worth.</b> It is never ahead of the exact clock, and behind it by at most one tick and whatever the operating system
 * takes to run the thread on time. On a machine with free cores that is hardly more; where many more threads want to run than there are
 * cores, it has been several ticks. A reader cannot notice: if the thread is not run at all, time stands still. {@link #worstLagNanos()} tells
 * the worst so far. Readings never go backwards, neither for one thread nor from one to another: a reading that happens after
 * another one is not less.
 *
 * <p><b>Theory of operation.</b> Everything is one word: the time, of which the two lowest bits are given up for flags. All readings are values
 * of that word, and its time never decreases, because whoever replaces it read the clock after having read what it replaces. While the clock runs, readers only
 * read, so the word stays in every core's cache from one tick to the next.
 *
 * <p>The thread runs only while there are readers. Twice a second it <em>asks</em> whether somebody is there, by raising a
 * flag in the word; the next reader lowers it. If the flag is still up at the time of the next question, the thread stops the clock and ends. A
 * reading of a stopped clock is exact: its reader reads the machine's clock, puts that into the word and starts another thread. When
 * there can be no thread, the clock stays stopped, and thus exact.
 *
 * <table>
 * <caption>Who writes the word, always by compare-and-set</caption>
 * <tr><th>from</th><th>to</th><th>who</th></tr>
 * <tr><td>running, asked</td><td>the same with a later time</td><td>the thread, every tick</td></tr>
 * <tr><td>running</td><td>asked</td><td>the thread, twice a second</td></tr>
 * <tr><td>asked</td><td>running, at the same time</td><td>a reader</td></tr>
 * <tr><td>asked</td><td>stopped</td><td>the thread, as the last thing it does</td></tr>
 * <tr><td>stopped</td><td>running</td><td>a reader, which then starts a thread</td></tr>
 * <tr><td>any</td><td>stopped</td><td>whoever finds that the thread cannot start or go on</td></tr>
 * </table>
 */
public final class CoarseClock implements Ticker {

    /** How often the clock moves, in nanoseconds. */
    public static final long TICK_NANOS = 10_000_000;

    static final String THREAD_NAME = "nopanic-clock";

    /** How long nobody may have read for the thread to end: at least this, at most twice as much. */
    static final long QUIET_NANOS = 500_000_000;

    private static final long ASKED = 1;
    private static final long STOPPED = 3;
    private static final long FLAGS = 3;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    /** The word stands 128 bytes away from either end of the array, so that nothing shares its cache line or that line's pair. */
    private static final int WORD = 16;

    private static final CoarseClock OF_PROCESS =
            new CoarseClock(System::nanoTime, LockSupport::parkNanos, body -> DaemonThread.make(THREAD_NAME, body));

    private final Ticker exact;
    private final Parker parker;
    private final ThreadFactory threads;
    private final long[] words = new long[2 * WORD + 1];

    /** Written by the thread, read after the word. */
    private volatile long worstLagNanos;

    /**
     * @param exact the clock to follow
     * @param parker how the thread waits
     * @param threads makes the thread
     */
    CoarseClock(Ticker exact, Parker parker, ThreadFactory threads) {
        this.exact = exact;
        this.parker = parker;
        this.threads = threads;
        words[WORD] = exact.nanos() | STOPPED;
    }

    /** The one clock that the process has, as {@link Time#coarse()} uses it. */
    public static CoarseClock ofProcess() {
        return OF_PROCESS;
    }

    @Override
    public long nanos() {
        long seen = (long) WORDS.getOpaque(words, WORD);
        return (seen & ASKED) == 0 ? seen : answer();
    }

    /**
     * The longest that the clock has ever stood still while it ran, up to now: no reading was further behind the exact clock. It takes in
     * what holds up the whole process, such as a long pause of the garbage collector or a suspended machine.
     */
    public long worstLagNanos() {
        long seen = word();
        boolean stopped = (seen & STOPPED) == STOPPED;
        return Math.max(worstLagNanos, stopped ? 0 : exact.nanos() - (seen & ~FLAGS));
    }

    /** The clock that this one follows. */
    Ticker exact() {
        return exact;
    }

    private long word() {
        return (long) WORDS.getVolatile(words, WORD);
    }

    private boolean replace(long seen, long next) {
        return WORDS.compareAndSet(words, WORD, seen, next);
    }

    /** Tells the thread that somebody reads, or starts one. */
    private long answer() {
        for (; ; ) {
            long seen = word();
            if ((seen & ASKED) == 0) {
                return seen;
            }
            boolean stopped = (seen & STOPPED) == STOPPED;
            long nanos = (stopped ? exact.nanos() : seen) & ~FLAGS;
            if (replace(seen, nanos)) {
                if (stopped) {
                    start();
                }
                return nanos;
            }
        }
    }

    private void start() {
        try {
            threads.newThread(this::run).start();
        } catch (Throwable noThread) {
            stop();
        }
    }

    private void stop() {
        long seen;
        do {
            seen = word();
        } while (!replace(seen, exact.nanos() | STOPPED));
    }

    // ---------------- the thread

    private void run() {
        boolean runs = true;
        try {
            long questionNanos = word() + QUIET_NANOS;
            while (runs) {
                // A left-over interrupt would make every park return at once.
                Thread.interrupted();
                parker.park(this, TICK_NANOS);
                long nowNanos = exact.nanos() & ~FLAGS;
                boolean asks = nowNanos - questionNanos >= 0;
                runs = tick(nowNanos, asks);
                questionNanos = asks ? nowNanos + QUIET_NANOS : questionNanos;
            }
        } finally {
            if (runs) {
                stop();
            }
        }
    }

    /** Moves the clock; {@code false} if it has stopped. */
    private boolean tick(long nowNanos, boolean asks) {
        for (; ; ) {
            long seen = word();
            boolean unanswered = (seen & ASKED) != 0;
            long flags = asks ? unanswered ? STOPPED : ASKED : seen & ASKED;
            // Before the time is replaced: until then who asks reckons the lag from it, and no other thread has been
            // started that writes this.
            worstLagNanos = Math.max(worstLagNanos, nowNanos - (seen & ~FLAGS));
            if (replace(seen, nowNanos | flags)) {
                return flags != STOPPED;
            }
        }
    }
}
