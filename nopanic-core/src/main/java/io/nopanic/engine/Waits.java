package io.nopanic.engine;

import io.nopanic.outcome.Failures;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** How calls wait: a blocking one by parking its thread, a staged one by parking itself. */
final class Waits {

    private Waits() {}

    /** A thread that waits. */
    record Parked(Thread thread) implements Waiter {
        @Override
        public void wake() {
            LockSupport.unpark(thread);
        }
    }

    /** Wakes a waiter that a policy named, if it did. */
    static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake();
        }
    }

    /** Blocks until {@code delayNanos} have passed. */
    static void sleep(Time time, Object blocker, long delayNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Time exact = time.exact();
        long startNanos = exact.nanos();
        long remainingNanos = delayNanos;
        while (remainingNanos > 0) {
            exact.park(blocker, remainingNanos);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            remainingNanos = delayNanos - (exact.nanos() - startNanos);
        }
    }

    /**
     * Blocks until a stage has ended.
     *
     * @param limitNanos the longest wait
     * @return whether it has ended
     */
    static boolean awaitEnd(Time time, CompletionStage<?> stage, long limitNanos) throws InterruptedException {
        if (isPlainFuture(stage) && ((CompletableFuture<?>) stage).isDone()) {
            return true;
        }
        End end = new End(Thread.currentThread());
        whenEnded(stage, (value, thrown) -> end.arrived());
        Time exact = time.exact();
        long startNanos = exact.nanos();
        while (!end.arrived) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long remainingNanos = limitNanos - (exact.nanos() - startNanos);
            if (remainingNanos <= 0) {
                return false;
            }
            exact.park(stage, Math.min(remainingNanos, Nanos.FOREVER));
        }
        return true;
    }

    /** Blocks until a stage has ended and returns its value or throws its error, unwrapped. */
    static @Nullable Object join(Time time, CompletionStage<?> stage) throws Exception {
        awaitEnd(time, stage, Long.MAX_VALUE);
        return ended(stage.toCompletableFuture());
    }

    /** The value or the error, unwrapped but otherwise as it is, of a future that has ended. */
    static <T> T ended(CompletableFuture<T> future) throws Exception {
        // Asking by get() or join() would put another exception around a cancellation, on some versions of Java.
        Ended<T> ended = future.handle(Ended::new).join();
        if (ended.error() != null) {
            throw Failures.rethrow(Failures.unwrap(ended.error()));
        }
        return ended.value();
    }

    private record Ended<T>(T value, @Nullable Throwable error) {}

    /** Whether a stage can be asked if it is done. Other subclasses may refuse to tell, as minimal stages do. */
    static boolean isPlainFuture(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class || stage instanceof Work;
    }

    /** Tells {@code then} when a stage has ended. Unlike with {@code whenComplete}, no exception is made to wrap one. */
    static <T> void whenEnded(
            CompletionStage<T> stage, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> then) {
        attach(stage, (value, thrown) -> {
            then.accept(value, thrown);
            return null;
        });
    }

    /** The same without an object in between; what {@code then} returns goes to nobody. */
    @SuppressWarnings("FutureReturnValueIgnored") // the derived stage has nobody to tell
    static <T> void attach(
            CompletionStage<T> stage,
            BiFunction<? super @Nullable T, @Nullable Throwable, ? extends @Nullable Object> then) {
        stage.handle(then);
    }

    /** Attaches a staged call to a stage, and parks it until that has ended. */
    static Stage.Move await(StagedCall<?> call, CompletionStage<?> stage) {
        return call.arrives(stage) ? Stage.Move.OUT : parkUntilArrived(call);
    }

    /** Parks a staged call until the stage it is attached to has ended. */
    static Stage.Move parkUntilArrived(StagedCall<?> call) {
        while (!call.hasArrived()) {
            if (call.park(Nanos.FOREVER)) {
                return Stage.Move.PARKED;
            }
        }
        return Stage.Move.OUT;
    }

    private static final class End {

        private final Thread thread;
        private volatile boolean arrived;

        End(Thread thread) {
            this.thread = thread;
        }

        void arrived() {
            arrived = true;
            LockSupport.unpark(thread);
        }
    }
}
