package io.nopanic.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nopanic.benchmarks.contestants.Contestant;
import io.nopanic.benchmarks.contestants.Contestants;
import io.nopanic.benchmarks.contestants.Group;
import io.nopanic.benchmarks.fork.Sample;
import io.nopanic.benchmarks.run.Results.Cell;
import io.nopanic.benchmarks.run.Target.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out of what was measured. */
class ArithmeticTest {

    private static final Cell OURS = new Cell("breaker/nopanic", 1);
    private static final Cell FLOOR = new Cell("floor/nanoTime", 1);

    private final Results results = new Results();

    private void measured(int round, Cell cell, double nanos) {
        measured(round, cell, nanos, 0);
    }

    private void measured(int round, Cell cell, double nanos, double bytes) {
        Sample sample = new Sample(cell.threads(), cell.threads() / nanos, nanos, bytes, 25);
        results.add(round, cell.contestant(), List.of(sample));
    }

    @Test
    void theIntervalIsThatOfStudentOnLogarithms() {
        // ln: 0, ln 2, ln 4; mean ln 2, deviation ln 2; t(2, 97.5 %) = 4.3027
        Interval interval = Interval.of(List.of(1.0, 2.0, 4.0));
        double reach = 4.3027 * Math.log(2) / Math.sqrt(3);
        assertThat(interval.value()).isCloseTo(2, within(1e-9));
        assertThat(interval.low()).isCloseTo(2 * Math.exp(-reach), within(1e-4));
        assertThat(interval.high()).isCloseTo(2 * Math.exp(reach), within(1e-2));
    }

    @Test
    void oneRoundTellsNoInterval() {
        Interval interval = Interval.of(List.of(3.0));
        assertThat(interval.value()).isCloseTo(3, within(1e-9));
        assertThat(interval.isKnown()).isFalse();
    }

    @Test
    void ratiosPairTheRounds() {
        // The machine is three times as slow in the second round; the ratio does not notice.
        measured(1, OURS, 30);
        measured(1, FLOOR, 25);
        measured(2, OURS, 90);
        measured(2, FLOOR, 75);
        measured(3, OURS, 30); // no partner
        Interval ratio = results.ratio(OURS, FLOOR).orElseThrow();
        assertThat(ratio.value()).isCloseTo(1.2, within(1e-9));
        assertThat(ratio.rounds()).isEqualTo(2);
        assertThat(ratio.high() - ratio.low()).isCloseTo(0, within(1e-9));
    }

    @Test
    void withSeveralThreadsTheWallCounts() {
        Sample alone = new Sample(1, 0.01, 40, 0, 25);
        Sample many = new Sample(4, 0.01, 40, 0, 25);
        assertThat(alone.nanos()).isEqualTo(40);
        assertThat(many.nanos()).isCloseTo(400, within(1e-9));
    }

    @Test
    void theBestPeerIsNeverOneOfOurs() {
        measured(1, OURS, 10);
        measured(1, new Cell("breaker/SmallRye, count window", 1), 50);
        measured(1, new Cell("breaker/Resilience4j, time window", 1), 90);
        assertThat(results.bestPeer(Group.BREAKER, 1, peer -> true))
                .contains(new Cell("breaker/SmallRye, count window", 1));
        assertThat(results.bestPeer(Group.BREAKER, 1, peer -> !peer.contains("SmallRye")))
                .contains(new Cell("breaker/Resilience4j, time window", 1));
        assertThat(results.bestPeer(Group.BREAKER, 2, peer -> true)).isEmpty();
    }

    @Test
    void aVerdictKnowsWhenItIsUnsure() {
        assertThat(verdict(new Interval(1.2, 1.1, 1.3, 5))).isEqualTo(Verdict.MET);
        assertThat(verdict(new Interval(1.2, 1.0, 1.5, 5))).isEqualTo(Verdict.MET_UNSURE);
        assertThat(verdict(new Interval(1.5, 1.3, 1.6, 5))).isEqualTo(Verdict.MISSED_UNSURE);
        assertThat(verdict(new Interval(1.7, 1.5, 1.9, 5))).isEqualTo(Verdict.MISSED);
        assertThat(verdict(null)).isEqualTo(Verdict.NOT_MEASURED);
    }

    private static Verdict verdict(Interval interval) {
        return Target.atMost(1.4, "x", "something", figures -> Optional.ofNullable(interval))
                .verdict(new Figures(new Results(), new Results(), new Others()));
    }

    @Test
    void targetsAreOfThingsThatAQuickRunMeasures() {
        for (Contestant one : Plan.quick(Pattern.compile("")).contestants()) {
            for (int threads : List.of(1, 2, 32)) {
                measured(1, new Cell(one.key(), threads), 20, 10);
            }
        }
        Others others = new Others();
        for (Contestant one : Contestants.of(Group.BREAKER_FAILING)) {
            others.loads().add(1, one.key(), new Others.Runs(List.of(3L, 2L)));
            others.growth().add(1, one.key(), java.util.Map.of(1000L, 30.0));
        }
        others.retained().put("nopanic, time window", new Others.Bytes(1, 2));
        others.lab().add(1, new Others.LabCommand(Lab.SIMULATED, 1), 1.0);
        others.lab().add(1, new Others.LabCommand(Lab.REPLAYED, 1), 1.0);
        Figures figures = new Figures(results, results, others);
        assertThat(Targets.all())
                .allSatisfy(target ->
                        assertThat(target.verdict(figures)).as(target.what()).isNotEqualTo(Verdict.NOT_MEASURED));
    }

