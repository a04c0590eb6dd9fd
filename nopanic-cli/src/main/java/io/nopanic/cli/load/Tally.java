package io.nopanic.cli.load;

/**
 * How calls ended.
 *
 * @param ok that succeeded
 * @param failed that failed
 * @param shortCircuited that the breaker refused
 */
record Tally(long ok, long failed, long shortCircuited) {

    static final Tally NONE = new Tally(0, 0, 0);

    Tally plus(Tally other) {
        return new Tally(ok + other.ok, failed + other.failed, shortCircuited + other.shortCircuited);
    }
}
