package io.nopanic.lab.report;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.setup.Plain;

/** How many incidents there were, in words. */
public final class Incidents {

    private Incidents() {}

    /** Each key's are counted; rankings rest on those that are apart in time. */
    public static String count(ReplayResult result) {
        int all = result.facts().incidents().size();
        String words = Plain.count(all, "incident");
        if (result.keys().size() == 1 || all == 0) {
            return words;
        }
        long keys = result.facts().incidents().stream()
                .mapToInt(LogFacts.IncidentFacts::key)
                .distinct()
                .count();
        int apart = result.separateIncidents();
        return words + " on " + Plain.count(keys, "key")
                + (apart < all ? " (" + apart + " if those at the same time are one)" : "");
    }
}
