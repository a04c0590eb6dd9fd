package io.nopanic.lab.replay;

import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How often calls fail when nothing is wrong: the median over pieces of the log. A piece is at least a minute and has at least {@value #LEAST_CALLS} calls that were
 * judged.
 *
 * <p>In a piece with few failures the share of them says little: at 1 % the half of all pieces of 50 calls have none. So each piece is taken to have one
 * failure more; because the median of a Poisson distribution is less than 1 below its mean, the median over such pieces does not come out below the true rate but for
 * chance, and comes out the less above it the longer they are. It is taken for pieces of each length, from the shortest to the whole log, and
 * the least counts.
 *
 * <p>If that is above {@value #MOST}, then most of the log is not ordinary, and it is the lowest tenth of the shortest pieces that counts, and at most
 * {@value #MOST}. Constant size. Not thread-safe.
 */
final class OrdinaryRate {

    /** What fails more often than this is not ordinary. */
    static final double MOST = 0.2;

    private static final int LEAST_CALLS = 100;
    /** How many pieces are kept apart; an even number. */
    static final int MOST_PIECES = 8192;

    private static final double MEDIAN = 0.5;
    private static final double LOW = 0.1;

    private final int mostPieces;
    private List<Piece> pieces = new ArrayList<>();
    private long leastCalls = LEAST_CALLS;
    private long leastMinutes = 1;
    private long firstMinute = Long.MIN_VALUE;
    private long calls;
    private long failures;

    OrdinaryRate(int mostPieces) {
        this.mostPieces = mostPieces;
    }

    private record Piece(long calls, long failures) {

        double rate() {
            return Math.min(1, (failures + 1.0) / calls);
        }

        Piece plus(Piece other) {
            return new Piece(calls + other.calls, failures + other.failures);
        }
    }

    /** A call begins in this minute; minutes do not go back. */
    void add(long inMinute, Ending ending) {
        if (ending == Ending.IGNORED) {
            return;
        }
        if (calls >= leastCalls && inMinute >= firstMinute + leastMinutes) {
            close();
        }
        firstMinute = calls == 0 ? inMinute : firstMinute;
        calls++;
        failures += ending.isFailed() ? 1 : 0;
    }

    private void close() {
        pieces.add(new Piece(calls, failures));
        calls = 0;
        failures = 0;
        if (pieces.size() == mostPieces) {
            pieces = inPairs(pieces);
            leastCalls *= 2;
            leastMinutes *= 2;
        }
    }

    /** Two that follow each other become one; one that is left over at the end goes to the last. */
    private static List<Piece> inPairs(List<Piece> all) {
        List<Piece> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < all.size(); i += 2) {
            Piece pair = all.get(i).plus(all.get(i + 1));
            pairs.add(i + 3 == all.size() ? pair.plus(all.get(i + 2)) : pair);
        }
        return pairs;
    }

    /** How many pieces there are so far, in the shortest lengths. */
    int pieces() {
        return pieces.size();
    }

    /** The rate, 0 to {@value #MOST}; 0 if there were no calls that were judged. */
    double get() {
        List<Piece> shortest = new ArrayList<>(pieces);
        if (calls > 0) {
            Piece rest = new Piece(calls, failures);
            boolean isOwn = calls >= leastCalls || shortest.isEmpty();
            shortest.add(isOwn ? rest : shortest.remove(shortest.size() - 1).plus(rest));
        }
        if (shortest.isEmpty()) {
            return 0;
        }
        double least = 1;
        for (List<Piece> each = shortest; !each.isEmpty(); each = inPairs(each)) {
            least = Math.min(least, quantile(each, MEDIAN));
        }
        return least > MOST ? Math.min(MOST, quantile(shortest, LOW)) : least;
    }

    private static double quantile(List<Piece> all, double share) {
        List<Piece> sorted =
                all.stream().sorted(Comparator.comparingDouble(Piece::rate)).toList();
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1).rate();
    }
}
