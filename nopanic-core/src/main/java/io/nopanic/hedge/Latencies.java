package io.nopanic.hedge;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A quantile of recent latencies in constant memory (4 kB), in constant time. Thread-safe.
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
 * <table>
 * <caption>Shared state</caption>
 * <tr><th>field</th><th>written by</th><th>mode</th></tr>
 * <tr><td>cells</td><td>every recorded call adds; whoever wins a period halves</td><td>atomic add, atomic update</td></tr>
 * <tr><td>fadedNanos</td><td>whoever first sees that a period is over</td><td>compare-and-set</td></tr>
 * <tr><td>records</td><td>every recorded call</td><td>atomic add</td></tr>
 * </table>
 */
final class Latencies {

    /** The weight of calls fades by half in this time. */
    static final long HALF_LIFE_NANOS = 60_000_000_000L;

    /** What {@link #quantileNanos} answers when too few calls are known. */
    static final long UNKNOWN = -1;

    private static final int RECORDS_PER_READING = 16;
    private static final int WEIGHT = 1024;
    private static final int CELL_BITS = 4;
    private static final int CELLS_PER_POWER = 1 << CELL_BITS;
    private static final int FIRST_POWER = 10;
    private static final int LAST_POWER = 40;
    private static final int CELLS = (LAST_POWER - FIRST_POWER + 1) * CELLS_PER_POWER;
    private static final long NOT_STARTED = Long.MIN_VALUE;

    private final AtomicLongArray cells = new AtomicLongArray(CELLS);
    private final AtomicLong fadedNanos = new AtomicLong(NOT_STARTED);
    private final AtomicLong records = new AtomicLong();

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
     * The latency that a share {@code quantile} of the recent calls did not exceed.
     *
     * @param quantile more than 0 and less than 1
     * @param minCalls below this weight of recent calls it is {@link #UNKNOWN}
     */
    long quantileNanos(double quantile, int minCalls) {
        long total = 0;
        for (int i = 0; i < CELLS; i++) {
            total += cells.get(i);
        }
        if (total < (long) minCalls * WEIGHT) {
            return UNKNOWN;
        }
        double rank = quantile * total;
        int cell = 0;
        long upToHere = cells.get(0);
        while (upToHere < rank && cell < CELLS - 1) {
            cell++;
            upToHere += cells.get(cell);
        }
        return upperEndNanos(cell);
    }

    /** Halves everything if a period is over; says whether it did. */
    private boolean fade(long nowNanos) {
        long sinceNanos = fadedNanos.get();
        if (sinceNanos == NOT_STARTED) {
            fadedNanos.compareAndSet(NOT_STARTED, nowNanos);
            return false;
        }
        long periods = (nowNanos - sinceNanos) / HALF_LIFE_NANOS;
        if (periods <= 0 || !fadedNanos.compareAndSet(sinceNanos, sinceNanos + periods * HALF_LIFE_NANOS)) {
            return false;
        }
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
