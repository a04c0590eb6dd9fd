package io.nopanic.stress.soak;

import io.nopanic.outcome.TimeoutExceededException;
import io.nopanic.pipeline.Pipeline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Calls at full speed for a while, blocking and staged, and all of them ended when it returns. */
final class Load {

    private static final int BLOCKING_THREADS = 6;
    private static final int ELSEWHERE_THREADS = 2;
    private static final int STAGED_THREADS = 3;
    private static final int WATCHED_THREADS = 2;
    private static final int STAGED_IN_FLIGHT = 15;

    /** A virtual thread that never waits lets others run so often. */
    private static final int CALLS_IN_A_TURN = 20;

    private final Guards guards;
    private final Answers answers;
    private final SplittableRandom seeds = new SplittableRandom(1);
    final LongAdder calls = new LongAdder();
    final LongAdder watchedCalls = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    private final LongAdder interruptedAfterwards = new LongAdder();
    private final LongAdder early = new LongAdder();
    private volatile boolean stopped;

    Load(Guards guards, CountedTime time) {
        this.guards = guards;
        answers = new Answers(time.time);
    }

    /** What has to be zero whenever one looks. */
    Map<String, Long> wrong() {
        Map<String, Long> wrong = new LinkedHashMap<>();
        wrong.put("calls whose thread was interrupted after their end", interruptedAfterwards.sum());
        wrong.put("timeouts before their time", early.sum());
        wrong.put("calls that should have been interrupted long ago", answers.overslept.sum());
        return wrong;
    }

    /**
     * Runs for so long, then waits for all calls to end.
     *
     * @throws TimeoutException if they do not
     */
    void run(Duration duration) throws InterruptedException, TimeoutException {
        stopped = false;
        Phaser running = new Phaser(1);
        Callers callers = new Callers();
        addGuarded(callers, running);
        guards.watched.forEach(watched -> addWatched(watched, callers, running));
        callers.start();
        long endNanos = System.nanoTime() + duration.toNanos();
        while (endNanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(endNanos - System.nanoTime());
        }
        stopped = true;
        callers.join();
        try {
            running.awaitAdvanceInterruptibly(running.arrive(), 30, TimeUnit.SECONDS);
        } catch (TimeoutException wedged) {
            throw new TimeoutException(running.getUnarrivedParties() + " asynchronous ones");
        }
    }

    private void addGuarded(Callers callers, Phaser running) {
        for (int i = 0; i < BLOCKING_THREADS; i++) {
            Pipeline pipeline = i % 3 == 0 ? guards.limited : guards.blocking;
            block(callers, "soak-blocking-" + i, pipeline, answers::guarded, calls);
        }
        for (int i = 0; i < ELSEWHERE_THREADS; i++) {
            block(callers, "soak-elsewhere-" + i, guards.elsewhere, answers::guarded, calls);
        }
        for (int i = 0; i < STAGED_THREADS; i++) {
            Pipeline pipeline = i % 2 == 0 ? guards.limited : guards.staged;
            SplittableRandom random = seeds.split();
            callers.add("soak-staged-" + i, () -> stage(pipeline, answers::guardedLater, random, running, calls));
        }
    }

    private void addWatched(Watched watched, Callers callers, Phaser running) {
        for (int i = 0; i < WATCHED_THREADS; i++) {
            block(callers, "soak-watched-" + i, watched.plain, answers::watched, watchedCalls);
        }
        block(callers, "soak-watched-elsewhere", watched.hedged, answers::watched, watchedCalls);
        SplittableRandom random = seeds.split();
        callers.add(
                "soak-watched-staged",
                () -> stage(watched.hedged, answers::watchedLater, random, running, watchedCalls));
    }

    // ---------------- blocking

    /** A dependency that is called on a thread. */
    private interface Dependency {

        Object answer(int die) throws Exception;
    }

    private void block(Callers callers, String name, Pipeline pipeline, Dependency dependency, LongAdder counted) {
        SplittableRandom random = seeds.split();
        callers.add(name, () -> block(pipeline, dependency, random, counted));
    }

    private void block(Pipeline pipeline, Dependency dependency, SplittableRandom random, LongAdder counted) {
        for (int i = 0; !stopped; i++) {
            counted.increment();
            int die = random.nextInt(Answers.SIDES);
            long startNanos = System.nanoTime();
            try {
                Object unused = pipeline.call(() -> dependency.answer(die));
            } catch (TimeoutExceededException timedOut) {
                checkTime(startNanos, timedOut);
            } catch (Throwable expected) {
                // What came of it is told by events.
            }
            if (Thread.interrupted()) {
                interruptedAfterwards.increment();
            }
            giveWay(i);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but who calls next
    private static void giveWay(int call) {
        if (call % CALLS_IN_A_TURN == 0) {
            Thread.yield();
        }
    }

    private void checkTime(long startNanos, TimeoutExceededException timedOut) {
        if (System.nanoTime() - startNanos < timedOut.timeout().toNanos()) {
            early.increment();
        }
    }

    // ---------------- staged

    private void stage(
            Pipeline pipeline,
            IntFunction<CompletionStage<Object>> dependency,
            SplittableRandom random,
            Phaser running,
            LongAdder counted) {
        Semaphore places = new Semaphore(STAGED_IN_FLIGHT);
        for (int i = 0; !stopped; i++) {
            places.acquireUninterruptibly();
            counted.increment();
            running.register();
            int die = random.nextInt(Answers.SIDES);
            long startNanos = System.nanoTime();
            CompletableFuture<Object> call = pipeline.callAsync(() -> dependency.apply(die));
            var unused = call.whenComplete((value, thrown) -> {
                if (thrown instanceof TimeoutExceededException timedOut) {
                    checkTime(startNanos, timedOut);
                }
                places.release();
                running.arriveAndDeregister();
            });
            if (die % 50 == 0 && call.cancel(true)) {
                cancelled.increment();
            }
            giveWay(i);
        }
    }
}
