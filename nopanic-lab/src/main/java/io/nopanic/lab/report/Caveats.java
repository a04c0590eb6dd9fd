package io.nopanic.lab.report;

import io.nopanic.lab.replay.LogFacts;
import io.nopanic.lab.replay.Ranking;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Survey;
import io.nopanic.lab.setup.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** What has to be said with every result of a replay, whether anybody asks or not. */
public final class Caveats {

    private static final double PERCENT = 100;

    private Caveats() {}

    /**
     * The sentences.
     *
     * @param independence of the same result
     */
    public static List<String> of(ReplayResult result, Independence independence) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "Nothing answers back here: each call ends as recorded, whatever the breaker did. Whether refusing calls would have"
                        + " let the dependency recover sooner, or a probe would have hurt it, a log cannot tell.");
        lines.add(independence.sentence());
        Survey.Criteria criteria = result.survey().criteria();
        if (criteria != null) {
            lines.add(found(criteria, result.facts().slowAfterNanos().isPresent()));
        }
        result.facts().slowAfterNanos().ifPresent(nanos -> lines.add(slow(result.facts(), nanos)));
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
                    + ". That is too little to rank policies, or to say how much costs vary. What formulas expect of a policy at these"
                    + " rates, \"predict\" tells, and for the one it recommends \"tune\".");
        }
        result.policies()
                .forEach(policy -> policy.spec()
                        .notes()
                        .forEach(note -> lines.add(policy.spec().name() + ": " + note + ".")));
        return lines;
    }

    private static String found(Survey.Criteria criteria, boolean slowOnesCount) {
        return String.format(
                Locale.ROOT,
                "The incidents were found in the outcomes of the calls (a CUSUM on failures): %s."
                        + " So a trip that takes as"
                        + " many failures is never a false one here, even if they came by chance; the truth is known only in simulations."
                        + "%s",
                criteria.byKey().size() == 1 ? ordinary(criteria.ofAll()) : ordinary(criteria),
                slowOnesCount ? "" : " Incidents in which calls were only slow are not among them; --slow finds them.");
    }

    private static String ordinary(Survey.Criterion criterion) {
        return String.format(
                Locale.ROOT,
                "an ordinary minute is taken to fail at %.2g %%, and %d failures in a row, or a few more with successes between them, are an"
                        + " incident",
                PERCENT * criterion.ordinaryFailureRate(),
                criterion.fewestFailures());
    }

    private static String ordinary(Survey.Criteria criteria) {
        DoubleSummaryStatistics rates = criteria.byKey().stream()
                .mapToDouble(Survey.Criterion::ordinaryFailureRate)
                .summaryStatistics();
        IntSummaryStatistics fewest = criteria.byKey().stream()
                .mapToInt(Survey.Criterion::fewestFailures)
                .summaryStatistics();
        return String.format(
                Locale.ROOT,
                "an ordinary minute is taken to fail at %.2g %% to %.2g %%, depending on the key (%.2g %% for those with fewer than %,d"
                        + " calls), and %d to %d failures in a row, or a few more with successes between them, are an incident",
                PERCENT * rates.getMin(),
                PERCENT * rates.getMax(),
                PERCENT * criteria.ofAll().ordinaryFailureRate(),
                Survey.Criteria.OWN_CALLS,
                fewest.getMin(),
                fewest.getMax());
    }

    private static String slow(LogFacts facts, long slowAfterNanos) {
        return String.format(
                Locale.ROOT,
                "Calls that were answered after %s or later count as failed: %,d. A breaker sees them as slow only if it has a slow-after"
                        + " of its own.",
                Durations.text(Duration.ofNanos(slowAfterNanos)),
                facts.slow());
    }
}
