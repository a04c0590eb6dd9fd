package io.nopanic.benchmarks.load;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group.Calls;
import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Rehearsal;
import io.nopanic.benchmarks.contestants.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process that finds out how many calls virtual threads make through one guard in a second. A virtual thread keeps its carrier until it waits,
 * so each gives way to the others once in some hundred calls; without that only as many of them would call as there are carriers. Prints a line for
 * each run.
 */
public final class VirtualCalls {

    /** What a line begins with. */
    public static final String MARK = "virtual ";

    /** How many of them call. */
    public static final int THREADS = 32;

    private static final int CALLS_IN_A_TURN = 200;
    private static final int WARM_UPS = 5;
    private static final int RUNS = 5;
    private static final int RUN_MILLIS = 200;

    private final Guard guard;
    private final Calls calls;

    private VirtualCalls(Contestant contestant) {
        guard = contestant.guard();
        calls = contestant.group().calls();
    }

    /** Measures the contestant that the argument names. */
    public static void main(String[] arguments) throws Exception {
        Contestant contestant = Contestants.named(arguments[0]);
        VirtualCalls measured = new VirtualCalls(contestant);
        for (int i = 0; i < WARM_UPS + RUNS; i++) {
            double perSecond = measured.callsPerSecond();
            if (i >= WARM_UPS) {
                System.out.println(MARK + perSecond);
            }
        }
        Rehearsal.of(contestant); // last, so that the compiler has not seen its calls
        System.exit(0); // peers leave threads behind
    }

    private double callsPerSecond() throws Exception {
        ExecutorService threads = Load.virtualThreads();
        CountDownLatch ready = new CountDownLatch(THREADS);
        CountDownLatch start = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        try {
            List<Future<Long>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                callers.add(threads.submit(() -> {
                    ready.countDown();
                    start.await();
                    return callUntil(stopped);
                }));
            }
            ready.await();
            long startNanos = System.nanoTime();
            start.countDown();
            TimeUnit.MILLISECONDS.sleep(RUN_MILLIS);
            stopped.set(true);
            long made = 0;
            for (Future<Long> caller : callers) {
                made += caller.get();
            }
            return made * 1e9 / (System.nanoTime() - startNanos);
        } finally {
            threads.shutdownNow();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but who calls next
    private long callUntil(AtomicBoolean stopped) {
        Callable<Object> body = Work.of(calls);
        long made = 0;
        while (!stopped.get()) {
            for (int i = 0; i < CALLS_IN_A_TURN; i++) {
                call(body);
            }
            made += CALLS_IN_A_TURN;
            Thread.yield();
        }
        return made;
    }

    private void call(Callable<Object> body) {
        try {
            if (guard.call(body) != Work.ANSWER) {
                throw new IllegalStateException("a call was not answered");
            }
        } catch (Work.Failure failure) {
            // as every third one does, in a group that is about that
        } catch (Exception refused) {
            throw new IllegalStateException(refused);
        }
    }
}
