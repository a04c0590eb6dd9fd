package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.call.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Counts what there is to say about a log. Constant size but for the incidents. Not thread-safe. */
final class FactsCollector {

    private static final int BUCKETS = 1000;

    private final Incidents incidents;
    private final LoadCollector load = new LoadCollector();
    private final HundredCalls all = new HundredCalls();
    private final HundredCalls healthy = new HundredCalls();
    private final OptionalLong slowAfterNanos;
    private final long beginNanos;
    private final long bucketNanos;
    private final long[] callsOfBucket;
    private final long[] failuresOfBucket;
    private final long[] callsOfBlock;
    private final long[] callsOf;
    private final long[] ignoredOf;
    private final long[] failuresOf;
    private final long[] timeoutsOf;
    private final long[] slowOf;
    private final long[] judgedOfKey;
    private final long[] failuresOfKey;
    private long calls;
    private long failures;
    private long timeouts;
    private long slow;
    private long ignored;
    private long unknownDurations;

    FactsCollector(CallLog log, Survey survey, int blocks) {
        slowAfterNanos = log.slowAfterNanos();
        int keys = log.keys().size();
        incidents = survey.incidents();
        beginNanos = survey.whole().startNanos();
        bucketNanos = 1 + (Math.max(1, survey.whole().lengthNanos()) - 1) / BUCKETS;
        callsOfBucket = new long[BUCKETS];
        failuresOfBucket = new long[BUCKETS];
        callsOfBlock = new long[blocks];
        callsOf = new long[incidents.count()];
        ignoredOf = new long[incidents.count()];
        failuresOf = new long[incidents.count()];
        timeoutsOf = new long[incidents.count()];
        slowOf = new long[incidents.count()];
        judgedOfKey = new long[keys];
        failuresOfKey = new long[keys];
    }

    void add(CallCursor call, int incident, int block) {
        Ending ending = call.ending();
        long durationNanos = call.durationNanos();
        int bucket = (int) Math.min(BUCKETS - 1, (call.startNanos() - beginNanos) / bucketNanos);
        calls++;
        callsOfBlock[block]++;
        callsOfBucket[bucket]++;
        unknownDurations += durationNanos == CallCursor.UNKNOWN ? 1 : 0;
        load.add(call, incident == Incidents.NONE);
        if (incident != Incidents.NONE) {
            callsOf[incident]++;
        }
        if (ending == Ending.IGNORED) {
            ignored++;
            if (incident != Incidents.NONE) {
                ignoredOf[incident]++;
            }
            return;
        }
        boolean failed = ending.isFailed();
        all.add(failed);
        if (incident == Incidents.NONE) {
            healthy.add(failed);
            judgedOfKey[call.key()]++;
            failuresOfKey[call.key()] += failed && ending != Ending.SLOW ? 1 : 0;
        }
        if (failed) {
            failed(ending, incident, bucket);
        }
    }

    private void failed(Ending ending, int incident, int bucket) {
        int isTimeout = ending == Ending.TIMEOUT ? 1 : 0;
        int isSlow = ending == Ending.SLOW ? 1 : 0;
        failures++;
        timeouts += isTimeout;
        slow += isSlow;
        failuresOfBucket[bucket]++;
        if (incident != Incidents.NONE) {
            failuresOf[incident]++;
            timeoutsOf[incident] += isTimeout;
            slowOf[incident] += isSlow;
        }
    }

    long[] callsOfBlock() {
        return callsOfBlock;
    }

    LogFacts result() {
        List<LogFacts.IncidentFacts> ofIncidents = new ArrayList<>();
        for (int i = 0; i < incidents.count(); i++) {
            ofIncidents.add(new LogFacts.IncidentFacts(
                    incidents.span(i),
                    incidents.key(i),
                    callsOf[i],
                    ignoredOf[i],
                    failuresOf[i],
                    timeoutsOf[i],
                    slowOf[i]));
        }
        List<LogFacts.Healthy> ofKeys = new ArrayList<>();
        for (int key = 0; key < judgedOfKey.length; key++) {
            ofKeys.add(new LogFacts.Healthy(judgedOfKey[key], failuresOfKey[key]));
        }
        List<LogFacts.Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < BUCKETS; i++) {
            buckets.add(new LogFacts.Bucket(callsOfBucket[i], failuresOfBucket[i]));
        }
        return new LogFacts(
                calls,
                failures,
                timeouts,
                slowAfterNanos,
                slow,
                ignored,
                unknownDurations,
                new LogFacts.Burstiness(all.varianceToMean(), healthy.varianceToMean(), healthy.blocks),
                load.latencies(),
                load.result(),
                new LogFacts.Series(beginNanos, bucketNanos, buckets),
                ofKeys,
                ofIncidents);
    }

    /** The failures in blocks of 100 calls. */
    private static final class HundredCalls {

        private static final int BLOCK = 100;

        private int callsInBlock;
        private int failuresInBlock;
        private long blocks;
        private double sum;
        private double squares;

        void add(boolean failed) {
            failuresInBlock += failed ? 1 : 0;
            if (++callsInBlock == BLOCK) {
                blocks++;
                sum += failuresInBlock;
                squares += (double) failuresInBlock * failuresInBlock;
                callsInBlock = 0;
                failuresInBlock = 0;
            }
        }

        /** NaN if there were fewer than two blocks or no failure. */
        double varianceToMean() {
            if (blocks < 2 || sum == 0) {
                return Double.NaN;
            }
            double mean = sum / blocks;
            return (squares - blocks * mean * mean) / (blocks - 1) / mean;
        }
    }
}
