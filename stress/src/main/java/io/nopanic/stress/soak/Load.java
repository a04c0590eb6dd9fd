package io.nopanic.stress.soak;

import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Calls at full speed for a while, blocking and staged, and all of them ended when it returns. */
final class Load {

    static final int BLOCKING_THREADS = 6;
    static final int ELSEWHERE_THREADS = 2;
    static final int STAGED_THREADS = 3;
    static final int STAGED_IN_FLIGHT = 15;

    /** So long everything is well, and then for a while everything fails. */
    private static final long WELL_NANOS = 800_000_000;

    private static final long ILL_NANOS = 250_000_000;

    private final Guards guards;
    private final CountedTime time;
    private final SplittableRandom seeds = new SplittableRandom(1);
    final LongAdder calls = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    private volatile boolean stopped;

    Load(Guards guards, CountedTime time) {
        this.guards = guards;
        this.time = time;
    }

    /**
     * Runs for so long, then waits for all calls to end.
     *
     * @throws TimeoutException if they do not
     */
    void run(Duration duration) throws InterruptedException, TimeoutException {
        stopped = false;
        Phaser running = new Phaser(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < BLOCKING_THREADS; i++) {
            SplittableRandom random = seeds.split();
            Pipeline pipeline = i % 3 == 0 ? guards.limited : guards.blocking;
            threads.add(new Thread(() -> block(pipeline, random), "soak-blocking-" + i));
        }
        for (int i = 0; i < ELSEWHERE_THREADS; i++) {
            SplittableRandom random = seeds.split();
            threads.add(new Thread(() -> block(guards.elsewhere, random), "soak-elsewhere-" + i));
        }
        for (int i = 0; i < STAGED_THREADS; i++) {
            SplittableRandom random = seeds.split();
            Pipeline pipeline = i % 2 == 0 ? guards.limited : guards.staged;
            threads.add(new Thread(() -> stage(pipeline, random, running), "soak-staged-" + i));
        }
        threads.forEach(Thread::start);
        long endNanos = System.nanoTime() + duration.toNanos();
        while (endNanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(endNanos - System.nanoTime());
        }
        stopped = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            if (thread.isAlive()) {
                throw new TimeoutException(
                        thread.getName() + " does not come back: " + List.of(thread.getStackTrace()));
            }
        }
        running.awaitAdvanceInterruptibly(running.arrive(), 30, TimeUnit.SECONDS);
    }

    private static boolean isIll() {
        return Math.floorMod(System.nanoTime(), WELL_NANOS + ILL_NANOS) >= WELL_NANOS;
    }

    /** A failure that says when to come back. */
    private static final class Busy extends Exception implements HasRetryAfter {

        private static final long serialVersionUID = 1L;

        Busy() {
            super("busy", null, false, false);
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(Duration.ofMillis(1));
        }
    }

    // ---------------- blocking

    private void block(Pipeline pipeline, SplittableRandom random) {
        while (!stopped) {
            calls.increment();
            int dice = random.nextInt(1000);
            try {
                Object unused = pipeline.call(() -> answer(dice));
            } catch (Throwable expected) {
                // What came of it is told by events.
            }
            boolean unused = Thread.interrupted();
        }
    }

    /** Hangs rarely until it is interrupted; a call that was abandoned without that ends by itself. */
    private static Object answer(int dice) throws Exception {
        if (dice < 3) {
            LockSupport.parkNanos(50_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        } else if (dice < 30) {
            LockSupport.parkNanos(500_000);
        }
        if (dice > 980 || isIll()) {
            throw new Busy();
        }
        return "good";
    }

    // ---------------- staged

    private void stage(Pipeline pipeline, SplittableRandom random, Phaser running) {
        Semaphore places = new Semaphore(STAGED_IN_FLIGHT);
        while (!stopped) {
            places.acquireUninterruptibly();
            calls.increment();
            running.register();
            int dice = random.nextInt(1000);
            CompletableFuture<Object> call = pipeline.callAsync(() -> stageOf(dice));
            var unused = call.whenComplete((value, thrown) -> {
                places.release();
                running.arriveAndDeregister();
            });
            if (dice % 50 == 0 && call.cancel(true)) {
                cancelled.increment();
            }
        }
    }

    /** Answers at once, soon, or never unless cancelled; and sometimes not even then, but late. */
    private CompletionStage<Object> stageOf(int dice) {
        boolean stubborn = dice % 7 == 0;
        CompletableFuture<Object> answer = stubborn ? new Stubborn() : new CompletableFuture<>();
        if (dice >= 300 && !isIll()) {
            answer.complete("good");
        } else if (dice >= 20 || stubborn) {
            var unused = time.time.schedule(dice < 20 ? 20_000_000 : 300_000, () -> {
                if (dice % 10 == 1 || isIll()) {
                    answer.completeExceptionally(new Busy());
                } else {
                    answer.complete("good");
                }
            });
        }
        return answer;
    }

    private static final class Stubborn extends CompletableFuture<Object> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }
    }
}
