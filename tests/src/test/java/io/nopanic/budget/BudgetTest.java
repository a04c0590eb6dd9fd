package io.nopanic.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {

    private final VirtualTime time = VirtualTime.create();

    // -------------------------------------------------------------------------------------------------- what it grants

    @Test
    void grantsAShareOfTheCalls() {
        Budget budget = budget(0.2, 0);
        calls(budget, 25);
        assertThat(budget.available()).isEqualTo(5);
        assertThat(granted(budget)).isEqualTo(5);
        assertThat(budget.available()).isZero();
    }

    @Test
    void grantsTheMinimumHoweverFewCallsThereAre() {
        Budget budget = budget(0.2, 0.3);
        calls(budget, 2);
        assertThat(granted(budget)).isEqualTo(3);
    }

    @Test
    void addsTheShareToTheMinimum() {
        Budget budget = Budget.builder().time(time.time()).build();
        calls(budget, 1000);
        assertThat(granted(budget)).isEqualTo(200 + 100);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.2, 0.29, 0.3, 0.57, 0.7, 1, 2.5, 10})
    void grantsExactlyTheShareInSpiteOfFloatingPoint(double ratio) {
        Budget budget = budget(ratio, 0);
        calls(budget, 100);
        assertThat(granted(budget)).isEqualTo(Math.round(ratio * 100));
    }

    @Test
    void grantsNothingWithoutShareAndMinimum() {
        Budget budget = budget(0, 0);
        calls(budget, 1000);
        assertThat(granted(budget)).isZero();
    }

    @Test
    void grantsMoreAsCallsComeIn() {
        Budget budget = budget(0.2, 0);
        assertThat(granted(budget)).isZero();
        calls(budget, 4);
        assertThat(granted(budget)).isZero();
        calls(budget, 1);
        assertThat(granted(budget)).isEqualTo(1);
    }

    @Test
    void forgetsCallsAndGrantsAfterTheWindow() {
        Budget budget = budget(0.2, 1);
        calls(budget, 100);
        assertThat(granted(budget)).isEqualTo(30);
        time.advance(Duration.ofMillis(9_999));
        assertThat(granted(budget)).isZero();
        time.advance(Duration.ofMillis(1_001));
        assertThat(budget.available()).isEqualTo(10);
        assertThat(granted(budget)).isEqualTo(10);
    }

    @Test
    void movesTheWindowInTenths() {
        Budget budget = budget(0.2, 1);
        List<Long> granted = new ArrayList<>();
        for (int second = 0; second < 24; second++) {
            granted.add(second % 2 == 0 ? granted(budget) : 0);
            time.advance(Duration.ofSeconds(1));
        }
        // All of the minimum at second 0, and again when that has left the window.
        assertThat(granted.stream().mapToLong(each -> each).sum()).isEqualTo(20);
        assertThat(granted.get(0)).isEqualTo(10);
        assertThat(granted.get(12)).isEqualTo(10);
    }

    // ----------------------------------------------------------------------------------------- calls between two looks

    @Test
    void takesCallsBetweenTwoLooksAsEvenlySpread() {
        Budget budget = budget(0.2, 0);
        calls(budget, 1000);
        time.advance(Duration.ofSeconds(100));
        // 10 calls a second for the 10 seconds of the window
        assertThat(budget.available()).isEqualTo(20);
    }

    @Test
    void letsNoHealthyDayPayForAStorm() {
        Budget budget = Budget.builder().time(time.time()).build();
        calls(budget, 1_000_000);
        time.advance(Duration.ofDays(1));
        assertThat(granted(budget)).isBetween(100L, 125L);
    }

    @Test
    void attributesCallsOfOneSliceExactly() {
        Budget budget = budget(0.2, 0);
        assertThat(budget.available()).isZero();
        time.advance(Duration.ofMillis(999));
        calls(budget, 50);
        assertThat(budget.available()).isEqualTo(10);
        time.advance(Duration.ofMillis(1));
        assertThat(budget.available()).isEqualTo(10);
        time.advance(Duration.ofMillis(9_999));
        assertThat(budget.available()).isEqualTo(10);
        time.advance(Duration.ofMillis(1));
        assertThat(budget.available()).isZero();
    }

    @Test
    void neverGrantsMoreThanTheWindowAllows() {
        for (long seed = 1; seed <= 12; seed++) {
            Random random = new Random(seed);
            double ratio = random.nextInt(5) / 10.0;
            double perSecond = random.nextInt(20) / 10.0;
            Budget budget = budget(ratio, perSecond);
            List<Long> calls = new ArrayList<>();
            List<Long> grants = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                time.advance(Duration.ofNanos((long) (random.nextDouble() * random.nextDouble() * 40_000_000)));
                long now = time.nanos();
                budget.onCall();
                calls.add(now);
                for (int tries = random.nextInt(4); tries > 0; tries--) {
                    if (budget.trySpend(now)) {
                        grants.add(now);
                    }
                }
                // Looks come with every call, so a call is never more than one slice away from where it is counted.
                double allowed = ratio * count(calls, now, 12_000_000_000L) + perSecond * 10;
                assertThat((double) count(grants, now, 10_000_000_000L))
                        .as("seed %d, call %d", seed, i)
                        .isLessThanOrEqualTo(allowed + 1e-6);
            }
            assertThat(grants.size()).as("seed %d", seed).isGreaterThanOrEqualTo((int) (perSecond * 10));
        }
    }

    // ----------------------------------------------------------------------------------------------------- giving back

    @Test
    void takesBackWhatWasNotUsed() {
        Budget budget = budget(0, 0.5);
        assertThat(granted(budget)).isEqualTo(5);
        budget.giveBack(time.nanos());
        budget.giveBack(time.nanos());
        assertThat(granted(budget)).isEqualTo(2);
    }

    @Test
    void takesBackForTheTimeItWasSpentAt() {
        Budget budget = budget(0, 0.5);
        long spentAt = time.nanos();
        assertThat(budget.trySpend(spentAt)).isTrue();
        time.advance(Duration.ofSeconds(5));
        assertThat(granted(budget)).isEqualTo(4);
        budget.giveBack(spentAt);
        assertThat(budget.available()).isEqualTo(1);
        // Had it come off the four that were spent later, five would be free now for four that still count.
        time.advance(Duration.ofSeconds(6));
        assertThat(budget.available()).isEqualTo(1);
        time.advance(Duration.ofSeconds(5));
        assertThat(budget.available()).isEqualTo(5);
    }

    @Test
    void takesNothingBackThatIsForgottenAlready() {
        Budget budget = budget(0, 0.5);
        long spentAt = time.nanos();
        assertThat(granted(budget)).isEqualTo(5);
        time.advance(Duration.ofSeconds(20));
        budget.giveBack(spentAt);
        assertThat(granted(budget)).isEqualTo(5);
        time.advance(Duration.ofSeconds(1));
        assertThat(budget.available()).isZero();
        budget.giveBack(spentAt);
        assertThat(budget.available()).isZero();
    }

    @Test
    void neverHoldsMoreThanAllBecauseOfGivingBack() {
        Budget budget = budget(0, 0.5);
        for (int i = 0; i < 10; i++) {
            budget.giveBack(time.nanos());
        }
        assertThat(granted(budget)).isEqualTo(5);
    }

    // --------------------------------------------------------------------------------------------------------- sharing

    @Test
    void isOneBudgetForAllThatShareIt() {
        Budget budget = budget(0.2, 0);
        Budget other = budget.spendOnly();
        calls(budget, 25);
        calls(other, 1000);
        assertThat(granted(other)).isEqualTo(5);
        assertThat(granted(budget)).isZero();
        other.giveBack(time.nanos());
        assertThat(granted(budget)).isEqualTo(1);
    }

    @Test
    void goesOnWhenTheClockIsAnother() {
        Budget budget = budget(0, 0.5);
        assertThat(granted(budget)).isEqualTo(5);
        long now = time.nanos() - Duration.ofDays(1000).toNanos();
        assertThat(budget.trySpend(now)).isFalse();
        assertThat(budget.trySpend(now + Duration.ofSeconds(11).toNanos())).isTrue();
    }

    @Test
    void toleratesATimeThatIsSlightlyOld() {
        Budget budget = budget(0, 0.5);
        long before = time.nanos();
        time.advance(Duration.ofSeconds(3));
        assertThat(budget.trySpend(time.nanos())).isTrue();
        assertThat(budget.trySpend(before)).isTrue();
        assertThat(budget.available()).isEqualTo(3);
    }

    // -------------------------------------------------------------------------------------------------------- settings

    @ParameterizedTest
    @ValueSource(
            doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, -0.01, Double.MAX_VALUE})
    void refusesNumbersThatMakeNoSense(double value) {
        assertThatThrownBy(() -> Budget.builder().ratio(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ratio is " + value);
        assertThatThrownBy(() -> Budget.builder().minPerSecond(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("minPerSecond is " + value);
    }

    @Test
    void refusesAWindowThatMakesNoSense() {
        for (Duration window : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(999_999))) {
            assertThatThrownBy(() -> Budget.builder().window(window))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("window is");
        }
    }

    @Test
    void worksWithTheShortestAndTheLongestWindow() {
        for (Duration window : List.of(Duration.ofMillis(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            Budget budget = Budget.builder()
                    .time(time.time())
                    .ratio(0.5)
                    .minPerSecond(0)
                    .window(window)
                    .build();
            calls(budget, 10);
            assertThat(granted(budget)).isEqualTo(5);
            time.advance(Duration.ofDays(1));
            assertThat(budget.available()).isZero();
            calls(budget, 10);
            assertThat(granted(budget)).isEqualTo(5);
        }
    }

    @Test
    void describesItself() {
        assertThat(Budget.withDefaults().describe())
                .isEqualTo("20 % of the calls of the last PT10S plus 10 per second");
        assertThat(budget(0.125, 0.5))
                .hasToString("budget of 12.5 % of the calls of the last PT10S plus 0.5 per second");
    }

    // --------------------------------------------------------------------------------------------------------- helpers

    private Budget budget(double ratio, double minPerSecond) {
        return Budget.builder()
                .time(time.time())
                .ratio(ratio)
                .minPerSecond(minPerSecond)
                .build();
    }

    private static void calls(Budget budget, int count) {
        for (int i = 0; i < count; i++) {
            budget.onCall();
        }
    }

    private long granted(Budget budget) {
        long granted = 0;
        while (budget.trySpend(time.nanos())) {
            granted++;
        }
        return granted;
    }

    private static long count(List<Long> moments, long now, long backNanos) {
        return moments.stream().filter(each -> now - each < backNanos).count();
    }
}
