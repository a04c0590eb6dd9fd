package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;
import java.util.Arrays;

/**
 * How often the calls of each key fail when nothing is wrong. A key with at least {@value io.nopanic.lab.replay.Survey.Criteria#OWN_CALLS} calls that were judged, in at least
 * {@value #LEAST_PIECES} pieces, has a rate of its own; else the rate of all calls together stands in. Not thread-safe.
 */
final class OrdinaryRates {

    /** To take a median of. */
    private static final int LEAST_PIECES = 9;

    private static final int MOST_PIECES_OF_ALL = 1 << 20;

    private final OrdinaryRate all = new OrdinaryRate(OrdinaryRate.MOST_PIECES);
    private final OrdinaryRate[] own;
    private final long[] judged;

    OrdinaryRates(int keys) {
        int pieces = Math.min(OrdinaryRate.MOST_PIECES, Math.max(64, MOST_PIECES_OF_ALL / Math.max(1, keys) / 2 * 2));
        own = new OrdinaryRate[keys > 1 ? keys : 0];
        Arrays.setAll(own, key -> new OrdinaryRate(pieces));
        judged = new long[own.length];
    }

    /** A call begins in this minute; minutes do not go back. */
    void add(int key, long inMinute, Ending ending) {
        all.add(inMinute, ending);
        if (own.length > 0 && ending != Ending.IGNORED) {
            own[key].add(inMinute, ending);
            judged[key]++;
        }
    }

    /** The rate of all calls together. */
    double ofAll() {
        return all.get();
    }

    /** Whether a key has a rate of its own. */
    boolean isOwn(int key) {
        return own.length > 0 && judged[key] >= Survey.Criteria.OWN_CALLS && own[key].pieces() >= LEAST_PIECES;
    }

    /** The rate to go by for each key. */
    double[] ofKeys(int keys) {
        double ofAll = ofAll();
        double[] rates = new double[keys];
        Arrays.setAll(rates, key -> isOwn(key) ? own[key].get() : ofAll);
        return rates;
    }
}
