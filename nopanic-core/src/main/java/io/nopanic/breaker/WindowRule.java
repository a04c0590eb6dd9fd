package io.nopanic.breaker;

import io.nopanic.events.Counts;
import java.util.function.LongFunction;

/**
 * Opens when a rate over a window reaches its threshold.
 *
 * @param window makes an empty window at a given time
 * @param windowText the window in words
 * @param timed whether the window needs to know the time of an outcome
 * @param thresholds the rates
 * @param slowLimit how long a call takes that is slow; if none is, calls in flight are not watched
 */
record WindowRule(
        LongFunction<Window> window, String windowText, boolean timed, Thresholds thresholds, SlowLimit slowLimit)
        implements TripRule {

    @Override
    public Memory begin(long nowNanos) {
        Window empty = window.apply(nowNanos);
        return slowLimit.isSet()
                ? new WatchingMemory(empty, new InFlight(slowLimit, nowNanos))
                : new PlainMemory(empty);
    }

    @Override
    public String describe() {
        return thresholds + " in " + windowText;
    }

    @Override
    public int hangingCallsToOpen() {
        return thresholds.minimumCalls();
    }

    @Override
    public Timing timing() {
        return slowLimit.isSet() ? Timing.OF_CALLS : timed ? Timing.OF_ENDS : Timing.NEVER;
    }

    /** A window. */
    private record PlainMemory(Window window) implements Memory {

        @Override
        public void advance(long nowNanos) {
            window.advance(nowNanos);
        }

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            return ending.isJudged() && window.record(ending, nowNanos) && window.reaches(Overdue.NONE, nowNanos);
        }

        @Override
        public Counts counts(long nowNanos) {
            return window.counts(Overdue.NONE, nowNanos);
        }
    }

    /** A window and the calls in flight. */
    private record WatchingMemory(Window window, InFlight calls) implements Memory {

        @Override
        public boolean enter(int stripe, long nowNanos) {
            if (!calls.enter(stripe, nowNanos)) {
                return false;
            }
            try {
                return calls.overdue(nowNanos) > 0 && window.reaches(calls, nowNanos);
            } catch (Throwable thrown) {
                takeBack(stripe, nowNanos);
                throw thrown;
            }
        }

        @Override
        public void takeBack(int stripe, long startNanos) {
            calls.leave(stripe, startNanos);
        }

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            calls.leave(stripe, startNanos);
            if (!ending.isJudged()) {
                return false;
            }
            boolean looks = window.record(ending, nowNanos);
            return (looks || (ending.isBad() && calls.moreMayBeOverdue(nowNanos))) && window.reaches(calls, nowNanos);
        }

        @Override
        public Counts counts(long nowNanos) {
            return window.counts(calls, nowNanos);
        }

        @Override
        public long inFlight() {
            return calls.total();
        }
    }
}
