package io.nopanic.lab.report;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What has to be said with every result of a replay, whether anybody asks or not. */
public final class Caveats {

    /** Failures whose variance is this much more than that of independent ones are told to be bursty. */
    private static final double BURSTY = 1.5;

    /** From fewer blocks the variance is too uncertain to call failures independent. */
    private static final int ENOUGH_BLOCKS = 30;

    private static final double PERCENT = 100;

    private Caveats() {}

    /** The sentences. */
    public static List<String> of(ReplayResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "Nothing answers back here: each call ends as recorded, whatever the breaker did. Whether refusing calls would have"
                        + " let the dependency recover sooner, or a probe would have hurt it, a log cannot tell.");
        lines.add(burstiness(result.facts().burstiness()));
        Survey.Criterion criterion = result.survey().criterion();
        if (criterion != null) {
            lines.add(found(criterion));
        }
        if (result.facts().unknownDurations() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "Of %,d of %,d calls the log does not tell how long they took; they are taken to have ended at once.",
                    result.facts().unknownDurations(),
                    result.facts().calls()));
        }
        if (result.facts().load().repeated() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d calls are repeated attempts. They are replayed as calls like any others, although whoever is refused the first"
                            + " attempt may not make the second; so refused and saved calls count some twice.",
                    result.facts().load().repeated(),
                    result.facts().calls()));
        }
        if (result.separateIncidents() < Ranking.ENOUGH_INCIDENTS) {
            lines.add("Incidents: " + result.separateIncidents() + ", fewer than " + Ranking.ENOUGH_INCIDENTS
                    + ". That is too little to rank policies, or to say how much costs vary.");
        }
        result.policies()
                .forEach(policy -> policy.spec()
                        .notes()
                        .forEach(note -> lines.add(policy.spec().name() + ": " + note + ".")));
        return lines;
    }

    private static String found(Survey.Criterion criterion) {
        return String.format(
                Locale.ROOT,
                "The incidents were found in the outcomes of the calls (a CUSUM on failures): an ordinary minute is taken to fail at %.2g %%,"
                        + " and %d failures in a row, or a few more with successes between them, are an incident. So a trip that takes as"
                        + " many failures is never a false one here, even if they came by chance; the truth is known only in simulations."
                        + " Incidents in which calls were only slow are not among them.",
                PERCENT * criterion.ordinaryFailureRate(),
                criterion.fewestFailures());
    }

    private static String burstiness(LogFacts.Burstiness burstiness) {
        double factor = burstiness.healthy();
        boolean isShort = burstiness.healthyBlocks() < ENOUGH_BLOCKS;
        if (Double.isNaN(factor) || (isShort && factor <= BURSTY)) {
            return "There were too few calls or failures outside of incidents to tell whether they come in bursts.";
        }
        String number = String.format(Locale.ROOT, "%.2f", factor);
        return factor > BURSTY
                ? "Failures came in bursts even outside of incidents (variance over mean in blocks of 100 calls: "
                        + number
                        + ", about 1 if they were independent). Formulas for independent failures promise fewer false trips than"
                        + " there were."
                : "Outside of incidents failures came as if independent of each other (variance over mean in blocks of 100 calls: "
                        + number + ", about 1 if they are).";
    }
}
