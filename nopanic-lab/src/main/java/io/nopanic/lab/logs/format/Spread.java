package io.nopanic.lab.logs.format;

import io.nopanic.lab.call.Ending;
import io.nopanic.lab.logs.spool.CallSink;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Gives lines whose time is in whole seconds a place within their second: uniformly at random, in the order in which the lines stand, so that a burst
 * of failures stays one. Calls of one line stay together. Not thread-safe.
 */
final class Spread implements CallSink {

    /** Lines with the same second beyond this many are spread for themselves. */
    private static final int MAX_CALLS = 1 << 18;

    private static final double SECOND = 1e9;

    private final SplittableRandom random;
    private final CallSink sink;
    private long[] starts = new long[64];
    private long[] durations = new long[64];
    private int[] keys = new int[64];
    private int[] attempts = new int[64];
    private int[] lines = new int[64];
    private Ending[] endings = new Ending[64];
    private int calls;
    private int lineCount;
    private long currentStartNanos;
    private long currentEndNanos;

    Spread(long seed, CallSink sink) {
        this.random = new SplittableRandom(seed);
        this.sink = sink;
    }

    /** The next line, of which either the start or the end is the second that is known. */
    void line(long startNanos, long endNanos) {
        boolean isSameSecond = startNanos == currentStartNanos || endNanos == currentEndNanos;
        if (!isSameSecond || calls >= MAX_CALLS) {
            flush();
        }
        currentStartNanos = startNanos;
        currentEndNanos = endNanos;
        lineCount++;
    }

    @Override
    public void accept(long startNanos, long durationNanos, Ending ending, int key, int attempt) {
        if (calls == starts.length) {
            grow();
        }
        starts[calls] = startNanos;
        durations[calls] = durationNanos;
        endings[calls] = ending;
        keys[calls] = key;
        attempts[calls] = attempt;
        lines[calls] = lineCount - 1;
        calls++;
    }

    private void grow() {
        int size = calls * 2;
        starts = Arrays.copyOf(starts, size);
        durations = Arrays.copyOf(durations, size);
        endings = Arrays.copyOf(endings, size);
        keys = Arrays.copyOf(keys, size);
        attempts = Arrays.copyOf(attempts, size);
        lines = Arrays.copyOf(lines, size);
    }

    /** Hands on what was held back. */
    void flush() {
        if (calls > 0) {
            double[] places = places(lineCount);
            for (int i = 0; i < calls; i++) {
                long offsetNanos = (long) (places[lines[i]] * SECOND);
                sink.accept(starts[i] + offsetNanos, durations[i], endings[i], keys[i], attempts[i]);
            }
        }
        calls = 0;
        lineCount = 0;
    }

    /** So many uniform random numbers from 0 to below 1, in ascending order: the sums of exponential gaps, divided by the sum of them all. */
    private double[] places(int count) {
        double[] sums = new double[count + 1];
        double sum = 0;
        for (int i = 0; i <= count; i++) {
            sum -= Math.log(1 - random.nextDouble());
            sums[i] = sum;
        }
        double[] places = new double[count];
        for (int i = 0; i < count; i++) {
            places[i] = sum == 0 ? 0 : Math.min(sums[i] / sum, Math.nextDown(1.0));
        }
        return places;
    }
}
