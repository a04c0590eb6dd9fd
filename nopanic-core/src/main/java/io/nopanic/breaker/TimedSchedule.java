package io.nopanic.breaker;

import io.nopanic.time.Nanos;

/**
 * Stays open for a time that is fixed, or grows by a factor each time probing fails, up to a cap. Jitter spreads it evenly over a share
 * to both sides, within the cap, so that many clients do not probe at once. A hint of the dependency can lengthen the time, up
 * to a cap of its own.
 */
record TimedSchedule(long baseNanos, double factor, long capNanos, double jitter, long hintCapNanos)
        implements OpenSchedule {

    @Override
    public Period open(Outage outage, OpeningDraw draw) {
        // Math.pow overflows to infinity, which the cap takes care of.
        double grown = Math.min(baseNanos * Math.pow(factor, outage.failedProbings()), (double) capNanos);
        double shortest = grown * (1 - jitter);
        double longest = Math.min(grown * (1 + jitter), (double) capNanos);
        long ownNanos = (long) Math.max(1, shortest + (longest - shortest) * draw.random());
        long openNanos = Math.max(ownNanos, Math.min(draw.hintNanos(), hintCapNanos));
        return elapsedNanos -> openNanos - elapsedNanos;
    }

    @Override
    public long longestNanos() {
        return factor > 1 ? capNanos : baseNanos;
    }

    @Override
    public String describe() {
        String text = "open " + Nanos.toDuration(baseNanos);
        if (factor > 1) {
            text += " growing x" + factor + " up to " + Nanos.toDuration(capNanos);
        }
        return jitter == 0 ? text : text + " +-" + Math.round(jitter * 100) + " %";
    }
}
