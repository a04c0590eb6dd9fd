package io.nopanic.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DefaultExecutorsTest {

    private final Executor executor = DefaultExecutors.blocking();

    @Test
    void isOneForTheWholeProcessThatCannotBeShutDown() {
        assertThat(DefaultExecutors.blocking()).isSameAs(executor).isNotInstanceOf(ExecutorService.class);
    }

    @Test
    void startsEveryTaskAtOnceHoweverManyAreRunning() throws Exception {
        int tasks = 100;
        CountDownLatch allRun = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            executor.execute(() -> {
                allRun.countDown();
                await(allRun);
            });
        }

        assertThat(allRun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void runsTasksOnDaemonThreads() throws Exception {
        LinkedBlockingQueue<Boolean> daemon = new LinkedBlockingQueue<>();
        executor.execute(() -> daemon.add(Thread.currentThread().isDaemon()));

        assertThat(daemon.poll(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTaskThatThrowsHarmsNoOther() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        executor.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
            throw new IllegalStateException("of a task");
        });
        executor.execute(ran::countDown);

        assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
