package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens on evidence: a score rises with each failure by what it costs, falls by one with each success, not below zero, and opens at a threshold (a Bernoulli
 * CUSUM; see {@link io.nopanic.tuning.Cusum}). Without a window there is no length of one to get wrong, and nothing to remember but the score.
 *
 * <p>Failures that are slow or timeouts cost more. A call in flight that is past the slow-call time is such a failure that comes early ({@link OverdueCalls}); if it then fails, it has counted. A call that
 * ends well counts as a success, however slow it was, and whether or not it has counted before.
 *
 * <p>Old evidence fades: to a failure, or to overdue calls, the score counts half for every {@value #HALF_LIFE_TEXT} since the failure before, give or take a
 * second. Successes alone do not make it fade.
 *
 * @param failureCost in thousandths of a success
 * @param slowCost of a slow failure, a timeout or an overdue call, in thousandths of a success
 * @param confidence how much is enough
 * @param slowLimit how long a call takes that is slow; if none is, calls in flight are not watched
 */
record EvidenceRule(long failureCost, long slowCost, Confidence confidence, SlowLimit slowLimit) implements TripRule {

    static final long SUCCESS = 1000;

    static final String HALF_LIFE_TEXT = "5 min";
    private static final long HALF_LIFE_NANOS = 300_000_000_000L;

    @Override
    public Memory begin(long nowNanos) {
        Score score = new Score(nowNanos);
        return slowLimit.isSet() ? new WatchingScore(score, new InFlight(slowLimit, nowNanos), nowNanos) : score;
    }

    @Override
    public int hangingCallsToOpen() {
        return (int) ((enough() + slowCost - 1) / slowCost);
    }

    @Override
    public Timing timing() {
        return slowLimit.isSet() ? Timing.OF_CALLS : Timing.OF_FAILURES;
    }

    @Override
    public void recovered(long calls, long nanos) {
        confidence.learn(calls, nanos);
    }

    @Override
    public String describe() {
        return "failures outweighing successes by " + confidence.threshold() + ", at " + inSuccesses(failureCost)
                + " each and " + inSuccesses(slowCost) + " if slow";
    }

    private static double inSuccesses(long cost) {
        return (double) cost / SUCCESS;
    }

    private long enough() {
        return inThousandths(confidence.threshold());
    }

    /** Rounded up, so that as many failures are enough as the numbers before that say. */
    static long inThousandths(double successes) {
        return (long) Math.ceil(successes * SUCCESS - 1e-6);
    }

    private long costOf(Ending ending) {
        return ending.isSlow() || ending.isTimeout() ? slowCost : failureCost;
    }

    /**
     * The score, in one word: below it, how many failures there have been since it was last zero, and when the last of them was. A word of zero means a
     * score of zero, so a success without evidence against it only reads.
     */
    private final class Score implements Memory {

        private static final int FAILURE_BITS = 16;
        private static final int TICK_BITS = 24;
        private static final long MAX_FAILURES = (1L << FAILURE_BITS) - 1;
        private static final long TICK_MASK = (1L << TICK_BITS) - 1;
        private static final int SCORE_SHIFT = FAILURE_BITS + TICK_BITS;

        /** One tick, 2^30 ns, is a little more than a second. */
        private static final int TICK_SHIFT = 30;

        private final long originNanos;
        private final AtomicLong word = new AtomicLong();

        Score(long nowNanos) {
            originNanos = nowNanos;
        }

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            if (ending == Ending.SUCCESS && word.get() == 0) {
                return false;
            }
            if (ending.isFailed()) {
                return rise(costOf(ending), nowNanos, enough());
            }
            if (ending.isJudged()) {
                fall();
            }
            return false;
        }

        /** Adds a failure; {@code true} if that makes it enough. */
        private boolean rise(long cost, long nowNanos, long enough) {
            for (; ; ) {
                long seen = word.get();
                long before = faded(seen, nowNanos);
                long score = Math.min(enough, before + cost);
                long next = before == 0
                        ? word(score, 1, tick(nowNanos))
                        : word(
                                score,
                                Math.min(MAX_FAILURES, failures(seen) + 1),
                                (seen + idleTicks(seen, nowNanos)) & TICK_MASK);
                if (word.compareAndSet(seen, next)) {
                    return score >= enough;
                }
            }
        }

        private void fall() {
            for (; ; ) {
                long seen = word.get();
                long score = score(seen) - SUCCESS;
                long next = score <= 0 ? 0 : word(score, failures(seen), seen & TICK_MASK);
                if (seen == 0 || word.compareAndSet(seen, next)) {
                    return;
                }
            }
        }

        private long faded(long seen, long nowNanos) {
            long idleNanos = idleTicks(seen, nowNanos) << TICK_SHIFT;
            return score(seen) >>> Math.min(Long.SIZE - 1, idleNanos / HALF_LIFE_NANOS);
        }

        /** Ticks since the last failure; none if that read the clock after this one, though it was quicker here. */
        private long idleTicks(long seen, long nowNanos) {
            long ahead = tick(nowNanos) - seen;
            return Math.max(0, (ahead << (Long.SIZE - TICK_BITS)) >> (Long.SIZE - TICK_BITS));
        }

        private long tick(long nowNanos) {
            return ((nowNanos - originNanos) >>> TICK_SHIFT) & TICK_MASK;
        }

        private static long word(long score, long failures, long tick) {
            return (score << SCORE_SHIFT) | (failures << TICK_BITS) | tick;
        }

        private static long score(long word) {
            return word >>> SCORE_SHIFT;
        }

        private static long failures(long word) {
            return (word >>> TICK_BITS) & MAX_FAILURES;
        }

        @Override
        public Counts counts(long nowNanos) {
            long failures = failures(word.get());
            return new Counts(failures, failures, 0, 0, failures);
        }
    }

    /** The score and the calls in flight. */
    private final class WatchingScore implements Memory {

        private final Score score;
        private final InFlight calls;
        private final OverdueCalls overdue;

        WatchingScore(Score score, InFlight calls, long nowNanos) {
            this.score = score;
            this.calls = calls;
            overdue = new OverdueCalls(calls, nowNanos);
        }

        @Override
        public boolean enter(int stripe, long nowNanos) {
            boolean opens = countOverdue(nowNanos);
            calls.enter(stripe, nowNanos);
            return opens;
        }

        @Override
        public void takeBack(int stripe, long startNanos) {
            calls.leave(stripe, startNanos);
        }

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            boolean counted = overdue.leave(stripe, startNanos);
            if (!ending.isFailed()) {
                return score.record(ending, stripe, startNanos, nowNanos);
            }
            boolean opens = !counted && score.record(ending, stripe, startNanos, nowNanos);
            return countOverdue(nowNanos) || opens;
        }

        private boolean countOverdue(long nowNanos) {
            return overdue.oneMoreCounts(nowNanos) && score.rise(slowCost, nowNanos, enough());
        }

        /** Calls that are overdue are shown as slow, and, as far as they have counted, as failures too. */
        @Override
        public Counts counts(long nowNanos) {
            long failures = score.counts(nowNanos).failures();
            long slow = calls.overdue(nowNanos);
            long all = Math.max(Math.max(slow, failures), failures + slow - overdue.counted());
            return new Counts(all, failures, 0, slow, all);
        }

        @Override
        public long inFlight() {
            return calls.total();
        }
    }
}
