package io.nopanic.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.time.Nanos;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final double ALMOST_ONE = Math.nextDown(1.0);
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    // ---------------- sequences

    @Test
    void startsExponentialDelaysAtTheBase() {
        assertThat(millis(Backoff.exponential(ms(100)), 4)).containsExactly(100L, 200L, 400L, 800L);
        assertThat(millis(Backoff.exponential(ms(100), 1.5), 4)).containsExactly(100L, 150L, 225L, 337L);
        assertThat(millis(Backoff.exponential(ms(100), 1), 3)).containsExactly(100L, 100L, 100L);
    }

    @Test
    void addsTheTwoDelaysBeforeInFibonacci() {
        assertThat(millis(Backoff.fibonacci(ms(100)), 7)).containsExactly(100L, 100L, 200L, 300L, 500L, 800L, 1300L);
    }

    @Test
    void repeatsAFixedDelayAndNone() {
        assertThat(millis(Backoff.fixed(ms(250)), 3)).containsExactly(250L, 250L, 250L);
        assertThat(millis(Backoff.none(), 3)).containsExactly(0L, 0L, 0L);
        assertThat(millis(Backoff.fixed(Duration.ofMinutes(2)), 1)).containsExactly(120_000L);
    }

    @Test
    void endsAfterTheLastDelayOfAList() {
        Backoff backoff = Backoff.of(ms(10), ms(0), ms(50));
        assertThat(millis(backoff, 3)).containsExactly(10L, 0L, 50L);
        assertThat(backoff.delayNanos(4, 0, 0.5)).isEqualTo(Backoff.STOP);
        assertThat(backoff.delayNanos(Integer.MAX_VALUE, 0, 0.5)).isEqualTo(Backoff.STOP);
    }

    @Test
    void asksAFunctionWithAttemptResultAndError() {
        IOException failure = new IOException();
        Backoff backoff = Backoff.of((attempt, result, error) -> error == failure ? ms(attempt) : (Duration) result);
        assertThat(backoff.delayNanos(7, 0, 0.5, null, failure)).isEqualTo(nanos(7));
        assertThat(backoff.delayNanos(7, 0, 0.5, ms(-3), null)).isZero();
        assertThat(backoff.delayNanos(7, 0, 0.5, HUGE, null)).isEqualTo(Nanos.FOREVER);
        assertThat(backoff.delayNanos(7, 0, 0.5, null, null)).isEqualTo(Backoff.STOP);
    }

    @Test
    void cutsAnyKindOfDelayAtTheCap() {
        assertThat(millis(Backoff.exponential(ms(100)).withCap(ms(350)), 4)).containsExactly(100L, 200L, 350L, 350L);
        assertThat(millis(Backoff.of(ms(1), ms(500)).withCap(ms(350)), 2)).containsExactly(1L, 350L);
        assertThat(millis(Backoff.of((attempt, result, error) -> HUGE).withCap(ms(350)), 1))
                .containsExactly(350L);
    }

    @Test
    void capsGrowingDelaysAtThirtySecondsOrTheBaseUnlessTold() {
        assertThat(Backoff.exponential(ms(1)).delayNanos(1000, 0, 0)).isEqualTo(nanos(30_000));
        assertThat(Backoff.fibonacci(ms(1)).delayNanos(1000, 0, 0)).isEqualTo(nanos(30_000));
        assertThat(Backoff.exponential(Duration.ofMinutes(1)).delayNanos(1000, 0, 0))
                .isEqualTo(nanos(60_000));
    }

    // ---------------- overflow

    static Stream<Backoff> growingBackoffs() {
        List<Backoff> all = new ArrayList<>();
        for (Duration base : List.of(Duration.ofNanos(1), ms(500), Duration.ofDays(400 * 365), HUGE)) {
            for (Duration cap : List.of(Duration.ofSeconds(30), HUGE)) {
                all.add(Backoff.exponential(base).withCap(cap));
                all.add(Backoff.exponential(base, 1.1).withCap(cap));
                all.add(Backoff.exponential(base, 1_000_000).withCap(cap));
                all.add(Backoff.fibonacci(base).withCap(cap));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("growingBackoffs")
    void growsWithoutOverflowForEveryAttempt(Backoff backoff) {
        long previous = 1;
        for (int attempt = 1; attempt <= 5000; attempt++) {
            long delay = backoff.delayNanos(attempt, 0, 0.5);
            assertThat(delay).as("attempt %d of %s", attempt, backoff).isBetween(previous, Nanos.FOREVER);
            previous = delay;
        }
        for (int attempt : new int[] {Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
            assertThat(backoff.delayNanos(attempt, 0, 0.5)).isEqualTo(previous);
        }
    }

    @Test
    void staysAtThirtySecondsOnceThere() {
        Backoff backoff = Backoff.exponential(ms(500)).withCap(Duration.ofSeconds(30));
        for (int attempt = 7; attempt <= 5000; attempt++) {
            assertThat(backoff.delayNanos(attempt, 0, 0.5)).isEqualTo(nanos(30_000));
        }
    }

    static Stream<Backoff> spreadBackoffs() {
        List<Backoff> all = new ArrayList<>();
        for (Duration base : List.of(Duration.ofNanos(1), Duration.ofNanos(900_000), ms(100), HUGE)) {
            for (Duration cap : List.of(Duration.ofNanos(1), ms(500), HUGE)) {
                all.add(Backoff.fullJitter(base, cap));
                all.add(Backoff.equalJitter(base, cap));
                all.add(Backoff.decorrelatedJitter(base, cap));
                all.add(Backoff.exponential(base).withCap(cap).withJitter(0.5));
                all.add(Backoff.exponential(base).withCap(cap).withJitter(1));
                all.add(Backoff.exponential(base).withCap(cap).withJitter(ms(10)));
                all.add(Backoff.exponential(base).withCap(cap).withJitter(HUGE));
                all.add(Backoff.fixed(base).withJitter(1.0));
                all.add(Backoff.fixed(base).withJitter(HUGE));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("spreadBackoffs")
    void staysWithinZeroAndTheCapWhateverTheRandomNumber(Backoff backoff) {
        long cap = Backoff.of((attempt, result, error) -> HUGE).delayNanos(1, 0, 0);
        if (backoff.describe().contains("at most PT0.5S")) {
            cap = nanos(500);
        } else if (backoff.describe().contains("at most PT0.000000001S")) {
            cap = 1;
        }
        for (int attempt : new int[] {1, 2, 3, 31, 63, 64, 1024, 5000, Integer.MAX_VALUE}) {
            for (long previous : new long[] {0, 1, nanos(60_000), Nanos.FOREVER, Long.MAX_VALUE}) {
                for (double random :
                        new double[] {0, 0.5, ALMOST_ONE, 1, 2, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
                    assertThat(backoff.delayNanos(attempt, previous, random))
                            .as("attempt %d after %d at %s of %s", attempt, previous, random, backoff)
                            .isBetween(0L, cap);
                }
            }
        }
    }

    // ---------------- jitter

    @Test
    void drawsFullJitterFromZeroToTheDelay() {
        Backoff backoff = Backoff.fullJitter(ms(100), Duration.ofSeconds(30));
        assertRange(backoff, 1, 0, 100);
        assertRange(backoff, 3, 0, 400);
        assertRange(backoff, 5000, 0, 30_000);
        assertThat(backoff.delayNanos(1, 0, 0.25)).isEqualTo(nanos(25));
    }

    @Test
    void drawsEqualJitterFromHalfTheDelayToTheDelay() {
        Backoff backoff = Backoff.equalJitter(ms(100), Duration.ofSeconds(30));
        assertRange(backoff, 1, 50, 100);
        assertRange(backoff, 5000, 15_000, 30_000);
    }

    @Test
    void drawsDecorrelatedJitterFromTheBaseToThreeTimesThePreviousDelay() {
        Backoff backoff = Backoff.decorrelatedJitter(ms(100), Duration.ofSeconds(1));
        assertRange(backoff, 1, 0, 100, 300);
        assertRange(backoff, 2, 200, 100, 600);
        assertRange(backoff, 3, 50, 100, 300);
    }

    @Test
    void keepsTheSpreadOfDecorrelatedJitterAtTheCapAndAfterALongHint() {
        Backoff backoff = Backoff.decorrelatedJitter(ms(100), Duration.ofSeconds(1));
        assertRange(backoff, 3, 900, 100, 1000);
        assertRange(backoff, 3, 60_000, 100, 1000);
        long below = 0;
        for (int i = 0; i < 1000; i++) {
            below += backoff.delayNanos(3, nanos(1000), i / 1000.0) < nanos(1000) ? 1 : 0;
        }
        assertThat(below).isGreaterThan(990);
    }

    @Test
    void neverPassesTheCapWithAShareAsJitterAndKeepsItsSpreadThere() {
        Backoff backoff = Backoff.exponential(ms(100)).withCap(ms(500)).withJitter(0.5);
        assertRange(backoff, 1, 50, 150);
        assertRange(backoff, 2, 100, 300);
        assertRange(backoff, 3, 200, 500);
        assertRange(backoff, 4, 250, 500);
        assertRange(backoff, 5000, 250, 500);
    }

    @Test
    void addsAWidthOfJitterAndMovesItDownAtTheCap() {
        Backoff backoff = Backoff.exponential(ms(100)).withCap(ms(405)).withJitter(ms(10));
        assertRange(backoff, 1, 100, 110);
        assertRange(backoff, 3, 395, 405);
        assertRange(backoff, 9, 395, 405);
    }

    @Test
    void addsJitterToADelayOfZero() {
        assertRange(Backoff.exponential(Duration.ZERO).withJitter(ms(10)), 1, 0, 10);
        assertRange(Backoff.exponential(Duration.ZERO).withJitter(ms(10)), 40, 0, 10);
        assertRange(Backoff.none().withJitter(ms(10)), 1, 0, 10);
        assertThat(Backoff.exponential(Duration.ZERO).withFullJitter().delayNanos(3, 0, ALMOST_ONE))
                .isZero();
    }

    @Test
    void keepsNoPositionBetweenCalls() {
        Backoff backoff = Backoff.exponential(ms(100));
        assertThat(millis(backoff, 3)).containsExactly(100L, 200L, 400L);
        assertThat(millis(backoff, 3)).containsExactly(100L, 200L, 400L);
    }

    @Test
    void usesNanosecondsThroughout() {
        assertThat(Backoff.fixed(Duration.ofNanos(900_000)).delayNanos(1, 0, 0)).isEqualTo(900_000);
        assertThat(Backoff.exponential(Duration.ofNanos(1)).delayNanos(3, 0, 0)).isEqualTo(4);
        assertThat(Backoff.fixed(HUGE).delayNanos(1, 0, 0)).isEqualTo(Nanos.FOREVER);
        assertThat(Backoff.of(HUGE).delayNanos(1, 0, 0)).isEqualTo(Nanos.FOREVER);
    }

    // ---------------- settings

    @ParameterizedTest
    @ValueSource(
            doubles = {
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                0,
                -1,
                0.99,
                Double.MIN_VALUE,
                Double.MAX_VALUE
            })
    void refusesAFactorThatMakesNoSense(double factor) {
        assertThatThrownBy(() -> Backoff.exponential(ms(100), factor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("factor is " + factor);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -1, 1.01})
    void refusesAShareOfJitterThatMakesNoSense(double share) {
        assertThatThrownBy(() -> Backoff.none().withJitter(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jitter is " + share);
    }

    @Test
    void refusesDurationsThatMakeNoSense() {
        assertThatThrownBy(() -> Backoff.fixed(ms(-1))).hasMessageContaining("delay is PT-0.001S");
        assertThatThrownBy(() -> Backoff.exponential(ms(-1))).hasMessageContaining("base is");
        assertThatThrownBy(() -> Backoff.fibonacci(ms(-1))).hasMessageContaining("base is");
        assertThatThrownBy(() -> Backoff.fullJitter(ms(0), ms(1))).hasMessageContaining("base is");
        assertThatThrownBy(() -> Backoff.equalJitter(ms(1), ms(0))).hasMessageContaining("cap is");
        assertThatThrownBy(() -> Backoff.decorrelatedJitter(ms(0), ms(1))).hasMessageContaining("base is");
        assertThatThrownBy(() -> Backoff.none().withCap(ms(0))).hasMessageContaining("cap is");
        assertThatThrownBy(() -> Backoff.none().withJitter(ms(0))).hasMessageContaining("jitter is");
        assertThatThrownBy(() -> Backoff.of(ms(1), ms(-1))).hasMessageContaining("delays[1] is");
        assertThatThrownBy(() -> Backoff.of(List.of())).hasMessageContaining("delays is []");
    }

    @Test
    void describesItself() {
        assertThat(Backoff.fullJitter().describe())
                .isEqualTo("exponential from PT0.1S by 2.0, at most PT30S, full jitter");
        assertThat(Backoff.none().describe()).isEqualTo("no delay");
        assertThat(Backoff.of(ms(1), ms(2)).withJitter(0.1).describe())
                .isEqualTo("delays [PT0.001S, PT0.002S], jitter of 0.1 of it");
    }

    // ---------------- helpers

    private static void assertRange(Backoff backoff, int attempt, long fromMillis, long toMillis) {
        assertRange(backoff, attempt, 0, fromMillis, toMillis);
    }

    private static void assertRange(Backoff backoff, int attempt, long previousMillis, long fromMillis, long toMillis) {
        assertThat(backoff.delayNanos(attempt, nanos(previousMillis), 0)).isEqualTo(nanos(fromMillis));
        assertThat(backoff.delayNanos(attempt, nanos(previousMillis), ALMOST_ONE))
                .isEqualTo(nanos(toMillis));
    }

    private static List<Long> millis(Backoff backoff, int count) {
        List<Long> delays = new ArrayList<>();
        long previous = 0;
        for (int attempt = 1; attempt <= count; attempt++) {
            previous = backoff.delayNanos(attempt, previous, 0.5);
            delays.add(TimeUnit.NANOSECONDS.toMillis(previous));
        }
        return delays;
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
