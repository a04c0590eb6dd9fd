package io.nopanic.lab.replay;

import io.nopanic.lab.call.CallCursor;
import io.nopanic.lab.call.CallLog;
import io.nopanic.lab.traffic.Scenario;
import io.nopanic.lab.traffic.TrafficLog;
import java.util.List;

/**
 * What has to be known of a log before breakers decide about it: from when until when it is, and when something was wrong.
 *
 * @param whole from its first call to behind its last
 * @param incidents of each key
 * @param known whether the incidents are the truth, rather than found in the outcomes
 */
public record Survey(Span whole, Incidents incidents, boolean known) {

    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final long GAP_NANOS = 10_000_000_000L;

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
        return new Survey(new Span(beginNanos, beginNanos + lengthNanos), Incidents.of(List.of(spans), 0), true);
    }

    /** Reads a log twice: how often it fails in an ordinary minute, and then where it failed more often than that. */
    public static Survey of(CallLog log) {
        MinuteRates minutes = new MinuteRates();
        long calls = 0;
        long firstNanos = 0;
        long lastNanos = 0;
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                firstNanos = calls++ == 0 ? cursor.startNanos() : firstNanos;
                lastNanos = cursor.startNanos();
                minutes.add(cursor.startNanos() / MINUTE_NANOS, cursor.ending());
            }
        }
        Segmentation segmentation =
                new Segmentation(minutes.median(), calls, log.keys().size());
        try (CallCursor cursor = log.open()) {
            while (cursor.next()) {
                segmentation.add(cursor.key(), cursor.startNanos(), cursor.ending());
            }
        }
        return new Survey(new Span(firstNanos, lastNanos + 1), Incidents.of(segmentation.finish(), GAP_NANOS), false);
    }
}
