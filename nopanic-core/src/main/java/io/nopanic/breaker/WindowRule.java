package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
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

    private static final class WindowMemory implements Memory {

        private final Window window;
        private final @Nullable InFlight inFlight;
        private final LongUnaryOperator look;

        WindowMemory(Window window, @Nullable InFlight inFlight) {
            this.window = window;
            this.inFlight = inFlight;
            look = inFlight == null ? nowNanos -> 0 : inFlight::look;
        }

        @Override
        public boolean enter(long nowNanos) {
            return inFlight != null
                    && inFlight.enter(nowNanos)
                    && inFlight.overdue(nowNanos) > 0
                    && window.reaches(look, nowNanos);
        }

        @Override
        public boolean record(Ending ending, long startNanos, long nowNanos) {
            if (inFlight != null) {
                inFlight.leave(startNanos);
            }
            if (!ending.isJudged()) {
                return false;
            }
            boolean looks = window.record(ending, nowNanos);
            if (inFlight != null && ending.isBad() && inFlight.moreMayBeOverdue(nowNanos)) {
                looks = true;
            }
            return looks && window.reaches(look, nowNanos);
        }

        @Override
        public Counts counts(long nowNanos) {
            return window.counts(inFlight == null ? 0 : inFlight.overdue(nowNanos), nowNanos);
        }

        @Override
        public long inFlight() {
            return inFlight == null ? -1 : inFlight.total();
        }
    }
}
