package io.nopanic.engine;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.fallback.Fallback;
import io.nopanic.hedge.Hedge;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.ratelimit.AdaptiveRateLimiter;
import io.nopanic.ratelimit.RateLimiter;
import io.nopanic.retry.Retry;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Run in a JVM of its own by {@link ThreadsTest}: prints which threads there are after what. */
final class ThreadsProbe {

    private ThreadsProbe() {}

    public static void main(String[] args) throws Exception {
        Pipeline withoutTimer = Pipeline.of(
                Fallback.ofValue("instead"),
                Retry.ofAttempts(3),
                CircuitBreaker.withDefaults("probe"),
                RateLimiter.of(1000, Duration.ofSeconds(1)),
                AdaptiveRateLimiter.of(1000, Duration.ofSeconds(1)),
                Bulkhead.of(16));
        Pipeline withTimer = Pipeline.of(
                Timeout.of(Duration.ofSeconds(30)),
                Hedge.builder().delay(Duration.ofSeconds(20)).build(),
                Timeout.builder().after(Duration.ofSeconds(10)).abandon().build());
        print("after building");
        for (int i = 0; i < 100; i++) {
            withoutTimer.call(() -> "value");
            withoutTimer
                    .callAsync(() -> CompletableFuture.completedFuture("value"))
                    .join();
            CompletableFuture<String> source = new CompletableFuture<>();
            CompletableFuture<String> call = withoutTimer.callAsync(() -> source);
            source.complete("value");
            call.join();
        }
        print("after calls without a timer");
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> call = withTimer.callAsync(() -> source);
        Thread timer = threads().stream()
                .filter(thread -> thread.getName().equals("nopanic-timer"))
                .findFirst()
                .orElseThrow();
        System.out.println("with a timer: daemon=" + timer.isDaemon());
        source.complete("value");
        call.join();
        timer.join();
        print("when the timer has gone");
    }

    private static void print(String when) {
        System.out.println(when + ": "
                + threads().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("nopanic"))
                        .toList());
    }

    private static List<Thread> threads() {
        return List.copyOf(Thread.getAllStackTraces().keySet());
    }
}
