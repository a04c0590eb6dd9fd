package io.nopanic.lab.tune;

import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.Ranking;

/**
 * A policy that was considered.
 *
 * @param result what it did with the log
 * @param entry what that cost, with the failure cost that was asked for
 * @param current whether it is the breaker that is in use, as it is
 */
public record Candidate(PolicyResult result, Ranking.Entry entry, boolean current) {

    /** Its name. */
    public String name() {
        return result.spec().name();
    }
}
