package io.nopanic.benchmarks.load;

import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Work;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The process that finds out whether a call becomes more expensive the more calls are in the window. Breakers are filled first; then short measurings of all sizes take
 * turns, because a machine that is shared changes its speed within seconds: what counts is a size's share of its turn. Small breakers are made
 * afresh for each turn, as many as it takes calls. Prints a line for each size.
 */
public final class Growth {

    /** What a line begins with. */
    public static final String MARK = "growth ";

    private static final int FEWEST = 1000;

    /** So many calls are measured of each size in a turn. */
    private static final int MEASURED = 100_000;

    /** So often are the large breakers filled anew. */
    private static final int FILLINGS = 3;

    private static final int TURNS = 21;
    private static final int WARM_UP = 2_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final Callable<Object> BODY = new Work.ThirdFailing(false);

    private final String key;
    private final int[] sizes;

    private Growth(String key, int most) {
        this.key = key;
        List<Integer> all = new ArrayList<>();
        for (long size = FEWEST; size <= most; size *= 10) {
            all.add((int) size);
        }
        sizes = all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Measures the contestant that the first argument names, up to as many calls as the second says. */
    public static void main(String[] arguments) throws Exception {
        Growth growth = new Growth(arguments[0], Integer.parseInt(arguments[1]));
        double[] nanos = growth.nanosPerCall();
        for (int i = 0; i < nanos.length; i++) {
            System.out.println(MARK + growth.sizes[i] + " " + nanos[i]);
        }
        System.exit(0); // peers leave threads behind
    }

    private double[] nanosPerCall() throws Exception {
        full(WARM_UP);
        List<double[]> turns = new ArrayList<>();
        for (int filling = 0; filling < FILLINGS; filling++) {
            Guard[] large = filled();
            for (int turn = 0; turn < TURNS; turn++) {
                turns.add(turn(large));
            }
        }
        double[] means = turns.stream().mapToDouble(Growth::geometricMean).toArray();
        double usual = median(means);
        double[] nanos = new double[sizes.length];
        for (int size = 0; size < sizes.length; size++) {
            int at = size;
            nanos[size] = usual
                    * median(turns.stream()
                            .mapToDouble(turn -> turn[at] / geometricMean(turn))
                            .toArray());
        }
        return nanos;
    }

    /** A breaker for each size that is not small, with so many calls in it. */
    private Guard[] filled() throws Exception {
        Guard[] guards = new Guard[sizes.length];
        for (int i = sizes.length - 1; i >= 0; i--) {
            if (sizes[i] > MEASURED) {
                guards[i] = full(sizes[i]);
            }
        }
        return guards;
    }

    private Guard full(int calls) throws Exception {
        Guard guard = Contestants.named(key).guard();
        call(guard, calls);
        return guard;
    }

    private double[] turn(Guard[] large) throws Exception {
        double[] nanos = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            int parts = sizes[i] > MEASURED ? 1 : MEASURED / sizes[i];
            int calls = MEASURED / parts;
            long spentNanos = 0;
            for (int part = 0; part < parts; part++) {
                Guard guard = sizes[i] > MEASURED ? large[i] : full(sizes[i]);
                long startNanos = THREADS.getCurrentThreadCpuTime();
                call(guard, calls);
                spentNanos += THREADS.getCurrentThreadCpuTime() - startNanos;
            }
            nanos[i] = (double) spentNanos / MEASURED;
        }
        return nanos;
    }

    private static double geometricMean(double[] values) {
        return Math.exp(Arrays.stream(values).map(Math::log).average().orElseThrow());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void call(Guard guard, int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            try {
                Object answer = guard.call(BODY);
                if (answer != Work.ANSWER) {
                    throw new IllegalStateException("a call returned " + answer);
                }
            } catch (Work.Failure failure) {
                // as every third one does
            }
        }
    }
}
