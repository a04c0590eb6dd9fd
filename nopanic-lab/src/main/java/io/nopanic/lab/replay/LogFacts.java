package io.nopanic.lab.replay;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What there is to say about a log, whatever the policy.
 *
 * @param calls how many
 * @param failures those that failed, timeouts included
 * @param timeouts those of them that did not answer in time
 * @param ignored those that say nothing about the dependency
 * @param unknownDurations those of which the log does not tell how long they took; they are taken to take no time
 * @param burstiness how failures cluster
 * @param latencies how long successful calls took, in nanoseconds
 * @param load what there was to carry
 * @param series calls and failures over time
 * @param incidents what happened in each incident
 */
public record LogFacts(
        long calls,
        long failures,
        long timeouts,
        long ignored,
        long unknownDurations,
        Burstiness burstiness,
        Histogram latencies,
        Load load,
        Series series,
        List<IncidentFacts> incidents) {

    /** How many failures began outside of incidents, as a share of the calls there that were judged; calls in incidents are all taken to be judged. */
    public double healthyFailureRate() {
        long callsInIncidents =
                incidents.stream().mapToLong(IncidentFacts::calls).sum();
        long failuresInIncidents =
                incidents.stream().mapToLong(IncidentFacts::failures).sum();
        long judged = calls - ignored - callsInIncidents;
        return judged <= 0 ? 0 : Math.max(0, (double) (failures - failuresInIncidents) / judged);
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
     * @param failures those that failed
     * @param timeouts those of them that did not answer in time
     */
    public record IncidentFacts(Span span, int key, long calls, long failures, long timeouts) {

        /** Which share of the calls failed. */
        public double severity() {
            return calls == 0 ? 0 : (double) failures / calls;
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
