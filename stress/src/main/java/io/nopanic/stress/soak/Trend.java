package io.nopanic.stress.soak;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The straight line through what is left over after each round (least squares), after the first third, in which code is compiled and pools fill.
 *
 * @param growth how much the line rises from the first to the last of these rounds
 * @param noise how far they lie from it: the standard deviation
 * @param calls how many calls were made in that time
 */
record Trend(double growth, double noise, long calls) {

    static Trend of(List<Round> all, ToDoubleFunction<Round> left) {
        List<Round> rounds = all.subList(all.size() / 3, all.size());
        double count = rounds.size();
        double meanX = rounds.stream().mapToDouble(Round::seconds).sum() / count;
        double meanY = rounds.stream().mapToDouble(left).sum() / count;
        double xy = 0;
        double xx = 0;
        for (Round each : rounds) {
            xy += (each.seconds() - meanX) * (left.applyAsDouble(each) - meanY);
            xx += (each.seconds() - meanX) * (each.seconds() - meanX);
        }
        double slope = xy / xx;
        double squares = 0;
        for (Round each : rounds) {
            double off = left.applyAsDouble(each) - meanY - slope * (each.seconds() - meanX);
            squares += off * off;
        }
        Round first = rounds.get(0);
        Round last = rounds.get(rounds.size() - 1);
        return new Trend(
                slope * (last.seconds() - first.seconds()), Math.sqrt(squares / count), last.calls() - first.calls());
    }

    /** Whether what grows is not more than is allowed and twice the noise. */
    boolean isFlat(double allowed) {
        return growth <= allowed + 2 * noise;
    }
}
