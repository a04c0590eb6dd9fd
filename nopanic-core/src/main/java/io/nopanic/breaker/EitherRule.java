package io.nopanic.breaker;

import io.nopanic.events.Counts;

/** Opens when either of two rules would; shows what the first has counted. */
record EitherRule(TripRule first, TripRule second) implements TripRule {

    @Override
    public Memory begin(long nowNanos) {
        return new Both(first.begin(nowNanos), second.begin(nowNanos));
    }

    @Override
    public String describe() {
        return first.describe() + ", or " + second.describe();
    }

    @Override
    public int hangingCallsToOpen() {
        return Math.min(first.hangingCallsToOpen(), second.hangingCallsToOpen());
    }

    @Override
    public Timing timing() {
        return first.timing().compareTo(second.timing()) > 0 ? first.timing() : second.timing();
    }

    @Override
    public void recovered(long calls, long nanos) {
        first.recovered(calls, nanos);
        second.recovered(calls, nanos);
    }

    private record Both(Memory first, Memory second) implements Memory {

        @Override
        public boolean enter(int stripe, long nowNanos) {
            boolean firstOpens = first.enter(stripe, nowNanos);
            try {
                return second.enter(stripe, nowNanos) || firstOpens;
            } catch (Throwable thrown) {
                first.takeBack(stripe, nowNanos);
                throw thrown;
            }
        }

        @Override
        public void takeBack(int stripe, long startNanos) {
            first.takeBack(stripe, startNanos);
            second.takeBack(stripe, startNanos);
        }

        @Override
        public void advance(long nowNanos) {
            first.advance(nowNanos);
            second.advance(nowNanos);
        }

        @Override
        public boolean record(Ending ending, int stripe, long startNanos, long nowNanos) {
            boolean firstOpens;
            try {
                firstOpens = first.record(ending, stripe, startNanos, nowNanos);
            } catch (Throwable thrown) {
                second.takeBack(stripe, startNanos);
                throw thrown;
            }
            return second.record(ending, stripe, startNanos, nowNanos) || firstOpens;
        }

        @Override
        public Counts counts(long nowNanos) {
            return first.counts(nowNanos);
        }

        @Override
        public long inFlight() {
            return Math.max(first.inFlight(), second.inFlight());
        }
    }
}
