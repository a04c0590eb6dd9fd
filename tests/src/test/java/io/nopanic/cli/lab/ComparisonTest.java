package io.nopanic.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.lab.replay.HandMadeLog;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    /** One outage of 20 s an hour, and in between six failures in a row that are no incident. */
    private static ReplayResult hours(int count) {
        HandMadeLog log = new HandMadeLog("only");
        List<Span> incidents = new ArrayList<>();
        for (int hour = 0; hour < count; hour++) {
            long from = hour * 3_600_000L;
            log.calls(from, 1000, "+".repeat(100) + "------+" + "+".repeat(1693) + "-".repeat(20) + "+".repeat(1780));
            incidents.add(HandMadeLog.span(from + 1_800_000, from + 1_820_000));
        }
        return log.replay(count * 3_600_000L, incidents, "consecutive:7,4s", "consecutive:2,4s");
    }

    private static List<String> ranked(ReplayResult result, double c) {
        return Comparison.ranked(
                result, result.policies().get(0), result.policies().get(1), c);
    }

    @Test
    void withFewIncidentsNothingIsRanked() {
        assertThat(ranked(hours(4), 1)).containsExactly("-", "-", "too few incidents");
    }

    /** In incidents the second is cheaper by less than it pays outside of them, if failures there do not count. */
    @Test
    void theVerdictIsAboutTheCostThatTheTableShows() {
        ReplayResult result = hours(8);
        PolicyResult patient = result.policies().get(0);
        PolicyResult eager = result.policies().get(1);
        boolean seen = false;
        for (double c : new double[] {0.1, 0.2, 0.3, 0.5, 1, 10}) {
            double shown = patient.total().incidentCost(c) - eager.total().incidentCost(c);
            double all = patient.total().cost(c) - eager.total().cost(c);
            assertThat(ranked(result, c))
                    .containsExactly(
                            "consecutive:2,4s",
                            String.format(
                                    Locale.ROOT,
                                    "%.2f",
                                    patient.total().incidentCost(c)
                                            / eager.total().incidentCost(c)),
                            shown < 0 ? "cheaper" : shown > 0 ? "dearer" : "no");
            seen |= shown < 0 != all < 0;
        }
        assertThat(seen).as("costs of both kinds disagree somewhere").isTrue();
    }
}
