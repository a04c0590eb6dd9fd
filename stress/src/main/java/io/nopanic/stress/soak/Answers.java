package io.nopanic.stress.soak;

import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** What the dependency does, by the throw of a die: nearly always it answers at once. From time to time it is ill for a while. */
final class Answers {

    /** A die has so many sides. */
    static final int SIDES = 100_000;

    /** So long everything is well, and then for a while everything fails. */
    private static final long WELL_NANOS = 800_000_000;

    private static final long ILL_NANOS = 250_000_000;

    /** So long something that is to be interrupted after some milliseconds waits for that. */
    private static final long OVERSLEPT_NANOS = 2_000_000_000;

    /** How often that was in vain. */
    final LongAdder overslept = new LongAdder();

    private final Time time;

    Answers(Time time) {
        this.time = time;
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

    /** Hangs rarely until it is interrupted; a call that was abandoned without that ends by itself. */
    Object guarded(int die) throws Exception {
        int share = die / 100;
        if (share < 3) {
            LockSupport.parkNanos(50_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        } else if (share < 30) {
            LockSupport.parkNanos(500_000);
        }
        if (share > 980 || isIll()) {
            throw new Busy();
        }
        return "good";
    }

    /**
     * Hangs very rarely until it is interrupted; and takes so long, a little more often, that a watchdog meets it twice. When it is ill it is only slow, so that
     * permits are saved up.
     */
    Object watched(int die) throws Exception {
        if (die < 20) {
            sleep(OVERSLEPT_NANOS);
            overslept.increment();
        } else if (die < 60) {
            sleep(12_000_000);
        } else if (die < 300) {
            sleep(500_000);
        } else if (isIll()) {
            sleep(50_000);
        }
        return "good";
    }

    private static void sleep(long nanos) throws InterruptedException {
        long startNanos = System.nanoTime();
        for (long restNanos = nanos; restNanos > 0; restNanos = nanos - (System.nanoTime() - startNanos)) {
            LockSupport.parkNanos(restNanos);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    // ---------------- staged

    /** Answers at once, soon, or never unless cancelled; and sometimes not even then, but late. */
    CompletionStage<Object> guardedLater(int die) {
        int share = die / 100;
        boolean stubborn = share % 7 == 0;
        CompletableFuture<Object> answer = stubborn ? new Stubborn() : new CompletableFuture<>();
        if (share >= 300 && !isIll()) {
            answer.complete("good");
        } else if (share >= 20 || stubborn) {
            var unused = time.schedule(share < 20 ? 20_000_000 : 300_000, () -> {
                if (share % 10 == 1 || isIll()) {
                    answer.completeExceptionally(new Busy());
                } else {
                    answer.complete("good");
                }
            });
        }
        return answer;
    }

    /** The same, but very rarely never and a little more often so late that a watchdog meets it twice. */
    CompletionStage<Object> watchedLater(int die) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        if (die >= 5_000) {
            answer.complete("good");
        } else if (die >= 100) {
            var unused = time.schedule(die < 300 ? 12_000_000 : 300_000, () -> answer.complete("good"));
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
