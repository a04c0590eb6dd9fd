package io.nopanic.breaker;

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

    private static final int CALLS_BITS = 10;
    private static final long CALLS_MASK = (1L << CALLS_BITS) - 1;

    private final long mostNanos;
    private final RandomGenerator random;

    /** The estimate, in nanoseconds, above the calls looked at, which count up to {@value #CALLS_TO_KNOW}. */
    private final AtomicLong word = new AtomicLong();

    /**
     * Knows nothing yet.
     *
     * @param mostNanos the estimate is never above this; at most 100 days
     */
    TailLatency(long mostNanos, RandomGenerator random) {
        this.mostNanos = mostNanos;
        this.random = random;
    }

    /** Looks at a call that took so long. */
    void add(long tookNanos) {
        long seen = word.get();
        int calls = calls(seen);
        boolean longer = tookNanos > nanos(seen);
        boolean knows = calls == CALLS_TO_KNOW;
        boolean lowers = !longer && random.nextInt(ONE_IN) == 0;
        if (knows && !longer && !lowers) {
            return;
        }
        double step = 1 + Math.max(SMALLEST_STEP, CALLS_BEFORE_STEPS_SHRINK / (CALLS_BEFORE_STEPS_SHRINK + calls));
        long next = nanos(seen);
        if (calls == 0) {
            next = tookNanos;
        } else if (longer) {
            next = (long) (next * step);
        } else if (lowers) {
            next = (long) (next / step);
        }
        long within = Math.max(LEAST_NANOS, Math.min(next, mostNanos));
        word.compareAndSet(seen, (within << CALLS_BITS) | (knows ? calls : calls + 1));
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
