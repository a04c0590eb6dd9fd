package io.nopanic.benchmarks.load;

import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Guard;
import io.nopanic.benchmarks.contestants.Work;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * The process that finds out whether a call becomes more expensive the more calls are in the window. Each size is measured on breakers of
 * its own that have got so many calls first; of a small size there are many, and the median counts. Prints a line for each size.
 */
public final class Growth {

    /** What a line begins with. */
    public static final String MARK = "growth ";

    private static final int FEWEST = 1000;
    private static final int MOST_MEASURED = 1_000_000;

    /** So many calls are measured of each size, in as many parts as they need. */
    private static final int MEASURED = 3_000_000;

    private static final int MOST_PARTS = 301;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Growth() {}

    /** Measures the contestant that the first argument names, up to as many calls as the second says. */
    public static void main(String[] arguments) throws Exception {
        int most = Integer.parseInt(arguments[1]);
        nanosPerCall(arguments[0], FEWEST); // warms up
        for (long calls = FEWEST; calls <= most; calls *= 10) {
            System.out.println(MARK + calls + " " + nanosPerCall(arguments[0], (int) calls));
        }
        System.exit(0); // peers leave threads behind
    }

    private static double nanosPerCall(String key, int inWindow) throws Exception {
        int measured = Math.min(inWindow, MOST_MEASURED);
        int parts = inWindow > MOST_MEASURED ? 1 : Math.min(MOST_PARTS, MEASURED / measured);
        Callable<Object> body = new Work.ThirdFailing(false);
        double[] nanos = new double[Math.max(parts, 3)];
        Guard guard = Contestants.named(key).guard();
        call(guard, body, inWindow);
        for (int i = 0; i < nanos.length; i++) {
            if (parts > 1 && i > 0) {
                guard = Contestants.named(key).guard();
                call(guard, body, inWindow);
            }
            long startNanos = THREADS.getCurrentThreadCpuTime();
            call(guard, body, measured);
            nanos[i] = (double) (THREADS.getCurrentThreadCpuTime() - startNanos) / measured;
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    private static void call(Guard guard, Callable<Object> body, int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            try {
                Object answer = guard.call(body);
                if (answer != Work.ANSWER) {
                    throw new IllegalStateException("a call returned " + answer);
                }
            } catch (Work.Failure failure) {
                // as every third one does
            }
        }
    }
}
