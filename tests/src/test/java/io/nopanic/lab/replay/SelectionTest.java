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
        // Four outages of 4 calls, which cost the first 6 and the second 4, and one of 60, which costs the first 16 and
        // the second 20.
        int[] calls = {4, 60, 4, 4, 4};
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
        // Outages of 8 calls cost the first 3 and the second 7, those of 12 calls 6 and 3: 27 and 30. Without one of 8
        // the second is the best of
        // the rest, 23 to 24, and that one costs 7 then; without one of 12 the first is.
        int[] calls = {8, 12, 8, 12, 8, 12};
        ReplayResult result = outages(calls, "consecutive:3,6s", "consecutive:3,10s");
        Selection.Family family =
                result.selection(1, List.of(List.of(0, 1))).families().get(0);
        assertThat(family.policy()).isZero();
        assertThat(family.cost()).isEqualTo(10_000 * 27 / 21_600.0, within(1e-9));
        assertThat(family.leftOutCost()).isEqualTo(10_000 * (3 * 7 + 3 * 6) / 21_600.0, within(1e-9));
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
