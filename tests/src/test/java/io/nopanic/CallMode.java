package io.nopanic;

import io.nopanic.outcome.Failures;
import io.nopanic.pipeline.Pipeline;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The ways to make one call, so that one scenario can be run in each. */
public enum CallMode {
    BLOCKING {
        @Override
        public Object call(Pipeline pipeline, Callable<?> code) throws Exception {
            return pipeline.call(code);
        }
    },
    COMPLETE_STAGE {
        @Override
        public Object call(Pipeline pipeline, Callable<?> code) throws Exception {
            return ended(pipeline.callAsync(() -> {
                CompletableFuture<Object> stage = new CompletableFuture<>();
                complete(stage, code);
                return stage;
            }));
        }
    },
    PENDING_STAGE {
        @Override
        public Object call(Pipeline pipeline, Callable<?> code) throws Exception {
            Queue<CompletableFuture<Object>> pending = new ArrayDeque<>();
            boolean[] answered = new boolean[1];
            CompletableFuture<Object> call = pipeline.callAsync(() -> {
                CompletableFuture<Object> stage = new CompletableFuture<>();
                if (answered[0]) {
                    // In the background, after the caller was answered.
                    complete(stage, code);
                } else {
                    pending.add(stage);
                }
                return stage;
            });
            while (!pending.isEmpty()) {
                complete(pending.remove(), code);
            }
            answered[0] = true;
            return ended(call);
        }
    };

    private static final long GUARD_SECONDS = 30;

    /** Makes the call and waits for its end; what it throws comes out without a wrapper of the mode's own. */
    public abstract Object call(Pipeline pipeline, Callable<?> code) throws Exception;

    private static void complete(CompletableFuture<Object> stage, Callable<?> code) {
        try {
            stage.complete(code.call());
        } catch (Throwable thrown) {
            stage.completeExceptionally(thrown);
        }
    }

    /** By way of {@code handle}, since {@code get} makes a cancellation anew on newer JDKs. */
    private static Object ended(CompletableFuture<Object> call) throws Exception {
        Callable<Object> end = call.<Callable<Object>>handle(
                        (value, thrown) -> thrown == null ? () -> value : failing(Failures.unwrap(thrown)))
                .get(GUARD_SECONDS, TimeUnit.SECONDS);
        return end.call();
    }

    /** Throws anything anywhere. */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> E sneaky(Throwable error) throws E {
        throw (E) error;
    }

    /** Code that throws this. */
    public static Callable<Object> failing(Throwable error) {
        return () -> {
            throw CallMode.<RuntimeException>sneaky(error);
        };
    }
}
