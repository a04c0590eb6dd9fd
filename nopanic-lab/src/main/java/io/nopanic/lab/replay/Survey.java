package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.lab.traffic.TrafficLog;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of a log before breakers decide about it: from when until when it is, and when something was wrong.
 *
 * @param whole from its first call to behind its last
 * @param incidents of each key
 * @param criteria what they were found by in the outcomes; {@code null} if they are the truth
 */
public record Survey(
        Span whole, Incidents incidents, @Nullable Criteria criteria) {

    /**
     * What made an incident of calls.
     *
     * @param ofAll for all calls together
     * @param byKey for each key: its own if it has at least {@value #OWN_CALLS} calls that were judged, in ten minutes or more, else that of all
     */
    public record Criteria(Criterion ofAll, List<Criterion> byKey) {

        /** From so many calls on a key has an ordinary failure rate of its own. */
        public static final long OWN_CALLS = 1_000;
    }

    /**
     * What made an incident of calls.
     *
     * @param ordinaryFailureRate how often calls are taken to fail when nothing is wrong, 0 to 1
     * @param fewestFailures so many in a row are an incident, if there was no failure before them
     */
    public record Criterion(double ordinaryFailureRate, int fewestFailures) {}

    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final long GAP_NANOS = 10_000_000_000L;

    /** Whether the incidents are the truth, rather than found in the outcomes. */
    public boolean known() {
        return criteria == null;
    }

    /** What is known of invented traffic. */
    public static Survey of(Scenario scenario) {
        long beginNanos = TrafficLog.EPOCH_NANOS;
        long lengthNanos = scenario.length().toNanos();
        List<Span> spans = scenario.incidents().stream()
                .map(incident -> new Span(
                        beginNanos + incident.start().toNanos(),
                        beginNanos
                                + Math.min(
                                        lengthNanos,
                                        incident.start().plus(incident.length()).toNanos())))
                .toList();
        return new Survey(new Span(beginNanos, beginNanos + lengthNanos), Incidents.of(List.of(spans), 0), null);
    }

    /** Reads a log twice: how often it fails when nothing is wrong, and then where it failed more often than that. */
    public static Survey of(CallLog log) {
        int keys = log.keys().size();
        OrdinaryRates ordinary = new OrdinaryRates(keys);
        long calls = 0;
        long firstNanos = 0;
        long lastNanos = 0;
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                firstNanos = calls++ == 0 ? cursor.startNanos() : firstNanos;
                lastNanos = cursor.startNanos();
                ordinary.add(cursor.key(), Math.floorDiv(cursor.startNanos(), MINUTE_NANOS), cursor.ending());
            }
        }
        double[] healthy = ordinary.ofKeys(keys);
        Segmentation segmentation = new Segmentation(healthy, calls);
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                segmentation.add(cursor.key(), cursor.startNanos(), cursor.ending());
            }
        }
        return new Survey(
                new Span(firstNanos, lastNanos + 1),
                Incidents.of(segmentation.finish(), GAP_NANOS),
                new Criteria(
                        segmentation.criterion(ordinary.ofAll()),
                        Arrays.stream(healthy).mapToObj(segmentation::criterion).toList()));
    }
}
