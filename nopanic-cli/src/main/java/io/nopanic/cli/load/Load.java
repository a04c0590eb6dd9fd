package io.nopanic.cli.load;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitSnapshot;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/** Many threads, one breaker. */
final class Load {

    /** Counters of different threads lie this many words apart, so that none waits for another's. */
    private static final int STRIDE = 16;

    private static final int PROGRESS_MILLIS = 100;

    private final Plan plan;
    private final Progress progress;
    private final AtomicLongArray done;

    private Load(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        done = new AtomicLongArray(plan.threads() * STRIDE);
    }

    /**
     * How it went.
     *
     * @param nanos from the moment all threads were ready to the end of the last call
     * @param tally how the calls ended, by the callers' count
     * @param breaker what the breaker showed in the end
     */
    record Result(long nanos, Tally tally, CircuitSnapshot breaker) {

        double callsPerSecond(Plan plan) {
            return plan.totalCalls() * 1e9 / nanos;
        }

        /** What is wrong with it, in words; empty if nothing is. */
        List<String> faults(Plan plan) {
            List<String> faults = new ArrayList<>();
            if (breaker.state() != CircuitState.CLOSED) {
                faults.add("the breaker had to stay closed and is " + breaker.state());
            }
            Tally expected = new Tally(plan.totalCalls() - plan.failingCalls(), plan.failingCalls(), 0);
            if (!tally.equals(expected)) {
                faults.add("the outcomes had to be " + expected + " and are " + tally);
            }
            if (plan.policy() == PolicyKind.TIME_WINDOW
                    && nanos < Plan.WINDOW.toNanos() * 8 / 10
                    && (breaker.counts().calls() != plan.totalCalls()
                            || breaker.counts().failures() != plan.failingCalls())) {
                faults.add("the window had to hold every call and holds " + breaker.counts());
            }
            return faults;
        }
    }

    static Result run(Plan plan, Progress progress) throws InterruptedException {
        return new Load(plan, progress).run();
    }

    private Result run() throws InterruptedException {
        Time time = Time.system();
        CircuitBreaker breaker = plan.breaker(time);
        Pipeline pipeline = Pipeline.builder().name("load").with(breaker).build();
        CyclicBarrier ready = new CyclicBarrier(plan.threads() + 1);
        ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
        try {
            List<Future<Tally>> callers = new ArrayList<>();
            for (int i = 0; i < plan.threads(); i++) {
                int number = i;
                callers.add(threads.submit(() -> {
                    ready.await();
                    return Caller.call(
                            pipeline::call,
                            new Dependency(plan.failing()),
                            plan.calls(),
                            calls -> done.setRelease(number * STRIDE, calls));
                }));
            }
            ready.await();
            long startNanos = time.nanos();
            Tally tally = Tally.NONE;
            for (Future<Tally> caller : callers) {
                tally = tally.plus(await(caller));
            }
            return new Result(time.nanos() - startNanos, tally, breaker.snapshot());
        } catch (ExecutionException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Tally await(Future<Tally> caller) throws InterruptedException, ExecutionException {
        while (progress.isShown()) {
            try {
                return caller.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException stillCalling) {
                progress.show("calling: " + percent() + " %");
            }
        }
        return caller.get();
    }

    private long percent() {
        long calls = 0;
        for (int i = 0; i < plan.threads(); i++) {
            calls += done.getAcquire(i * STRIDE);
        }
        return calls * 100 / plan.totalCalls();
    }
}
