package io.nopanic.stress.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What was there when a part of the load had ended.
 *
 * @param seconds since the beginning
 * @param calls so far
 */
record Round(double seconds, long calls, long heapBytes, int threads, long timers, List<String> wrong) {

    private static final long SETTLE_NANOS = 2_000_000_000L;

    static Round measure(double seconds, long calls, Guards guards, CountedTime time) {
        awaitRest(guards, time);
        List<String> wrong = new ArrayList<>();
        check(wrong, "timers left", time.pending());
        check(wrong, "permits of the bulkhead in use", guards.bulkhead.inUse());
        check(wrong, "calls waiting for the bulkhead", guards.bulkhead.queued());
        check(wrong, "calls waiting for the limiter", guards.limiter.queued());
        check(wrong, "calls waiting for the adaptive limiter", guards.adaptive.queued());
        check(wrong, "threads stuck", guards.abandoning.stuck());
        return new Round(
                seconds,
                calls,
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
    private static void awaitRest(Guards guards, CountedTime time) {
        long startNanos = System.nanoTime();
        while ((time.pending() > 0 || guards.bulkhead.inUse() > 0 || guards.abandoning.stuck() > 0)
                && System.nanoTime() - startNanos < SETTLE_NANOS) {
            LockSupport.parkNanos(5_000_000);
        }
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