    @Test
    void samplesGoThroughALine() {
        Sample sample = new Sample(32, 0.123456789, 31.25, 0.5, Double.NaN);
        assertThat(Sample.parse(sample.toLine())).contains(sample);
        assertThat(Sample.parse("something that a library says")).isEmpty();
    }

    @Test
    void aPartOfAPageIsReplacedAndNothingElse() {
        String page = "before\n<!-- calls: written by ./bench -->\nold\n<!-- end of calls -->\nafter\n";
        String once = Page.replace(page, "calls", List.of("| a |"));
        assertThat(once)
                .isEqualTo("before\n<!-- calls: written by ./bench -->\n\n| a |\n\n<!-- end of calls -->\nafter\n");
        assertThat(Page.replace(once, "calls", List.of("| a |"))).isEqualTo(once);
        assertThatThrownBy(() -> Page.replace(page, "load", List.of())).hasMessageContaining("'load'");
    }

    @Test
    void tablesShowWhatWasMeasured() {
        measured(1, OURS, 30, 0.01);
        measured(1, new Cell("breaker/Resilience4j, time window", 1), 90, 24);
        Sheet sheet =
                new Sheets(new Figures(results, results, new Others())).groups().get(0);
        assertThat(sheet.markdown())
                .contains("**Circuit breaker, calls succeed**")
                .anyMatch(line -> line.startsWith("| nopanic | 30.0 | 1.20 | 1.00 | 0 |"))
                .anyMatch(line -> line.startsWith("| Resilience4j, time window | 90.0 | 3.60 | 3.00 | 24 |"));
    }

    @Test
    void tablesShowRatiosForEachNumberOfThreads() {
        for (int round = 1; round <= 3; round++) {
            for (int threads : List.of(1, 2, 32)) {
                measured(round, new Cell("breaker/nopanic", threads), 10.0 * threads);
                measured(round, new Cell("breaker/SmallRye, count window", threads), (29 + round) * threads * threads);
            }
        }
        Sheet sheet =
                new Sheets(new Figures(results, results, new Others())).groups().get(0);
        assertThat(sheet.markdown().get(2)).endsWith("| x nopanic, 2 | M calls/s, 32 | x nopanic, 32 |");
        assertThat(sheet.markdown())
                .anyMatch(line -> line.contains("| 6.20 (5.72 to 6.72) |") && line.endsWith("| 99.2 (91.5 to 107) |"));
    }

    @Test
    void virtualThreadsAreShownBesideNopanic() {
        Others others = new Others();
        others.virtualCalls().add(1, "retry/nopanic", 30e6);
        others.virtualCalls().add(1, "retry/Failsafe", 12e6);
        Sheet sheet = new Sheets(new Figures(results, results, others)).virtualCalls();
        assertThat(sheet.markdown())
                .contains("| Retry, the first attempt succeeds | nopanic | 30.0 | 1.00 |")
                .contains("| Retry, the first attempt succeeds | Failsafe | 12.0 | 2.50 |");
    }

    @Test
    void aPartThatIsWrittenAloneSaysOfWhenItIs(@TempDir Path folder) throws Exception {
        Path page = folder.resolve("page.md");
        StringBuilder text = new StringBuilder();
        for (String part : List.of("about", "load", "virtual", "memory", "growth", "lab")) {
            text.append("<!-- " + part + ": written by ./bench -->\nold " + part + "\n<!-- end of " + part + " -->\n");
        }
        Files.writeString(page, text);
        Others others = new Others();
        others.retained().put("nopanic", new Others.Bytes(1, 2));
        others.virtualCalls().add(1, "retry/nopanic", 30e6);
        Files.writeString(folder.resolve("release"), "JAVA_RUNTIME_VERSION=\"99+1\"\nIMPLEMENTOR=\"Somebody\"\n");
        new Report(Plan.full(Pattern.compile("")), new Figures(results, results, others), Optional.of(folder))
                .writeOthers(page);
        assertThat(Files.readString(page))
                .contains("old about", "old load", "old growth", "old lab")
                .doesNotContain("old memory", "old virtual")
                .containsPattern("\\| nopanic \\| 1 \\| 2 \\|\n\nOf 20\\d\\d-\\d\\d-\\d\\d, on Java "
                        + Runtime.version().feature())
                .contains(", on Java 99+1 (Somebody).\n");
    }

    @Test
    void whoIsCalledVirtuallyIsThere() {
        Plan plan = Plan.full(Pattern.compile(""));
        for (Group group : Plan.VIRTUAL.keySet()) {
            assertThat(plan.calledVirtually())
                    .contains(group.key() + "/nopanic")
                    .anyMatch(key -> key.startsWith(group.key() + "/") && !key.contains("nopanic"));
        }
    }
}
