package io.nopanic.lab.replay;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a policy responded to incidents, all of them together. Incidents in which there were no calls are left out.
 *
 * @param incidents how many there were
 * @param detected how many made it open
 * @param alreadyOpen how many began when it was not closed
 * @param missed how many did neither
 * @param delayNanos how long after the beginning of a detected incident it opened
 * @param delayCalls how many calls of the incident had begun by then
 * @param recoveryNanos how long after the end of an incident it closed, if it was not closed then
 */
public record Reaction(
        int incidents,
        int detected,
        int alreadyOpen,
        int missed,
        Quantiles delayNanos,
        Quantiles delayCalls,
        Quantiles recoveryNanos) {

    private static final double HIGH = 0.9;

    /**
     * Two quantiles: the smallest values that so many are not above.
     *
     * @param count of how many values
     * @param median half; NaN if there are none
     * @param p90 nine in ten
     */
    public record Quantiles(int count, double median, double p90) {

        static Quantiles of(long[] values) {
            long[] sorted = values.clone();
            Arrays.sort(sorted);
            return new Quantiles(sorted.length, quantile(sorted, 0.5), quantile(sorted, HIGH));
        }

        private static double quantile(long[] sorted, double share) {
            return sorted.length == 0 ? Double.NaN : (double) sorted[(int) Math.ceil(share * sorted.length) - 1];
        }
    }

    static Reaction of(List<LogFacts.IncidentFacts> incidents, Responses responses) {
        int[] withCalls = IntStream.range(0, incidents.size())
                .filter(i -> incidents.get(i).calls() > 0)
                .toArray();
        int[] detected = Arrays.stream(withCalls).filter(responses::isDetected).toArray();
        int alreadyOpen =
                (int) Arrays.stream(withCalls).filter(responses::isAlreadyOpen).count();
        return new Reaction(
                withCalls.length,
                detected.length,
                alreadyOpen,
                withCalls.length - detected.length - alreadyOpen,
                Quantiles.of(
                        Arrays.stream(detected).mapToLong(responses::delayNanos).toArray()),
                Quantiles.of(
                        Arrays.stream(detected).mapToLong(responses::delayCalls).toArray()),
                Quantiles.of(Arrays.stream(withCalls)
                        .mapToLong(responses::recoveryNanos)
                        .filter(nanos -> nanos >= 0)
                        .toArray()));
    }
}
