package io.nopanic.engine;

import com.sun.management.ThreadMXBean;
import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.pipeline.Permit;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Retry;
import io.nopanic.timeout.Timeout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Run in a JVM of its own by {@link AllocationGateTest}: prints how many bytes a call allocates, a line per kind of call. Before it measures, it makes
 * calls of other shapes through other pipelines, so that the compiler has seen more than one.
 */
final class AllocationProbe {

    private static final int CALLS = 300_000;

    private AllocationProbe() {}

    private static Pipeline pipeline() {
        return Pipeline.of(
                Retry.ofAttempts(3),
                CircuitBreaker.withDefaults("probe"),
                RateLimiter.builder().rate(1_000_000_000, Duration.ofSeconds(1)).build(),
                Bulkhead.of(16));
    }

    public static void main(String[] args) throws Exception {
        Pipeline guarded = pipeline();
        Callable<Object> body = () -> "value";
        pollute();
        print("blocking", () -> guarded.call(body));
        CompletableFuture<Object> complete = CompletableFuture.completedFuture("value");
        Pipeline limited = Pipeline.of(Timeout.of(Duration.ofSeconds(2)), Timeout.of(Duration.ofSeconds(1)));
        print("blocking with timeouts", () -> limited.call(body));
        Pipeline adaptive = Pipeline.of(
                CircuitBreaker.adaptive().build(),
                CircuitBreaker.adaptive().slowAfter(Duration.ofSeconds(1)).build());
        print("blocking on evidence", () -> adaptive.call(body));
        Pipeline byHand = Pipeline.of(CircuitBreaker.withDefaults("by hand"), Bulkhead.of(16));
        print("by hand", () -> {
            try (Permit permit = byHand.admit()) {
                return permit.succeeded("value");
            }
        });
        print("complete stage", () -> guarded.callAsync(() -> complete));
        print("pending stage", () -> {
            CompletableFuture<Object> source = new CompletableFuture<>();
            CompletableFuture<Object> call = guarded.callAsync(() -> source);
            source.complete("value");
            return call;
        });
        print("pending stage without a guard", () -> {
            CompletableFuture<Object> source = new CompletableFuture<>();
            CompletableFuture<Object> call = source.handle((value, thrown) -> value);
            source.complete("value");
            return call;
        });
    }

    private static void pollute() throws Exception {
        IllegalStateException failure = new IllegalStateException();
        Pipeline other = Pipeline.of(
                CircuitBreaker.builder().consecutiveFailures(Integer.MAX_VALUE).build(),
                Retry.builder().attempts(1).build());
        Pipeline more = Pipeline.of(
                Bulkhead.of(1), CircuitBreaker.builder().countWindow(10).build());
        for (int i = 0; i < 50_000; i++) {
            int number = i;
            other.call(() -> number);
            more.run(() -> {});
            more.callAsync(() -> CompletableFuture.completedFuture(number));
            if (i % 1000 == 0) {
                try {
                    other.call(() -> {
                        throw failure;
                    });
                } catch (IllegalStateException expected) {
                    // what it is for
                }
            }
        }
    }

    private static void print(String kind, Callable<?> call) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 6; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.call();
            }
            best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println(kind + "=" + (double) best / CALLS);
    }
}
