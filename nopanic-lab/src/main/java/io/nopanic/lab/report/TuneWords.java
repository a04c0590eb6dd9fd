package io.nopanic.lab.report;

import io.nopanic.lab.predict.Conditions;
import io.nopanic.lab.predict.Prediction;
import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.setup.Plain;
import io.nopanic.lab.tune.FailureCost;
import io.nopanic.lab.tune.KeyTuning;
import io.nopanic.lab.tune.Tuning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sentences about recommendations, for text and pages alike. */
public final class TuneWords {

    /** What the columns mean in which the best breakers of each kind are compared. */
    public static final String COLUMNS =
            "\"cost\": per 10,000 calls, of what was the best of its kind afterwards. \"judged unseen\": each incident with what the others"
                    + " would have chosen; only this tells what a choice is worth, for out of many one always fits the past. \"above the"
                    + " best\" and its standard error are of that.";

    private static final String OPEN_LOOP =
            "A log does not answer back: every call ends as recorded, whatever a breaker would have done.";

    /** The question that no log answers. */
    public static final String OPEN_COST = "What a failure costs is not in the log. " + FailureCost.QUESTION;

    private TuneWords() {}

    /** What has to be said with every recommendation, whether anybody asks or not. */
    public static List<String> caveats(Tuning tuning) {
        List<String> caveats = new ArrayList<>(List.of(OPEN_LOOP));
        for (KeyTuning key : tuning.keys()) {
            String whose = tuning.keys().size() == 1 ? "" : key.key() + ": ";
            caveats.add(whose + Independence.bursts(key.facts().burstiness()));
        }
        return caveats;
    }

    /** What is taken to cost how much. */
    public static String ifOneFailureCosts(double failureCost) {
        return "if one failure costs as much as " + Plain.number(failureCost) + (failureCost == 1 ? " call" : " calls")
                + " refused for nothing";
    }

    /** How many of the failures were slow answers, behind the number of failures; nothing if slow answers are no failures. */
    public static String slowAmong(LogFacts facts) {
        return facts.slowAfterNanos().isPresent()
                ? String.format(Locale.ROOT, " (%,d of them by being slow)", facts.slow())
                : "";
    }

    /** What becomes of the keys that were not looked at; nothing if there are none. */
    public static List<String> otherKeys(Tuning tuning) {
        return tuning.otherKeys() == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%,d more keys with %,d calls together were not looked at; the adaptive breaker with failureCost %s suits them unseen.",
                        tuning.otherKeys(),
                        tuning.otherCalls(),
                        Plain.number(tuning.wishes().failureCost())));
    }

    /** What the formulas go by. */
    public static String formulas(List<Prediction> predictions) {
        Conditions conditions = predictions.get(0).conditions();
        return "What formulas say, while " + Plain.percent(conditions.healthy()) + " of "
                + Plain.rounded(conditions.callsPerSecond())
                + " calls per second fail, and from when all do. If failures come in bursts, false trips are far more frequent.";
    }
}
