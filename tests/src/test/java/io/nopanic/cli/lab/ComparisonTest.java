package io.nopanic.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nopanic.cli.terminal.Text;
import io.nopanic.lab.replay.HandMadeLog;
import io.nopanic.lab.replay.PolicyResult;
import io.nopanic.lab.replay.ReplayResult;
import io.nopanic.lab.replay.Span;
import io.nopanic.lab.traffic.Mix;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private static Optional<Comparison.Best> best(ReplayResult result, double c) {
        return Comparison.Best.of(
                result, result.policies().get(0), result.policies().get(1), c);
    }

    private static Comparison.Row row(ReplayResult result, double c) {
        return Comparison.Row.of(
                new Comparison.Lot(Mix.STANDARD, 1000, 2),
                result,
                c,
                result.policies().get(0),
                result.policies().subList(1, 2));
    }

    @Test
    void withFewIncidentsNothingIsRanked() {
        assertThat(best(hours(4), 1)).isEmpty();
        assertThat(row(hours(4), 1).markdown()).endsWith("| - | - | too few incidents |");
    }

    @Test
    void aLineHasWhatEachCost() throws Exception {
        ReplayResult result = hours(8);
        Comparison.Row row = row(result, 10);
        double auto = result.policies().get(0).total().incidentCost(10);
        double other = result.policies().get(1).total().incidentCost(10);
        assertThat(row.markdown())
                .startsWith("| standard | 1,000 | 2 | 8 | 10 | " + Text.digits(auto) + " | " + Text.digits(other)
                        + " | consecutive:2,4s | ");
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            row.write(json);
        }
        JsonNode read = new ObjectMapper().readTree(text.toString());
        assertThat(read.get("per10000CallsInIncidents").get("auto").asDouble()).isEqualTo(auto);
        assertThat(read.get("per10000CallsInIncidents").get("consecutive:2,4s").asDouble())
                .isEqualTo(other);
        assertThat(read.get("ratio").asDouble()).isEqualTo(auto / other);
        assertThat(read.get("differs").asText()).isIn("no", "cheaper", "dearer");
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
            assertThat(best(result, c))
                    .contains(new Comparison.Best(
                            "consecutive:2,4s",
                            patient.total().incidentCost(c) / eager.total().incidentCost(c),
                            shown < 0 ? "cheaper" : shown > 0 ? "dearer" : "no"));
            seen |= shown < 0 != all < 0;
        }
        assertThat(seen).as("costs of both kinds disagree somewhere").isTrue();
    }
}
