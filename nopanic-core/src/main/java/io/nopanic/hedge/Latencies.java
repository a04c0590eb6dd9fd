package io.nopanic.hedge;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A quantile of recent latencies in constant memory (8 kB, half of which is for reading), in constant time. Thread-safe.
 *
 * <p><b>Theory of operation.</b> A histogram whose cells grow with the latency: every power of two from 2^10 ns (about a microsecond)
 * to 2^41 ns (about 37 minutes) is cut into 16 cells of equal width, so a cell is at most a sixteenth of its latency wide. The quantile is
 * read as the upper end of the cell in which it lies, so it is never too low and at most 6.25 % too high.
 * Cells of constant relative width are what gives a relative error bound in any range (C. Masson, J. Rim, H. Lee, DDSketch, VLDB 2019); cutting powers of
 * two into equal parts, which needs no logarithm, is the layout of G. Tene's HdrHistogram. Latencies outside of the range count in the
 * first or last cell.
 *
 * <p>The past fades: all cells are halved every minute, and once per such period that passed without a call. So with
 * steady traffic the weight is that of the calls of the last one to two periods, and a latency that no longer occurs is gone after a few. A call
 * weighs {@value #WEIGHT}, so that single calls in the tail survive several halvings.
 *
 * <p>Whoever halves or reads the cells keeps others from doing so, for cells of which some are halved have the quantile of no calls at all. Nobody waits for
 * that: what one call leaves undone, one of the next does. Calls are recorded all the time. A reading looks at each cell once, so its quantile is that of the calls
 * recorded before and of some of those recorded meanwhile.
 *
 * <table>
 * <caption>Shared state</caption>
 * <tr><th>field</th><th>written by</th><th>mode</th></tr>
 * <tr><td>cells</td><td>every recorded call adds; whoever sees that a period is over halves</td><td>atomic add; atomic update under {@code upkeep}</td></tr>
 * <tr><td>fadedNanos</td><td>whoever sees that a period is over</td><td>volatile, under {@code upkeep}</td></tr>
 * <tr><td>reading</td><td>whoever reads the quantile</td><td>plain, under {@code upkeep}</td></tr>
 * <tr><td>records</td><td>every recorded call</td><td>atomic add</td></tr>
 * </table>
 */
final class Latencies {

    /** The weight of calls fades by half in this time. */
    static final long HALF_LIFE_NANOS = 60_000_000_000L;

    /** What {@link #quantileNanos} answers when too few calls are known. */
    static final long UNKNOWN = -1;

    /** What {@link #quantileNanos} answers when another thread reads or the past just fades: what was known still holds. */
    static final long UNREAD = -2;

    private static final int RECORDS_PER_READING = 16;
    private static final int WEIGHT = 1024;
    private static final int CELL_BITS = 4;
    private static final int CELLS_PER_POWER = 1 << CELL_BITS;
    private static final int FIRST_POWER = 10;
    private static final int LAST_POWER = 40;
    private static final int CELLS = (LAST_POWER - FIRST_POWER + 1) * CELLS_PER_POWER;
    private static final long NOT_STARTED = Long.MIN_VALUE;

    private final AtomicLongArray cells = new AtomicLongArray(CELLS);
    private final AtomicLong records = new AtomicLong();
    private final ReentrantLock upkeep = new ReentrantLock();
    private final long[] reading = new long[CELLS];
    private volatile long fadedNanos = NOT_STARTED;

    /**
     * Adds a latency.
     *
     * @return whether the quantile is worth reading again: after every {@value #RECORDS_PER_READING} calls, and when the past has faded
     */
    boolean record(long latencyNanos, long nowNanos) {
        boolean faded = fade(nowNanos);
        cells.addAndGet(cellOf(latencyNanos), WEIGHT);
        return records.incrementAndGet() % RECORDS_PER_READING == 0 || faded;
    }

    /**
     * The latency that a share {@code quantile} of the recent calls did not exceed, or {@link #UNREAD}.
     *
     * @param quantile more than 0 and less than 1
     * @param minCalls below this weight of recent calls it is {@link #UNKNOWN}
     */
    long quantileNanos(double quantile, int minCalls) {
        if (!upkeep.tryLock()) {
            return UNREAD;
        }
        try {
            return readNanos(quantile, minCalls);
        } finally {
            upkeep.unlock();
        }
    }

    private long readNanos(double quantile, int minCalls) {
        long total = 0;
        for (int i = 0; i < CELLS; i++) {
            reading[i] = cells.get(i);
            total += reading[i];
        }
        if (total < (long) minCalls * WEIGHT) {
            return UNKNOWN;
        }
        double rank = quantile * total;
        int cell = 0;
        long upToHere = reading[0];
        while (upToHere < rank) {
            cell++;
            upToHere += reading[cell];
        }
        return upperEndNanos(cell);
    }

    /** Halves everything if a period is over and nobody else is about it; says whether it did. */
    private boolean fade(long nowNanos) {
        long sinceNanos = fadedNanos;
        boolean isDue = sinceNanos == NOT_STARTED || nowNanos - sinceNanos >= HALF_LIFE_NANOS;
        if (!isDue || !upkeep.tryLock()) {
            return false;
        }
        try {
            return fadeAlone(nowNanos);
        } finally {
            upkeep.unlock();
        }
    }

    private boolean fadeAlone(long nowNanos) {
        long sinceNanos = fadedNanos;
        if (sinceNanos == NOT_STARTED) {
            fadedNanos = nowNanos;
            return false;
        }
        long periods = (nowNanos - sinceNanos) / HALF_LIFE_NANOS;
        if (periods <= 0) {
            return false;
        }
        fadedNanos = sinceNanos + periods * HALF_LIFE_NANOS;
        int shift = (int) Math.min(periods, Long.SIZE - 1);
        for (int i = 0; i < CELLS; i++) {
            cells.updateAndGet(i, weight -> weight >>> shift);
        }
        return true;
    }

    private static int cellOf(long latencyNanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, latencyNanos));
        if (power < FIRST_POWER) {
            return 0;
        }
        if (power > LAST_POWER) {
            return CELLS - 1;
        }
        int part = (int) (latencyNanos >>> (power - CELL_BITS)) & (CELLS_PER_POWER - 1);
        return (power - FIRST_POWER) * CELLS_PER_POWER + part;
    }

    private static long upperEndNanos(int cell) {
        int power = FIRST_POWER + cell / CELLS_PER_POWER;
        long part = cell % CELLS_PER_POWER;
        return (CELLS_PER_POWER + part + 1) << (power - CELL_BITS);
    }
}
