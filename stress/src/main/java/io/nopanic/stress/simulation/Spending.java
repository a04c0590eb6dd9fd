package io.nopanic.stress.simulation;

import io.nopanic.events.Event;
import io.nopanic.stress.script.Divergence;
import java.util.ArrayList;
import java.util.List;

/**
 * What a budget has granted, by the events of those who spend it, and the calls that it is a share of. Grants that are still in the window are at most that share of the calls in it and what is granted without
 * any. The calls between two questions are taken as evenly spread; so of those since the last question before the window all may count.
 */
final class Spending {

    /** What calls that are not worth a grant can be worth together; and a rounding. */
    private static final double UNNOTICED = 2.001;

    private final double ratio;
    private final double reserve;
    private final long windowNanos;
    private final Clockwork clock;
    private final List<Long> callsNanos = new ArrayList<>();
    private final List<Long> questionsNanos = new ArrayList<>();
    private final List<Long> grantsNanos = new ArrayList<>();

    Spending(Clockwork clock, double ratio, double minPerSecond, long windowNanos) {
        this.clock = clock;
        this.ratio = ratio;
        this.windowNanos = windowNanos;
        reserve = minPerSecond * windowNanos / 1e9;
        questionsNanos.add(clock.nanos());
    }

    /** A call begins. */
    void call() {
        callsNanos.add(clock.nanos());
    }

    void told(Event event) {
        if (event instanceof Event.RetryScheduled || event instanceof Event.HedgeStarted) {
            grant(event.stamp().nanos());
        } else if (event instanceof Event.RetryGaveUp e && e.reason() == Event.GiveUpReason.CANCELLED) {
            grantsNanos.remove(Long.valueOf(e.stamp().nanos()));
        }
    }

    private void grant(long nanos) {
        grantsNanos.add(nanos);
        long spent =
                grantsNanos.stream().filter(each -> nanos - each < windowNanos).count();
        // The window reaches back up to a tenth more than its length.
        long questionNanos = questionsNanos.get(0);
        for (long each : questionsNanos) {
            if (nanos - each > windowNanos + windowNanos / 10) {
                questionNanos = each;
            }
        }
        long fromNanos = questionNanos;
        long calls = callsNanos.stream().filter(each -> each - fromNanos >= 0).count();
        questionsNanos.add(nanos);
        Divergence.unless(
                spent <= ratio * calls + reserve + UNNOTICED,
                spent + " extra calls were granted for " + calls + " calls and " + reserve + " without any");
    }
}
