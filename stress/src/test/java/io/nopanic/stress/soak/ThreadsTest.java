package io.nopanic.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ThreadsTest {

    private static final long SECOND_NANOS = 1_000_000_000;

    @Test
    void oneThatIsKeptIsSeenUntilItEnds() throws InterruptedException {
        Threads threads = new Threads();
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread kept = new Thread(() -> awaitCalmly(mayEnd), "kept");
        kept.start();
        assertThat(named("kept", threads.busy())).hasSize(1);
        mayEnd.countDown();
        kept.join();
        assertThat(named("kept", threads.all())).isEmpty();
    }

    @Test
    void oneThatWaitsInAPoolIsLeftButNotBusy() throws Exception {
        Threads threads = new Threads();
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "pooled"));
        try {
            pool.submit(() -> {}).get();
            assertThat(Threads.await(() -> named("pooled", threads.busy()), SECOND_NANOS))
                    .isEmpty();
            assertThat(named("pooled", threads.exceptIdle())).isEmpty();
            assertThat(named("pooled", threads.all())).hasSize(1);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void oneThatServesTheProcessMayStayForAWhileButNotTwo() throws InterruptedException {
        Threads threads = new Threads();
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread first = new Thread(() -> awaitCalmly(mayEnd), "nopanic-clock");
        Thread second = new Thread(() -> awaitCalmly(mayEnd), "nopanic-clock");
        first.start();
        assertThat(named("nopanic-clock", threads.busy())).isEmpty();
        assertThat(named("nopanic-clock", threads.exceptIdle())).hasSize(1);
        second.start();
        assertThat(named("nopanic-clock", threads.busy())).hasSize(1);
        mayEnd.countDown();
        first.join();
        second.join();
    }

    private static List<String> named(String name, List<String> texts) {
        return texts.stream().filter(text -> text.startsWith("thread " + name)).toList();
    }

    private static void awaitCalmly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
