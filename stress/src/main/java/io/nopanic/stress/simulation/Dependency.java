package io.nopanic.stress.simulation;

import io.nopanic.outcome.HasRetryAfter;
import io.nopanic.stress.script.Tally;
import io.nopanic.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What is called: answers at once, soon, late, or after an hour, in every way that a dependency has. */
final class Dependency {

    static final long HANG_NANOS = Duration.ofHours(1).toNanos();
    private static final long MILLI = 1_000_000;

    private final Clockwork clock;
    private final SplittableRandom random;
    private final Tally tally;
    private int calls;
    int running;

    /** How likely faults are now, of 100. */
    int faults = 20;

    Dependency(Clockwork clock, SplittableRandom random, Tally tally) {
        this.clock = clock;
        this.random = random;
        this.tally = tally;
    }

    /** A failure that knows when to come back. */
    static final class Busy extends Exception implements HasRetryAfter {

        private static final long serialVersionUID = 1L;
        private final long hintNanos;

        Busy(String message, long hintNanos) {
            super(message, null, false, false);
            this.hintNanos = hintNanos;
        }

        @Override
        public Optional<Duration> retryAfter() {
            if (hintNanos % 5 == 0) {
                throw new IllegalStateException("does not know either");
            }
            return Optional.of(Duration.ofNanos(hintNanos));
        }
    }

    /** An error of somebody's own. */
    private static final class Fault extends Error {

        private static final long serialVersionUID = 1L;

        Fault(String message) {
            super(message, null, false, false);
        }
    }

    /** What the next call will come to. */
    private record Fate(String value, @Nullable Throwable error, long delayNanos, boolean stubborn) {}

    private Fate draw() {
        String name = "call " + calls++;
        long delayNanos = switch (random.nextInt(10)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextInt(20) == 0 ? HANG_NANOS : 300 * MILLI;
            case 4 -> random.nextLong(200 * MILLI);
            default -> random.nextLong(20 * MILLI);
        };
        if (delayNanos == HANG_NANOS) {
            tally.count("dependency: hangs");
        }
        boolean stubborn = random.nextInt(6) == 0;
        if (random.nextInt(100) >= faults) {
            return new Fate(random.nextInt(20) == 0 ? "bad" : "good", null, delayNanos, stubborn);
        }
        return new Fate(name, error(name), delayNanos, stubborn);
    }

    private Throwable error(String name) {
        return switch (random.nextInt(8)) {
            case 0 -> new Busy(name + " is busy", random.nextLong(500 * MILLI));
            case 1 -> new TimeoutException(name + " took too long");
            case 2 -> new IllegalArgumentException(name + " is the caller's fault");
            case 3 -> fault(name + " is an Error");
            default -> new IllegalStateException(name + " failed");
        };
    }

    private Error fault(String message) {
        return switch (random.nextInt(4)) {
            case 0 -> new AssertionError(message);
            case 1 -> new StackOverflowError(message);
            case 2 -> new NoClassDefFoundError(message);
            default -> new Fault(message);
        };
    }

    // ---------------- staged

    /** The code of a staged call. Rarely it throws in place of a stage, or returns none. */
    CompletionStage<Object> stage() {
        Fate fate = draw();
        if (fate.error != null && random.nextInt(10) == 0) {
            tally.count("dependency: throws in place of a stage");
            throw sneaky(fate.error);
        }
        if (random.nextInt(200) == 0) {
            tally.count("dependency: no stage");
            return nothing();
        }
        Answer answer = new Answer(fate.stubborn);
        running++;
        var unusedCount = answer.whenComplete((value, thrown) -> running--);
        if (fate.delayNanos == 0) {
            answer.end(fate);
        } else {
            Timer.Scheduled ending = clock.time.schedule(fate.delayNanos, () -> answer.end(fate));
            var unused = answer.whenComplete((value, thrown) -> ending.cancel());
        }
        return answer;
    }

    @SuppressWarnings("NullAway") // what a faulty caller does
    private static CompletionStage<Object> nothing() {
        return null;
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable error) throws X {
        throw (X) error;
    }

    private static final class Answer extends CompletableFuture<Object> {

        private final boolean stubborn;

        Answer(boolean stubborn) {
            this.stubborn = stubborn;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !stubborn && super.cancel(mayInterruptIfRunning);
        }

        void end(Fate fate) {
            if (fate.error == null) {
                complete(fate.value);
            } else {
                completeExceptionally(fate.error);
            }
        }
    }

    // ---------------- blocking

    /** The code of a blocking call. */
    Object call() throws Exception {
        Fate fate = draw();
        running++;
        try {
            long endNanos = clock.nanos() + fate.delayNanos;
            while (endNanos - clock.nanos() > 0) {
                clock.time.park(this, endNanos - clock.nanos());
                if (Thread.interrupted()) {
                    tally.count("dependency: interrupted");
                    if (!fate.stubborn) {
                        throw new InterruptedException();
                    }
                }
            }
        } finally {
            running--;
        }
        if (fate.error != null) {
            throw sneaky(fate.error);
        }
        return fate.value;
    }
}
