package io.nopanic.benchmarks.contestants;

import java.util.concurrent.Callable;

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
}
