package io.nopanic.lab.replay;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * What there is to say about a log, whatever the policy.
 *
 * @param calls how many
 * @param failures those that failed, timeouts and slow ones included
 * @param timeouts those of them that did not answer in time
 * @param slowAfterNanos from which duration on an answered call counts as failed, if from any
 * @param slow the failures that are such calls
 * @param ignored those that say nothing about the dependency
 * @param unknownDurations those of which the log does not tell how long they took; they are taken to take no time
 * @param burstiness how failures cluster
 * @param latencies how long successful calls took, in nanoseconds
 * @param load what there was to carry
 * @param series calls and failures over time
 * @param healthy what happened outside of incidents, by key
 * @param incidents what happened in each incident
 */
public record LogFacts(
        long calls,
        long failures,
        long timeouts,
        OptionalLong slowAfterNanos,
        long slow,
        long ignored,
        long unknownDurations,
        Burstiness burstiness,
        Histogram latencies,
        Load load,
        Series series,
        List<Healthy> healthy,
        List<IncidentFacts> incidents) {

    /** The incidents with the most failures, as places in {@link #incidents}, in order of time. */
    public int[] worstIncidents(int most) {
        return IntStream.range(0, incidents.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer i) -> -incidents.get(i).failures()))
                .limit(most)
                .sorted(Comparator.comparingLong(i -> incidents.get(i).span().startNanos()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The calls outside of incidents, of all keys together. */
    public Healthy healthyOfAll() {
        return healthy.stream().reduce(new Healthy(0, 0), Healthy::plus);
    }

    /**
     * Calls outside of incidents.
     *
     * @param judged those that were not ignored
     * @param failures those of them that failed by what they answered, or did not; slow ones are not among them
     */
    public record Healthy(long judged, long failures) {

        private Healthy plus(Healthy other) {
            return new Healthy(judged + other.judged, failures + other.failures);
        }

        /** The failures as a share of those that were judged; 0 if none was. */
        public double failureRate() {
            return judged == 0 ? 0 : (double) failures / judged;
        }
    }

    /**
     * The variance of the failures in blocks of 100 calls, divided by their mean: 1 or a little less if failures are independent of each other.
     *
     * @param all over all calls
     * @param healthy over the calls outside of incidents
     * @param healthyBlocks from how many blocks that is
     */
    public record Burstiness(double all, double healthy, long healthyBlocks) {}

    /**
     * What there was to carry when all was well.
     *
     * @param latencies how long successful calls outside of incidents took, in nanoseconds
     * @param busiestMinuteCalls how many calls began in the busiest minute of the clock, incidents included
     * @param repeated calls that were not the first attempt
     */
    public record Load(Histogram latencies, long busiestMinuteCalls, long repeated) {}

    /**
     * One incident.
     *
     * @param span when it was
     * @param key with what, as a place in the keys of the log
     * @param calls that began in it
     * @param ignored those that say nothing about the dependency
     * @param failures those that failed
     * @param timeouts those of them that did not answer in time
     * @param slow those of them that answered, but too late
     */
    public record IncidentFacts(Span span, int key, long calls, long ignored, long failures, long timeouts, long slow) {

        /** The calls that say something about the dependency. */
        public long judged() {
            return calls - ignored;
        }

        /** Which share of these failed. */
        public double severity() {
            return judged() == 0 ? 0 : (double) failures / judged();
        }
    }

    /**
     * Counts in pieces of equal length.
     *
     * @param startNanos the begin of the first
     * @param bucketNanos the length of each
     * @param buckets calls and failures that began in each
     */
    public record Series(long startNanos, long bucketNanos, List<Bucket> buckets) {}

    /**
     * One piece of time.
     *
     * @param calls that began in it
     * @param failures those that failed
     */
    public record Bucket(long calls, long failures) {}
}
