package io.nopanic.benchmarks.contestants;

/** Takes the only permit of a limiter as a call does, where there is no other way. */
final class Emptied {

    private Emptied() {}

    /** The guard, once it refuses. */
    static Guard of(Guard guard) {
        try {
            guard.call(() -> Work.ANSWER);
        } catch (Exception e) {
            throw new IllegalStateException("a new limiter has no permit", e);
        }
        return guard;
    }
}
