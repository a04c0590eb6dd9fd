package io.nopanic.benchmarks.fork;

import com.sun.management.OperatingSystemMXBean;
import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Rehearsal;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The process that measures one contestant. JMH does not fork once more: whoever started this process gave it the options that JMH's
 * own forks get. Prints a line for each number of threads.
 */
public final class Fork {

    private static final String BYTES = "gc.alloc.rate.norm";

    /** What times are compared with; in the same process, so that both meet the same machine. */
    private static final Contestant CLOCK = Contestants.named("floor/nanoTime");

    /** With more threads than cores their turns would be measured, not the clock. */
    private static final int MOST_CLOCK_THREADS = 2;

    private static final double MEDIAN = 50;
    private static final int MOST_WARM_UPS = 30;

    private Fork() {}

    /** Measures the contestant with the first key of the arguments, as the other arguments say. */
    public static void main(String[] arguments) throws RunnerException {
        Contestant contestant = Contestants.named(arguments[0]);
        ForkPlan plan = ForkPlan.parse(arguments[1]);
        warmUp(contestant, plan);
        for (int threads : plan.threads()) {
            Sample sample = measure(contestant, plan, threads, plan.againMillis());
            double clockNanos = threads <= MOST_CLOCK_THREADS
                    ? measure(CLOCK, plan.brief(), threads, plan.brief().warmUpMillis())
                            .nanos()
                    : Double.NaN;
            System.out.println(sample.withClock(clockNanos).toLine());
        }
        Rehearsal.of(contestant); // last, so that the compiler has not seen its calls
        System.exit(0); // peers leave threads behind
    }

    /** Until the process has had its CPU time: on a machine that is busy, the time on the wall says nothing about what the compiler got done. */
    private static void warmUp(Contestant contestant, ForkPlan plan) throws RunnerException {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long enoughNanos = process.getProcessCpuTime() + TimeUnit.MILLISECONDS.toNanos(plan.warmUpMillis());
        for (int i = 0; i < MOST_WARM_UPS && process.getProcessCpuTime() < enoughNanos; i++) {
            measure(contestant, plan.brief(), 1, plan.againMillis());
        }
    }

    private static Sample measure(Contestant contestant, ForkPlan plan, int threads, int warmUpMillis)
            throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + Benchmarks.class.getName() + "\\." + Benchmarks.of(contestant.group()) + "$")
                .param("contestant", contestant.key())
                .forks(0)
                .threads(threads)
                .warmupIterations(2)
                .warmupTime(TimeValue.milliseconds(warmUpMillis / 2))
                .measurementIterations(plan.iterations())
                .measurementTime(TimeValue.milliseconds(plan.iterationMillis()))
                .addProfiler(CpuProfiler.class)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options).run().iterator().next();
        return new Sample(
                threads,
                median(result.getPrimaryResult()),
                secondary(result, CpuProfiler.NAME),
                secondary(result, BYTES),
                Double.NaN);
    }

    private static double secondary(RunResult result, String name) {
        Result<?> found = result.getSecondaryResults().get(name);
        return found == null ? Double.NaN : median(found);
    }

    private static double median(Result<?> result) {
        return result.getStatistics().getPercentile(MEDIAN);
    }
}
