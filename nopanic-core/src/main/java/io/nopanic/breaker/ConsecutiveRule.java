package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens after a number of failures in a row, however long that takes. A success writes only if there is a run to end. */
record ConsecutiveRule(int failures) implements TripRule {

    @Override
    public Memory begin(long nowNanos) {
        return new Run();
    }

    @Override
    public String describe() {
        return failures + " failures in a row";
    }

    @Override
    public int hangingCallsToOpen() {
        return failures;
    }

    @Override
    public Timing timing() {
        return Timing.NEVER;
    }

    private final class Run implements Memory {

        private final AtomicInteger length = new AtomicInteger();

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            if (ending.isFailed()) {
                return length.incrementAndGet() >= failures;
            }
            if (ending.isJudged() && length.get() != 0) {
                length.set(0);
            }
            return false;
        }

        @Override
        public Counts counts(long nowNanos) {
            int run = length.get();
            return new Counts(run, run, 0, 0, run);
        }
    }
}
