package io.nopanic.benchmarks.load;

import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The process that puts a load on one breaker. Prints a line for each run. */
public final class Load {

    /** The key of no guard at all. */
    public static final String NO_GUARD = "no guard";

    /** What a line begins with. */
    public static final String MARK = "load ";

    private final LoadPlan plan;

    Load(LoadPlan plan) {
        this.plan = plan;
    }

    /** Runs the load on the contestant that the first argument names, as the others say. */
    public static void main(String[] arguments) throws Exception {
        Load load = new Load(LoadPlan.parse(Arrays.asList(arguments).subList(1, arguments.length)));
        for (int i = 0; i < load.plan.runs(); i++) {
            System.out.println(MARK + load.run(guard(arguments[0])));
        }
        System.exit(0); // peers leave threads behind
    }

    private static Guard guard(String key) {
        return key.equals(NO_GUARD) ? Callable::call : Contestants.named(key).guard();
    }

    /**
     * Runs the load once.
     *
     * @return how long it took, from the moment all threads were ready
     */
    long run(Guard guard) throws Exception {
        ExecutorService threads = plan.virtual() ? virtualThreads() : Executors.newFixedThreadPool(plan.threads());
        CountDownLatch ready = new CountDownLatch(plan.threads());
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < plan.threads(); i++) {
                callers.add(threads.submit(() -> {
                    ready.countDown();
                    start.await();
                    return call(guard);
                }));
            }
            ready.await();
            long startNanos = System.nanoTime();
            start.countDown();
            long failed = 0;
            for (Future<Integer> caller : callers) {
                failed += caller.get();
            }
            long tookNanos = System.nanoTime() - startNanos;
            check(failed);
            return tookNanos;
        } finally {
            threads.shutdownNow();
        }
    }

    private int call(Guard guard) throws Exception {
        Callable<Object> body = new Work.ThirdFailing(plan.freshFailures());
        int failed = 0;
        for (int i = 0; i < plan.calls(); i++) {
            try {
                if (guard.call(body) != Work.ANSWER) {
                    throw new IllegalStateException("a call was not answered");
                }
            } catch (Work.Failure failure) {
                failed++;
            }
        }
        return failed;
    }

    private void check(long failed) {
        long expected = (long) plan.threads() * (plan.calls() / 3);
        if (failed != expected) {
            throw new IllegalStateException(failed + " calls failed instead of " + expected);
        }
    }

    /** Java 17 compiles this and has none. */
    static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
