package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opens when a rate over a window reaches its threshold.
 *
 * @param window makes an empty window at a given time
 * @param windowText the window in words
 * @param timed whether the window needs to know the time of an outcome
 * @param thresholds the rates
 * @param slowAfterNanos how long a call takes that is slow; 0: calls in flight are not watched
 */
record WindowRule(
        LongFunction<Window> window, String windowText, boolean timed, Thresholds thresholds, long slowAfterNanos)
        implements TripRule {

    @Override
    public Memory begin(long nowNanos) {
        return new WindowMemory(
                window.apply(nowNanos), slowAfterNanos > 0 ? new InFlight(slowAfterNanos, nowNanos) : null);
    }

    @Override
    public String describe() {
        return thresholds + " in " + windowText;
    }

    @Override
    public boolean watchesCallsInFlight() {
        return slowAfterNanos > 0;
    }

    @Override
    public boolean readsTime() {
        return timed || slowAfterNanos > 0;
    }

    private final class WindowMemory implements Memory {

        private final Window window;
        private final @Nullable InFlight inFlight;

        WindowMemory(Window window, @Nullable InFlight inFlight) {
            this.window = window;
            this.inFlight = inFlight;
        }

        @Override
        public boolean enter(long nowNanos) {
            if (inFlight == null || !inFlight.enter(nowNanos)) {
                return false;
            }
            long overdue = inFlight.overdue(nowNanos);
            return overdue > 0 && window.reaches(thresholds, overdue, nowNanos);
        }

        @Override
        public boolean record(Ending ending, long startNanos, long nowNanos) {
            if (inFlight != null) {
                inFlight.leave(startNanos);
            }
            if (!ending.isJudged()) {
                return false;
            }
            window.record(ending, nowNanos);
            return ending.isBad() && window.reaches(thresholds, overdue(nowNanos), nowNanos);
        }

        private long overdue(long nowNanos) {
            return inFlight == null ? 0 : inFlight.overdue(nowNanos);
        }

        @Override
        public Counts counts(long nowNanos) {
            return window.counts(overdue(nowNanos), nowNanos);
        }

        @Override
        public long inFlight() {
            return inFlight == null ? -1 : inFlight.total();
        }
    }
}
