package io.nopanic.testkit;

import io.nopanic.outcome.Failures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A guarded call that was started; see {@link Guarded#start()}. Thread-safe. */
public final class GuardedCall {

    private final VirtualTime time;
    private final Runnable canceller;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    private GuardedCall(VirtualTime time, Runnable canceller) {
        this.time = time;
        this.canceller = canceller;
    }

    /** A blocking call, on a thread that the time follows. */
    static GuardedCall onThread(VirtualTime time, Supplier<Answer> blocking) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        GuardedCall call = new GuardedCall(time, () -> thread.join().interrupt());
        time.threads().execute(() -> {
            thread.complete(Thread.currentThread());
            call.answer.complete(blocking.get());
        });
        time.settle();
        return call;
    }

    /** An asynchronous call. */
    static GuardedCall ofStage(VirtualTime time, Supplier<CompletableFuture<@Nullable Object>> starter) {
        Duration start = time.elapsed();
        CompletableFuture<@Nullable Object> stage = starter.get();
        GuardedCall call = new GuardedCall(time, () -> stage.cancel(true));
        CompletionStage<?> unused = stage.whenComplete((value, thrown) -> call.answer.complete(new Answer(
                value,
                thrown == null ? null : Failures.unwrap(thrown),
                time.elapsed().minus(start))));
        return call;
    }

    /** Whether the call has ended. */
    public boolean isDone() {
        return answer.isDone();
    }

    /** Gives the call up: interrupts its thread, or cancels its future. */
    public void cancel() {
        canceller.run();
        time.settle();
    }

    /**
     * How the call ended. If it has not, the clock is moved until it has.
     *
     * @throws IllegalStateException if nothing is left to happen that could end it
     */
    public Answer answer() {
        time.advanceUntil(answer::isDone);
        return answer.join();
    }
}
