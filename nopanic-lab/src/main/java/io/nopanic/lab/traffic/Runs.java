package io.nopanic.lab.traffic;

/**
 * Failures that come in runs: in the bad state every call fails, in the good state none does. Runs have a geometric length with the given mean, and their
 * beginnings are such that on average the given share of the calls fails (Gilbert, 1960). Not thread-safe.
 */
final class Runs {

    private final double enter;
    private final double leave;
    private final double share;
    private boolean bad;

    Runs(double share, double meanCalls) {
        this.share = share;
        leave = 1 / meanCalls;
        enter = share >= 1 ? 1 : Math.min(1, leave * share / (1 - share));
    }

    /** Whether the next call fails. */
    boolean next(Draws draws) {
        if (leave == 1) {
            return draws.chance(share);
        }
        bad = draws.chance(bad ? 1 - leave : enter);
        return bad;
    }
}
