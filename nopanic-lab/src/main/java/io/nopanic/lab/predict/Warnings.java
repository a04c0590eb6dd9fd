package io.nopanic.lab.predict;

import io.nopanic.lab.setup.BreakerSpec;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.setup.Trip;
import java.util.ArrayList;
import java.util.List;

/** Settings that are known to go wrong. */
record Warnings(BreakerSpec spec, Conditions conditions, TripForm form) {

    private static final double LIKELY_WARM_UP_TRIP = 1e-4;
    private static final double FAR_TOO_LONG = 10;
    private static final int FEW_CALLS = 10;
    private static final double LOW_RATE = 0.5;

    static List<String> of(BreakerSpec spec, Conditions conditions, TripForm form) {
        List<String> found = new ArrayList<>();
        Warnings warnings = new Warnings(spec, conditions, form);
        Trip trip = spec.trip() instanceof Trip.Either either ? either.rates() : spec.trip();
        if (trip instanceof Trip.Rates rates) {
            warnings.aboutRates(found, rates);
        }
        if (form instanceof EvidenceForm evidence
                && conditions.bad() < evidence.test().breakEvenRate()) {
            found.add("failures at " + Plain.percent(conditions.bad()) + " are below the break-even of "
                    + Plain.percent(evidence.test().breakEvenRate()) + ", so it opens by chance only");
        }
        warnings.aboutOpenTime(found);
        warnings.aboutBulkhead(found);
        return List.copyOf(found);
    }

    private void aboutRates(List<String> found, Trip.Rates rates) {
        if (rates.window() instanceof Trip.Window.Lasting lasting) {
            double calls = conditions.callsPerSecond() * lasting.length().toNanos() / 1e9;
            if (calls < 2.0 * rates.minimumCalls()) {
                found.add(
                        "the window holds " + Plain.rounded(calls) + " calls on average and is judged from "
                                + rates.minimumCalls()
                                + " on, so it is blind for much of the time; let it hold at least twice as many as the minimum");
            }
        }
        if (conditions.bad() < rates.failureRate()) {
            found.add("failures at " + Plain.percent(conditions.bad()) + " are below the "
                    + Plain.percent(rates.failureRate()) + " that open it, so it opens by chance only");
        }
        form.warmingUp(conditions.healthy())
                .map(start -> start.trips().value())
                .filter(chance -> chance > LIKELY_WARM_UP_TRIP)
                .ifPresent(chance -> found.add("it opens for nothing after " + Plain.percent(chance)
                        + " of the times it closes, while its window fills; a larger minimum of calls helps"));
        if (rates.minimumCalls() < FEW_CALLS && rates.failureRate() <= LOW_RATE) {
            found.add("with a minimum of " + rates.minimumCalls() + " calls and a rate of "
                    + Plain.percent(rates.failureRate())
                    + " a few failures are enough to open it; a minimum of 10 or more is safer");
        }
    }

    private void aboutOpenTime(List<String> found) {
        double best = OutageLines.bestOpenSeconds(spec, conditions);
        OutageLines.fixedOpenSeconds(spec)
                .filter(seconds -> seconds > FAR_TOO_LONG * best)
                .ifPresent(seconds -> found.add("an open time of " + Plain.seconds(seconds) + " is "
                        + Plain.rounded(seconds / best) + " times the one that costs least here, "
                        + Plain.seconds(best)));
    }

    /** Calls in flight are counted once each, so counting them early does not help where there are too few. */
    private void aboutBulkhead(List<String> found) {
        int calls = form.hangingCalls();
        conditions.bulkhead().ifPresent(slots -> {
            if (slots < calls) {
                found.add("if calls hang, a bulkhead of " + slots + " shows it only " + slots
                        + " of them per timeout, and it takes " + calls + " to open; give the bulkhead at least "
                        + calls
                        + " slots, or let it open on less");
            } else if (LoadLines.slowAfterSeconds(spec, conditions).isEmpty()
                    && !spec.learnsWhatIsSlow()
                    && conditions.timeoutSeconds().isPresent()) {
                found.add("calls that hang count only when they time out; with slow-after they count before");
            }
        });
    }
}
