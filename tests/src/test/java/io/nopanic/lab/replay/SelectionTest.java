package io.nopanic.lab.replay;

import static io.nopanic.lab.replay.HandMadeLog.span;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {

    private static final long HOUR = 3_600_000;

    /** An outage an hour, of so many calls each, one call per second. */
    private static ReplayResult outages(int[] calls, String... policies) {
        HandMadeLog log = new HandMadeLog("only");
        List<Span> incidents = new ArrayList<>();
        for (int hour = 0; hour < calls.length; hour++) {
            log.calls(hour * HOUR, 1000, "+".repeat(1800) + "-".repeat(calls[hour]) + "+".repeat(1800 - calls[hour]));
            long from = hour * HOUR + 1_800_000;
            incidents.add(span(from, from + calls[hour] * 1000L));
        }
        return log.replay(calls.length * HOUR, incidents, policies);
    }

    private static int[] alike(int outages, int calls) {
        int[] all = new int[outages];
        Arrays.fill(all, calls);
        return all;
    }

    @Test
    void theSimplestOfThoseThatDoTheSameIsChosen() {
        ReplayResult result = outages(alike(6, 20), "none", "consecutive:3,5s", "count:3,100,3,5s");
        Selection selection = result.selection(1, List.of(List.of(0), List.of(1), List.of(2)));

        assertThat(selection.isFounded()).isTrue();
        assertThat(selection.chosen()).isEqualTo(1);
        assertThat(selection.choice().policy()).isEqualTo(1);
        assertThat(selection.choice().cost())
                .isEqualTo(result.policies().get(1).total().cost(1), within(1e-9));
        assertThat(selection.families().get(2).isAsGood()).isTrue();
        assertThat(selection.families().get(0).isAsGood()).isFalse();
    }

    @Test
    void aDearerOneIsChosenIfItIsSimplerAndWithinOneStandardError() {
        // Five outages of 4 calls, which cost the first 1 + 4 more, and one of 60, where it is cheaper: all in all it is a little dearer.
        int[] calls = {4, 60, 4, 4, 4, 4};
        ReplayResult result = outages(calls, "consecutive:3,5s", "consecutive:5,5s");
        Selection selection = result.selection(1, List.of(List.of(0), List.of(1)));
        Selection.Family first = selection.families().get(0);

        assertThat(first.aboveBest()).isPositive();
        assertThat(first.standardError()).isGreaterThan(first.aboveBest());
        assertThat(selection.chosen()).isZero();
        assertThat(result.selection(1, List.of(List.of(1), List.of(0))).choice().policy())
                .isEqualTo(1);
    }

    @Test
    void whatIsClearlyDearerIsNotChosenHoweverSimple() {
        ReplayResult result = outages(alike(8, 30), "consecutive:20,5s", "consecutive:3,5s");
        assertThat(result.selection(1, List.of(List.of(0), List.of(1))).chosen())
                .isEqualTo(1);
    }

    @Test
    void aFamilyIsJudgedByWhatIsChosenWithoutTheIncident() {
        // Each open time suits three of the outages and none suits all: which one does best depends on which outage is left out.
        int[] calls = {8, 12, 8, 12, 8, 12};
        ReplayResult result = outages(calls, "consecutive:3,6s", "consecutive:3,10s");
        Selection.Family family =
                result.selection(1, List.of(List.of(0, 1))).families().get(0);
        double best = Math.min(
                result.policies().get(0).total().cost(1),
                result.policies().get(1).total().cost(1));

        assertThat(family.cost()).isEqualTo(best, within(1e-9));
        assertThat(family.leftOutCost()).isGreaterThanOrEqualTo(family.cost());
    }

    @Test
    void aFamilyOfOneIsJudgedByWhatItCost() {
        Selection.Family family = outages(alike(6, 20), "consecutive:3,5s")
                .selection(1, List.of(List.of(0)))
                .families()
                .get(0);
        assertThat(family.leftOutCost()).isEqualTo(family.cost(), within(1e-9));
        assertThat(family.aboveBest()).isZero();
    }

    @Test
    void fewerThanFiveIncidentsAreTooFew() {
        assertThat(outages(alike(4, 20), "none")
                        .selection(1, List.of(List.of(0)))
                        .isFounded())
                .isFalse();
        assertThat(outages(alike(5, 20), "none")
                        .selection(1, List.of(List.of(0)))
                        .isFounded())
                .isTrue();
    }
}
