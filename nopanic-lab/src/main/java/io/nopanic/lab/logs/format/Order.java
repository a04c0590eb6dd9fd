package io.nopanic.lab.logs.format;

/**
 * Watches whether lines are in order of time. Programs write a line when a call begins or when it ends; so only a line that is late by both is
 * out of order. Many late lines in a row mean that the clock was set back. Not thread-safe.
 */
public final class Order {

    /** So many late lines in a row, each by more than a second, are a clock that was set back. */
    static final int LINES_OF_A_JUMP = 50;

    private static final long SECOND = 1_000_000_000L;

    /** A start and a duration in whole milliseconds may make an end that is too early by nearly two. */
    private static final long ROUNDING_NANOS = 2_000_000L;

    private long lastStartNanos = Long.MIN_VALUE;
    private long lastEndNanos = Long.MIN_VALUE;
    private long outOfOrder;
    private long mostLateNanos;
    private long jumps;
    private long largestJumpNanos;
    private long longestGapNanos;

    private int lateInARow;
    private long rowStartNanos;
    private long rowEndNanos;
    private long rowLateNanos;

    void line(long startNanos, long endNanos, boolean wholeSeconds) {
        long slackNanos = wholeSeconds ? SECOND : ROUNDING_NANOS;
        boolean isLate = startNanos + slackNanos < lastStartNanos && endNanos + slackNanos < lastEndNanos;
        if (isLate) {
            late(startNanos, endNanos, Math.min(lastStartNanos - startNanos, lastEndNanos - endNanos));
            return;
        }
        lateInARow = 0;
        if (lastEndNanos != Long.MIN_VALUE && startNanos > lastEndNanos) {
            longestGapNanos = Math.max(longestGapNanos, startNanos - lastEndNanos);
        }
        lastStartNanos = Math.max(lastStartNanos, startNanos);
        lastEndNanos = Math.max(lastEndNanos, endNanos);
    }

    private void late(long startNanos, long endNanos, long lateNanos) {
        if (lateNanos <= SECOND) {
            lateInARow = 0;
        } else if (lateInARow++ == 0) {
            rowLateNanos = lateNanos;
            rowStartNanos = startNanos;
            rowEndNanos = endNanos;
        }
        outOfOrder++;
        mostLateNanos = Math.max(mostLateNanos, lateNanos);
        if (lateInARow > 0) {
            rowStartNanos = Math.max(rowStartNanos, startNanos);
            rowEndNanos = Math.max(rowEndNanos, endNanos);
        }
        if (lateInARow == LINES_OF_A_JUMP) {
            jump();
        }
    }

    private void jump() {
        jumps++;
        largestJumpNanos = Math.max(largestJumpNanos, rowLateNanos);
        lastStartNanos = rowStartNanos;
        lastEndNanos = rowEndNanos;
        lateInARow = 0;
    }

    void endOfFile() {
        lastStartNanos = Long.MIN_VALUE;
        lastEndNanos = Long.MIN_VALUE;
        lateInARow = 0;
    }

    /** How many lines were out of order, among them the {@value #LINES_OF_A_JUMP} by which each jump of the clock was noticed. */
    public long outOfOrder() {
        return outOfOrder;
    }

    /** By how much the worst of them was late. */
    public long mostLateNanos() {
        return mostLateNanos;
    }

    /** How often the clock was set back. */
    public long jumps() {
        return jumps;
    }

    /** By how much at the most. */
    public long largestJumpNanos() {
        return largestJumpNanos;
    }

    /** The longest time in which no call was under way: silence, a hole in the log, or a clock that was set forward. */
    public long longestGapNanos() {
        return longestGapNanos;
    }
}
