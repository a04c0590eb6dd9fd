package io.nopanic.breaker;

import io.nopanic.time.Nanos;

/**
 * Probes after a number of refused calls: when R calls have been refused since the outage began, after {@code kappa * sqrt(R)} more, rounded up. So the j-th
 * probe goes out after about {@code (kappa * j / 2)^2} refused calls, and however long an outage turns out to last, the probes wasted on it and the calls refused for nothing
 * after it both grow with the square root of its calls only. Their costs are least, and the same, at {@code kappa = 2 * sqrt(c)}, where a failed probe is as
 * bad as c refused calls. It needs to know neither the call rate nor how long outages last.
 *
 * <p>A time from opening to probing that is the shortest bounds the probes of a busy breaker; one that is the longest lets a breaker without calls probe. Jitter
 * spreads both, and the number of calls, evenly over a share to both sides; at least one call is refused, or one nanosecond passes.
 */
record QuadraticSchedule(double kappa, long minNanos, long maxNanos, double jitter, long hintCapNanos)
        implements OpenSchedule {

    @Override
    public Period open(Outage outage, OpeningDraw draw) {
        double spread = 1 + jitter * (2 * draw.random() - 1);
        long floorNanos = Math.max((long) (minNanos * spread), Math.min(draw.hintNanos(), hintCapNanos));
        long capNanos = Math.max(1, Math.max((long) Math.min(maxNanos * spread, (double) Nanos.FOREVER), floorNanos));
        long before = outage.refused();
        long more = (long) Math.ceil(kappa * spread * Math.sqrt((double) Math.max(1, before)));
        return new CountingPeriod(outage, before, before + Math.max(1, more), floorNanos, capNanos);
    }

    /**
     * An open period that is over when enough calls have been refused. They are added up only after the shortest time, which on a busy breaker is hardly before it is over.
     *
     * @param before how many were refused in the outage before it
     * @param target how many have to be
     */
    private record CountingPeriod(Outage outage, long before, long target, long floorNanos, long capNanos)
            implements Period {

        @Override
        public boolean isOver(long elapsedNanos) {
            return elapsedNanos >= floorNanos && (elapsedNanos >= capNanos || outage.refused() >= target);
        }

        @Override
        public long remainingNanos(long elapsedNanos) {
            long refused = outage.refused();
            long earliestNanos = floorNanos - elapsedNanos;
            long latestNanos = capNanos - elapsedNanos;
            if (refused >= target) {
                return earliestNanos;
            }
            return refused == before
                    ? latestNanos
                    : Math.min(
                            latestNanos,
                            Math.max(Math.max(1, earliestNanos), ifCallsComeAsBefore(elapsedNanos, refused)));
        }

        private long ifCallsComeAsBefore(long elapsedNanos, long refused) {
            return (long) ((double) elapsedNanos * (target - refused) / (refused - before));
        }
    }

    @Override
    public long longestNanos() {
        return maxNanos;
    }

    @Override
    public String describe() {
        String text = "open for " + kappa + " x the root of the calls refused, from " + Nanos.toDuration(minNanos)
                + " to " + Nanos.toDuration(maxNanos);
        return jitter == 0 ? text : text + " +-" + Math.round(jitter * 100) + " %";
    }
}
