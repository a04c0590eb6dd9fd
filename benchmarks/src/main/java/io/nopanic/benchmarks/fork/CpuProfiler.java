package io.nopanic.benchmarks.fork;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time per operation, of all Java threads together: those that call, and those that a guard has of its own. Unlike the time on the wall
 * it does not grow when the machine is busy with other things. Not in it: collecting garbage, and compiling.
 */
public final class CpuProfiler implements InternalProfiler {

    static final String NAME = "cpu";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long startNanos;

    @Override
    public String getDescription() {
        return "CPU time of all Java threads per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        startNanos = usedNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double perOperation =
                (double) (usedNanos() - startNanos) / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(NAME, perOperation, "ns/op", AggregationPolicy.AVG));
    }

    private long usedNanos() {
        long usedNanos = 0;
        for (long thread : threads.getAllThreadIds()) {
            usedNanos += Math.max(0, threads.getThreadCpuTime(thread));
        }
        return usedNanos;
    }
}
