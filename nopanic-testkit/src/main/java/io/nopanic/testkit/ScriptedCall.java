package io.nopanic.testkit;

import io.nopanic.time.Time;
import io.nopanic.time.Timer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call of a {@link ScriptedDependency} while it lasts. It ends once: by its script, by an answer from outside, or by being cancelled,
 * whichever comes first.
 */
final class ScriptedCall {

    private final ScriptedDependency dependency;
    private final Time time;
    private final int number;
    private final Script.Act act;

    /** Written under the dependency's lock, once. */
    private volatile Script.@Nullable End end;

    private volatile @Nullable Thread thread;
    private volatile @Nullable Promise promise;

    ScriptedCall(ScriptedDependency dependency, Time time, int number, Script.Act act) {
        this.dependency = dependency;
        this.time = time;
        this.number = number;
        this.act = act;
    }

    /** Ends the call from outside, if it lasts. */
    void answer(Script.End answer) {
        if (!endWith(answer)) {
            return;
        }
        Promise pending = promise;
        if (pending != null) {
            pending.end(answer);
        }
        LockSupport.unpark(thread);
    }

    /** Whether this was what ended it. */
    private boolean endWith(Script.End chosen) {
        return dependency.end(this, () -> end = chosen);
    }

    boolean hasEnded() {
        return end != null;
    }

    private Script.End scriptedEnd() {
        return act.end().apply(number);
    }

    // ----------------------------------------------------------------------------------------------------------
    // blocking

    /** Blocks for as long as the call takes. */
    @Nullable Object block() throws Exception {
        thread = Thread.currentThread();
        boolean interrupted = false;
        long startNanos = time.nanos();
        long leftNanos = act.takesNanos();
        while (leftNanos > 0 && !hasEnded()) {
            if (Thread.interrupted()) {
                if (!interrupted) {
                    dependency.countCancelled();
                }
                interrupted = true;
                if (act.heedsCancellation()) {
                    endWith(new Script.End(null, new InterruptedException("call " + number + " was interrupted")));
                    return result();
                }
            }
            time.park(dependency, leftNanos);
            leftNanos = act.hangs() ? leftNanos : act.takesNanos() - (time.nanos() - startNanos);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!hasEnded()) {
            endWith(scriptedEnd());
        }
        return result();
    }

    private @Nullable Object result() throws Exception {
        Script.End chosen = Objects.requireNonNull(end);
        Throwable error = chosen.error();
        if (error instanceof Error thrown) {
            throw thrown;
        }
        if (error instanceof Exception thrown) {
            throw thrown;
        }
        if (error != null) {
            throw new AssertionError("neither an Exception nor an Error", error);
        }
        return chosen.value();
    }

    // ------------------------------------------------------------------------------------------------------------
    // staged

    /** A stage that has ended already if the call takes no time, else one that ends later. */
    CompletableFuture<@Nullable Object> stage() {
        return act.takesNanos() == 0 ? complete() : pending();
    }

    private CompletableFuture<@Nullable Object> complete() {
        CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
        Script.End own = scriptedEnd();
        endWith(own);
        settle(stage, own);
        return stage;
    }

    /** A stage that ends later, by a timer, even if the call takes no time. */
    CompletableFuture<@Nullable Object> pending() {
        Promise pending = new Promise();
        promise = pending;
        if (!act.hangs()) {
            pending.timer = time.schedule(act.takesNanos(), () -> {
                Script.End own = scriptedEnd();
                if (endWith(own)) {
                    pending.end(own);
                }
            });
        }
        return pending;
    }

    private static void settle(CompletableFuture<@Nullable Object> stage, Script.End end) {
        if (end.error() == null) {
            stage.complete(end.value());
        } else {
            stage.completeExceptionally(end.error());
        }
    }

    private final class Promise extends CompletableFuture<@Nullable Object> {

        private volatile Timer.@Nullable Scheduled timer;

        void end(Script.End chosen) {
            forgetTimer();
            settle(this, chosen);
        }

        private void forgetTimer() {
            Timer.Scheduled armed = timer;
            if (armed != null) {
                armed.cancel();
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (isDone()) {
                return super.cancel(mayInterruptIfRunning);
            }
            dependency.countCancelled();
            if (!act.heedsCancellation()) {
                return false;
            }
            endWith(new Script.End(null, null));
            forgetTimer();
            return super.cancel(mayInterruptIfRunning);
        }

        /** Stages derived from this one are plain. */
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
