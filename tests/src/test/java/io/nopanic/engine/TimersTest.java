package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.hedge.Hedge;
import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import io.nopanic.timeout.Timeout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Timers of the machine's own time: they depend on nobody's threads, and nobody's code runs on theirs. */
@org.junit.jupiter.api.Timeout(60)
class TimersTest {

    private static final Duration SHORT = Duration.ofMillis(2);

    @Test
    void aContinuationThatBlocksDelaysNoOtherTimeout() throws Exception {
        Pipeline pipeline = Pipeline.of(Timeout.of(SHORT));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocking = new CountDownLatch(3);
        AtomicReference<String> thread = new AtomicReference<>();
        for (int i = 0; i < 3; i++) {
            // On a thread of its own: a continuation that comes too late runs on the thread that attaches it.
            daemon(() -> pipeline.callAsync(CompletableFuture::new).whenComplete((value, error) -> {
                thread.set(Thread.currentThread().getName());
                blocking.countDown();
                await(release);
            }));
        }
        blocking.await();
        assertThatThrownBy(() -> pipeline.callAsync(CompletableFuture::new).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutExceededException.class);
        assertThat(thread.get()).isNotEqualTo("nopanic-timer");
        release.countDown();
    }

    @Test
    void timeoutsFireThoughEveryThreadOfTheUsersPoolIsBusyOrThePoolIsShutDown() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Pipeline pipeline = Pipeline.of(Timeout.of(SHORT));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                busy.countDown();
                deaf(release);
            });
        }
        busy.await();
        CompletableFuture<Object> queued = pipeline.submit(() -> "never", pool);
        assertThatThrownBy(() -> queued.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutExceededException.class);
        CompletableFuture<Object> pending = pipeline.callAsync(CompletableFuture::new);
        pool.shutdownNow();
        assertThatThrownBy(() -> pending.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutExceededException.class);
        release.countDown();
    }

    @Test
    void aHedgeOfABlockingCallDoesNotQueueBehindTheOriginal() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Thread> original = new AtomicReference<>();
        CountDownLatch interrupted = new CountDownLatch(1);
        String answer = Pipeline.of(Hedge.builder().delay(SHORT).build()).call(() -> {
            if (original.compareAndSet(null, Thread.currentThread())) {
                try {
                    release.await();
                } finally {
                    interrupted.countDown();
                }
                return "original";
            }
            return "hedge";
        });
        assertThat(answer).isEqualTo("hedge");
        interrupted.await();
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private static Object deaf(CountDownLatch release) {
        boolean interrupted = false;
        while (true) {
            try {
                release.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
