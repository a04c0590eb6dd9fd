package io.nopanic.stress.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was there when a part of the load had ended.
 *
 * @param seconds since the beginning
 * @param calls so far
 */
record Round(double seconds, long calls, long heapBytes, int threads, long timers, List<String> wrong) {

    private static final long SETTLE_NANOS = 2_000_000_000L;

    static Round measure(long startNanos, Load load, Guards guards, CountedTime time, Threads threads) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        List<String> wrong = awaitRest(guards, time, threads);
        load.wrong().forEach((what, count) -> check(wrong, what, count));
        return new Round(
                seconds,
                load.calls.sum() + load.watchedCalls.sum(),
                usedBytes(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                time.pending(),
                wrong);
    }

    private static void check(List<String> wrong, String what, long count) {
        if (count != 0) {
            wrong.add(what + ": " + count);
        }
    }

    /** Calls whose callers were answered take a moment longer: copies that lost, code that was given up. */
    private static List<String> awaitRest(Guards guards, CountedTime time, Threads threads) {
        return new ArrayList<>(Threads.await(
                () -> {
                    List<String> left = new ArrayList<>(threads.busy());
                    check(left, "timers left", time.pending());
                    guards.left().forEach((what, count) -> check(left, what, count));
                    return left;
                },
                SETTLE_NANOS));
    }

    /** What is really in use: the least of a few collections, since one alone may leave something. */
    private static long usedBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    static String header() {
        return String.format(Locale.ROOT, "%10s %14s %12s %8s %8s", "seconds", "calls", "heap kB", "threads", "timers");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%10.1f %,14d %,12d %8d %8d%s",
                seconds,
                calls,
                heapBytes / 1024,
                threads,
                timers,
                wrong.isEmpty() ? "" : "  " + String.join(", ", wrong));
    }
}
