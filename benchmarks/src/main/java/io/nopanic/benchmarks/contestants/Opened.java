package io.nopanic.benchmarks.contestants;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Makes a breaker open as a dependency would: by failing. */
final class Opened {

    private static final int ENOUGH = 2 * Settings.MINIMUM_CALLS;

    private Opened() {}

    /** The guard, once it refuses. */
    static Guard of(Guard guard) {
        Callable<Object> failing = () -> {
            throw Work.FAILURE;
        };
        for (int i = 0; i < ENOUGH; i++) {
            try {
                Object answer = guard.call(failing);
                throw new IllegalStateException("a failing call returned " + answer);
            } catch (Work.Failure failure) {
                // not yet
            } catch (Exception refusal) {
                return guard;
            }
        }
        throw new IllegalStateException("the breaker did not open");
    }

    /** The guard, once it refuses. */
    static StagedGuard staged(StagedGuard guard) {
        Guard blocking = body -> failing(guard);
        var unused = of(blocking);
        return guard;
    }

    private static Object failing(StagedGuard guard) throws Exception {
        try {
            return guard.call(() -> CompletableFuture.failedFuture(Work.FAILURE))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
