package io.example.consumer;

import io.nopanic.breaker.CircuitBreaker;
import io.nopanic.breaker.CircuitOpenException;
import io.nopanic.bulkhead.Bulkhead;
import io.nopanic.cache.Cache;
import io.nopanic.events.CircuitState;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.recorder.Recorder;
import io.nopanic.retry.Retry;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.timeout.Timeout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses each library a little, as a user would, and fails if anything is not as it should be. */
public final class Main {

    private Main() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        retriesUntilItWorks();
        opensAndRecoversInVirtualTime();
        guardsAsynchronousCalls();
        answersFromACache();
        writesDownItsCalls();
        boolean isModule = Main.class.getModule().isNamed();
        System.out.println("consumer: all is well, " + (isModule ? "as a module" : "on the class path"));
    }

    private static void retriesUntilItWorks() throws Exception {
        VirtualTime time = VirtualTime.create();
        AtomicInteger calls = new AtomicInteger();
        Pipeline pipeline = Pipeline.of(
                Retry.builder().attempts(3).time(time.time()).build(),
                Bulkhead.builder().maxConcurrent(1).time(time.time()).build(),
                Timeout.builder().after(Duration.ofSeconds(5)).time(time.time()).build());
        String answer = pipeline.call(() -> {
            if (calls.incrementAndGet() < 3) {
                throw new IOException("connection reset");
            }
            return "ok";
        });
        check(answer.equals("ok") && calls.get() == 3, "the third attempt answers");
    }

    private static void opensAndRecoversInVirtualTime() throws Exception {
        VirtualTime time = VirtualTime.create();
        CircuitBreaker breaker = CircuitBreaker.builder()
                .consecutiveFailures(1)
                .openFor(Duration.ofSeconds(30))
                .time(time.time())
                .build();
        Pipeline pipeline = Pipeline.of(breaker);
        thrown(
                IllegalStateException.class,
                () -> pipeline.run(() -> {
                    throw new IllegalStateException("down");
                }));
        check(breaker.state() == CircuitState.OPEN, "one failure opens it");
        CircuitOpenException refusal = thrown(CircuitOpenException.class, () -> pipeline.run(() -> {}));
        check(refusal.retryAfter().equals(Optional.of(Duration.ofSeconds(30))), "it says when to come back");
        time.advance(Duration.ofSeconds(30));
        check(pipeline.get(() -> "up").equals("up"), "a probe goes through");
        check(breaker.state() == CircuitState.CLOSED, "a good probe closes it");
    }

    private static void guardsAsynchronousCalls() throws Exception {
        Pipeline pipeline = Pipeline.of(CircuitBreaker.withDefaults("asynchronous"));
        check(pipeline.callAsync(() -> CompletableFuture.completedFuture(42)).get() == 42, "a future comes back");
    }

    private static <E extends Exception> E thrown(Class<E> type, Runnable code) {
        try {
            code.run();
        } catch (RuntimeException e) {
            return type.cast(e);
        }
        throw new AssertionError("not thrown: " + type);
    }

    private static void answersFromACache() throws Exception {
        VirtualTime time = VirtualTime.create();
        Cache<String, Integer> cache = Cache.<String, Integer>builder()
                .ttl(Duration.ofMinutes(1))
                .time(time.time())
                .build();
        AtomicInteger loads = new AtomicInteger();
        check(cache.get("a", loads::incrementAndGet) == 1, "a miss loads");
        check(cache.get("a", loads::incrementAndGet) == 1, "a hit does not");
        time.advance(Duration.ofMinutes(2));
        check(cache.get("a", loads::incrementAndGet) == 2, "what is too old is loaded anew");
    }

    private static void writesDownItsCalls() throws Exception {
        Path file = Files.createTempFile("consumer", ".jsonl");
        Pipeline pipeline = Pipeline.of(Bulkhead.of(1));
        try (Recorder recorder = Recorder.jsonl(file).build()) {
            pipeline.events().subscribe(recorder);
            pipeline.run(() -> {});
            recorder.flush();
            check(recorder.written() == 1 && recorder.lost() == 0, "a call is written down");
            check(Files.readString(file).contains("\"ok\":true"), "and that it succeeded");
        } finally {
            Files.delete(file);
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("does not hold: " + what);
        }
    }
}
