package io.nopanic.stress.model;

import java.util.List;

/**
 * The evidence in a log of outcomes, read from its beginning.
 *
 * <p>Time is told in ticks of 2^30 ns since the breaker closed, as the implementation promises no more.
 *
 * @param score in thousandths of a success
 * @param failures since there was no evidence, overdue calls that have counted among them
 * @param lastFailureNanos when the last of them was
 */
record NaiveScore(long score, long failures, long lastFailureNanos) {

    static final long HALF_LIFE_NANOS = 300_000_000_000L;

    private static final long TICK_NANOS = 1 << 30;
    private static final long SUCCESS = 1000;
    private static final int MOST_FAILURES = 65_535;

    /** How an outcome counts: what it costs, or 0 if it was good. */
    record Entry(long nanos, long cost) {}

    static NaiveScore of(List<Entry> log, long sinceNanos, long enough) {
        NaiveScore all = new NaiveScore(0, 0, sinceNanos);
        for (Entry each : log) {
            all = each.cost == 0 ? all.afterSuccess() : all.afterFailure(each, sinceNanos, enough);
        }
        return all;
    }

    private NaiveScore afterSuccess() {
        return score <= SUCCESS
                ? new NaiveScore(0, 0, lastFailureNanos)
                : new NaiveScore(score - SUCCESS, failures, lastFailureNanos);
    }

    private NaiveScore afterFailure(Entry failure, long sinceNanos, long enough) {
        long before = at(failure.nanos, sinceNanos);
        return new NaiveScore(
                Math.min(enough, before + failure.cost),
                before == 0 ? 1 : Math.min(MOST_FAILURES, failures + 1),
                failure.nanos);
    }

    /** What is left of it at this time. */
    long at(long nowNanos, long sinceNanos) {
        long ticks = (nowNanos - sinceNanos) / TICK_NANOS - (lastFailureNanos - sinceNanos) / TICK_NANOS;
        long left = score;
        for (long idle = ticks * TICK_NANOS; idle >= HALF_LIFE_NANOS && left > 0; idle -= HALF_LIFE_NANOS) {
            left /= 2;
        }
        return left;
    }
}
