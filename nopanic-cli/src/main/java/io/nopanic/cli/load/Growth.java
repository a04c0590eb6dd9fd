package io.nopanic.cli.load;

import io.nopanic.cli.terminal.Progress;
import io.nopanic.cli.terminal.Text;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The naive breaker beside ours at growing numbers of calls in the window: one thread, the same calls, the same clock. Each size is twice the one before. Stops before
 * a size that would take the whole beyond its time.
 */
final class Growth {

    private static final long FIRST_CALLS = 1000;
    private static final long LARGEST_CALLS = 4_000_000;
    static final long LIMIT_NANOS = 5_000_000_000L;
    private static final int WARM_UPS = 20;

    /** Twice the calls are four times the work. */
    private static final int WORSE = 4;

    /** Ours is so quick that at small sizes a single run would measure chance; the median of so many is taken. */
    private static final int REPETITIONS = 5;

    private Growth() {}

    /**
     * One size.
     *
     * @param calls how many calls
     * @param naiveNanos how long they took through the naive breaker
     * @param ourNanos how long they took through ours
     */
    record Step(long calls, long naiveNanos, long ourNanos) {}

    /**
     * Measures.
     *
     * @param limitNanos how long the naive breaker may take, all sizes together; the first size is measured in any case
     */
    static List<Step> measure(Plan plan, long limitNanos, Progress progress) {
        for (int i = 0; i < WARM_UPS; i++) {
            naive(plan, FIRST_CALLS);
            ours(plan, FIRST_CALLS * WARM_UPS);
        }
        List<Step> steps = new ArrayList<>();
        long spentNanos = 0;
        long nextNanos = 0;
        for (long calls = FIRST_CALLS; calls <= LARGEST_CALLS && spentNanos + nextNanos <= limitNanos; calls *= 2) {
            progress.show("the naive breaker: " + Text.count(calls) + " calls");
            Step step = new Step(calls, naive(plan, calls), medianOfOurs(plan, calls));
            steps.add(step);
            spentNanos += step.naiveNanos();
            nextNanos = WORSE * step.naiveNanos();
        }
        return steps;
    }

    private static long naive(Plan plan, long calls) {
        NaiveBreaker breaker = plan.naiveBreaker(Time.system());
        return nanosOf(breaker::call, plan, calls);
    }

    private static long medianOfOurs(Plan plan, long calls) {
        long[] sorted = LongStream.range(0, REPETITIONS)
                .map(i -> ours(plan, calls))
                .sorted()
                .toArray();
        return sorted[REPETITIONS / 2];
    }

    private static long ours(Plan plan, long calls) {
        Pipeline pipeline = Pipeline.of(plan.breaker(Time.system()));
        return nanosOf(pipeline::call, plan, calls);
    }

    private static long nanosOf(Caller.Guard guard, Plan plan, long calls) {
        Dependency dependency = new Dependency(plan.failing());
        long startNanos = Time.system().nanos();
        Caller.call(guard, dependency, calls, done -> {});
        return Time.system().nanos() - startNanos;
    }
}
