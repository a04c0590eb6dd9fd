package io.nopanic.stress.soak;

import java.util.List;

/**
 * The straight line through the heap's use (least squares), after the first third, in which code is compiled and pools fill.
 *
 * @param growthBytes how much the line rises from the first to the last of these rounds
 * @param noiseBytes how far they lie from it: the standard deviation
 * @param calls how many calls were made in that time
 */
record Trend(double growthBytes, double noiseBytes, long calls) {

    /** So much may be left of things that only seem to grow; for millions of calls it is less than a byte each. */
    static final double ALLOWED_BYTES = 256 * 1024;

    static Trend of(List<Round> all) {
        List<Round> rounds = all.subList(all.size() / 3, all.size());
        double count = rounds.size();
        double meanX = rounds.stream().mapToDouble(Round::seconds).sum() / count;
        double meanY = rounds.stream().mapToDouble(Round::heapBytes).sum() / count;
        double xy = 0;
        double xx = 0;
        for (Round each : rounds) {
            xy += (each.seconds() - meanX) * (each.heapBytes() - meanY);
            xx += (each.seconds() - meanX) * (each.seconds() - meanX);
        }
        double slope = xy / xx;
        double squares = 0;
        for (Round each : rounds) {
            double off = each.heapBytes() - meanY - slope * (each.seconds() - meanX);
            squares += off * off;
        }
        Round first = rounds.get(0);
        Round last = rounds.get(rounds.size() - 1);
        return new Trend(
                slope * (last.seconds() - first.seconds()), Math.sqrt(squares / count), last.calls() - first.calls());
    }

    boolean isFlat() {
        return growthBytes <= ALLOWED_BYTES + 2 * noiseBytes;
    }
}
