package io.nopanic.cli.demo;

/**
 * One call as its caller saw it. Times count from the beginning of the run.
 *
 * @param outcome how it ended
 * @param startNanos when it was made
 * @param endNanos when it ended
 * @param lateNanos how much later than planned it was made
 */
record MadeCall(Outcome outcome, long startNanos, long endNanos, long lateNanos) {

    /** How a call ended. */
    enum Outcome {
        /** The dependency answered. */
        OK,
        /** The dependency failed. */
        FAILED,
        /** The breaker refused the call, and an answer from the cache stood in. */
        SHORT_CIRCUITED
    }

    long durationNanos() {
        return endNanos - startNanos;
    }
}
