package io.nopanic.stress.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Which threads there are that were not there in the beginning and are not the JVM's own, nor idle in its common pool, which keeps as many as there are processors. Virtual threads are not among them: who keeps one keeps memory.
 */
final class Threads {

    /** The groups of the JVM's own threads: those that run virtual threads or wake them, references, signals. */
    private static final Set<String> OF_THE_JVM = Set.of("system", "InnocuousThreadGroup", "CarrierThreads");

    /** Each serves the whole process, and ends a second or two after nobody needs it any more. */
    private static final Set<String> SERVICES = Set.of("nopanic-timer", "nopanic-clock");

    private static final long PAUSE_NANOS = 5_000_000;

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    /** All of them, each with what it is doing. */
    List<String> all() {
        return describe(others());
    }

    /** All but those of a pool that wait for something to do. */
    List<String> exceptIdle() {
        Map<Thread, StackTraceElement[]> found = others();
        found.values().removeIf(Threads::isIdle);
        return describe(found);
    }

    /** All that do something when all is still: neither idle nor one of those that serve the process. */
    List<String> busy() {
        Map<Thread, StackTraceElement[]> found = others();
        Set<String> served = new HashSet<>();
        found.entrySet().removeIf(entry -> {
            String name = entry.getKey().getName();
            return isIdle(entry.getValue()) || (SERVICES.contains(name) && served.add(name));
        });
        return describe(found);
    }

    /** Waits for so long until there are none; returns those that are there still. */
    static List<String> await(Supplier<List<String>> threads, long limitNanos) {
        long startNanos = System.nanoTime();
        List<String> left = threads.get();
        while (!left.isEmpty() && System.nanoTime() - startNanos < limitNanos) {
            LockSupport.parkNanos(PAUSE_NANOS);
            left = threads.get();
        }
        return left;
    }

    private Map<Thread, StackTraceElement[]> others() {
        Map<Thread, StackTraceElement[]> found = Thread.getAllStackTraces();
        found.entrySet()
                .removeIf(entry -> before.contains(entry.getKey())
                        || isOfTheJvm(entry.getKey())
                        || waits(entry.getValue(), ForkJoinPool.class, "awaitWork"));
        return found;
    }

    private static boolean isOfTheJvm(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null || OF_THE_JVM.contains(group.getName());
    }

    private static boolean isIdle(StackTraceElement[] stack) {
        return waits(stack, ThreadPoolExecutor.class, "getTask");
    }

    private static boolean waits(StackTraceElement[] stack, Class<?> pool, String method) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(pool.getName())
                        && frame.getMethodName().equals(method));
    }

    private static List<String> describe(Map<Thread, StackTraceElement[]> threads) {
        List<String> texts = new ArrayList<>();
        threads.forEach((thread, stack) -> {
            String ours = Arrays.stream(stack)
                    .filter(frame -> frame.getClassName().startsWith("io.nopanic."))
                    .findFirst()
                    .or(() -> Arrays.stream(stack).findFirst())
                    .map(frame -> " at " + frame)
                    .orElse("");
            texts.add("thread " + thread.getName() + ours);
        });
        return texts;
    }
}
