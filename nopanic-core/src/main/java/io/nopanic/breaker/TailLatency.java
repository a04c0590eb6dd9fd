package io.nopanic.breaker;

import io.nopanic.outcome.ReportedOnce;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * An estimate of the time within which 99 of 100 calls end, in one word. A call that takes longer raises it by a step, and one in 99 of the others, drawn by lot,
 * lowers it by a step, so it rests where one call in a hundred takes longer. Steps are a share of the estimate: large at first, a twentieth in the end, which keeps it
 * within a third of the true value mostly, and within a factor of two where the tail is long. 48 calls that all take longer raise it tenfold; to fall as far takes 4,700. After Ma, Muthukrishnan and Sandler, Frugal
 * Streaming for Estimating Quantiles (2013), with steps that shrink.
 *
 * <p>Once it knows, it writes for two calls in a hundred. Of two steps at the same moment one may be lost, as if that call had not been.
 */
final class TailLatency {

    /** So many calls it takes to know. */
    static final int CALLS_TO_KNOW = 1000;

    /** Of the calls that are within the time. */
    private static final int ONE_IN = 99;

    private static final double SMALLEST_STEP = 0.05;
    private static final double CALLS_BEFORE_STEPS_SHRINK = 50;

    /** So that the smallest step is something. */
    private static final long LEAST_NANOS = 1000;

    private static final long MOST_NANOS = 3_600_000_000_000L;

    private static final int CALLS_BITS = 10;
    private static final long CALLS_MASK = (1L << CALLS_BITS) - 1;

    private final RandomGenerator random;
    private final ReportedOnce faults = new ReportedOnce(
            CircuitBreaker.class, "the source of random numbers threw; what is slow is learned without");

    /** The estimate, in nanoseconds, above the calls looked at, which count up to {@value #CALLS_TO_KNOW}. */
    private final AtomicLong word = new AtomicLong();

    /** Knows nothing yet. */
    TailLatency(RandomGenerator random) {
        this.random = random;
    }

    /** Looks at a call that took so long. */
    void add(long tookNanos) {
        long seen = word.get();
        int calls = calls(seen);
        boolean longer = tookNanos > nanos(seen);
        boolean knows = calls == CALLS_TO_KNOW;
        boolean lowers = !longer && isDrawn();
        if (knows && !longer && !lowers) {
            return;
        }
        double step = 1 + Math.max(SMALLEST_STEP, CALLS_BEFORE_STEPS_SHRINK / (CALLS_BEFORE_STEPS_SHRINK + calls));
        long next = Math.max(LEAST_NANOS, nanos(seen));
        if (longer) {
            next = (long) (next * step);
        } else if (lowers) {
            next = (long) (next / step);
        }
        long within = Math.max(LEAST_NANOS, Math.min(next, MOST_NANOS));
        word.compareAndSet(seen, (within << CALLS_BITS) | (knows ? calls : calls + 1));
    }

    private boolean isDrawn() {
        try {
            return random.nextInt(ONE_IN) == 0;
        } catch (Throwable thrown) {
            faults.thrown(thrown);
            return false;
        }
    }

    /** The estimate, or {@code -1} as long as it has not seen enough calls. */
    long nanos() {
        long seen = word.get();
        return calls(seen) < CALLS_TO_KNOW ? -1 : nanos(seen);
    }

    private static int calls(long word) {
        return (int) (word & CALLS_MASK);
    }

    private static long nanos(long word) {
        return word >>> CALLS_BITS;
    }
}
