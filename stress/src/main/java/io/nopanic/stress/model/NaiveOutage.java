package io.nopanic.stress.model;

/** What is known of an outage, and when it is time to probe: after a time, or after a number of refused calls. */
final class NaiveOutage {

    private final BreakerRules.Opening rules;
    long sinceNanos;
    long refused;
    int failedProbings;

    /** Of the current open period. */
    private long refusedBefore;

    /** So many calls have to be refused. */
    private long enough;

    /** Open for at least so long, and at most. */
    private long leastNanos;

    private long mostNanos;

    NaiveOutage(BreakerRules.Opening rules) {
        this.rules = rules;
    }

    void begin(long nowNanos) {
        sinceNanos = nowNanos;
        refused = 0;
        failedProbings = 0;
    }

    void open(long hintNanos) {
        refusedBefore = refused;
        long askedNanos = Math.min(hintNanos, rules.hintCapNanos());
        double jitter = rules.jitterEighths() / 8.0;
        if (rules.quadratic().used()) {
            double spread = 1 + jitter * (2 * rules.random() - 1);
            leastNanos = Math.max((long) (rules.quadratic().shortestNanos() * spread), askedNanos);
            mostNanos = Math.max(1, Math.max((long) (rules.quadratic().longestNanos() * spread), leastNanos));
            double more = rules.quadratic().kappaEighths() / 8.0 * spread * Math.sqrt((double) Math.max(1, refused));
            enough = refused + 1;
            while (enough - refused < more) {
                enough++;
            }
        } else {
            double grown =
                    Math.min(rules.baseNanos() * Math.pow(rules.factor(), failedProbings), (double) rules.capNanos());
            double shortest = grown - grown * jitter;
            double longest = Math.min(grown + grown * jitter, (double) rules.capNanos());
            long ownNanos = (long) (shortest + (longest - shortest) * rules.random());
            leastNanos = Math.max(Math.max(1, ownNanos), askedNanos);
            mostNanos = leastNanos;
            enough = refused;
        }
    }

    boolean isTimeToProbe(long elapsedNanos) {
        return elapsedNanos >= mostNanos || (refused >= enough && elapsedNanos >= leastNanos);
    }

    /** As if calls went on to come as they did since it opened. */
    long retryAfterNanos(long elapsedNanos) {
        long atLeastNanos = Math.max(0, leastNanos - elapsedNanos);
        if (refused >= enough) {
            return atLeastNanos;
        }
        long came = refused - refusedBefore;
        long untilEnoughNanos = came == 0 ? Long.MAX_VALUE : elapsedNanos * (enough - refused) / came;
        return Math.min(mostNanos - elapsedNanos, Math.max(1, Math.max(atLeastNanos, untilEnoughNanos)));
    }
}
