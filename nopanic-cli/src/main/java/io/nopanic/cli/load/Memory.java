package io.nopanic.cli.load;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.cli.terminal.Progress;
import io.nopanic.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/**
 * What a breaker holds, measured: many equal breakers are made, and what the heap holds more after a full garbage collection is divided by their
 * number. Then each gets its calls, and it is measured again. The calls are spread evenly over the window, on a clock that is stepped on, so
 * that every part of the window is in use and none has left it.
 *
 * @param before bytes of a new breaker
 * @param after bytes of a breaker with {@link #CALLS} calls in its window
 * @param callsInWindow how many outcomes the breakers themselves say that they remember
 */
record Memory(long before, long after, long callsInWindow) {

    static final long CALLS = 1_000_000;

    /** How many breakers are measured together, so that other things on the heap weigh nothing. */
    static final int BREAKERS = 32;

    static Memory measure(Plan plan, Progress progress) {
        SteppingClock clock = new SteppingClock();
        List<CircuitBreaker> breakers = new ArrayList<>(BREAKERS);
        fill(plan.breaker(clock.time()), plan, clock); // so that what is loaded and made only once is there already
        long emptyBytes = Heap.usedBytes();
        for (int i = 0; i < BREAKERS; i++) {
            clock.set(0);
            breakers.add(plan.breaker(clock.time()));
        }
        long newBytes = Heap.usedBytesWith(breakers);
        for (int i = 0; i < BREAKERS; i++) {
            progress.show("measuring memory: " + i * 100 / BREAKERS + " %");
            fill(breakers.get(i), plan, clock);
        }
        long filledBytes = Heap.usedBytesWith(breakers);
        long callsInWindow = breakers.get(BREAKERS - 1).snapshot().counts().calls();
        return new Memory((newBytes - emptyBytes) / BREAKERS, (filledBytes - emptyBytes) / BREAKERS, callsInWindow);
    }

    private static void fill(CircuitBreaker breaker, Plan plan, SteppingClock clock) {
        Pipeline pipeline = Pipeline.of(breaker);
        Dependency dependency = new Dependency(plan.failing());
        clock.set(0);
        Caller.call(
                body -> {
                    clock.step(Plan.WINDOW.toNanos() / CALLS - 1);
                    return pipeline.call(body);
                },
                dependency,
                CALLS,
                done -> {});
    }

    /** What the naive breaker holds after as many calls; successful ones, because failing ones would take it minutes. */
    static long measureNaive(Plan plan) {
        SteppingClock clock = new SteppingClock();
        long emptyBytes = Heap.usedBytes();
        NaiveBreaker naive = plan.naiveBreaker(clock.time());
        Caller.call(
                body -> {
                    clock.step(Plan.WINDOW.toNanos() / CALLS - 1);
                    return naive.call(body);
                },
                () -> "answer",
                CALLS,
                done -> {});
        return Heap.usedBytesWith(naive) - emptyBytes;
    }
}
