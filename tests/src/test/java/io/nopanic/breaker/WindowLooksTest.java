package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens while somebody adds a window up. The question for overdue calls is where another thread gets in between. */
class WindowLooksTest {

    private static final Thresholds HALF_SLOW = new Thresholds(4, Thresholds.OFF, 0.5, Thresholds.OFF);
    private static final Thresholds HALF_FAILED = new Thresholds(5, 0.5, Thresholds.OFF, Thresholds.OFF);

    private record Asked(LongSupplier answer, int[] looks) implements Overdue {

        Asked(LongSupplier answer) {
            this(answer, new int[1]);
        }

        @Override
        public long overdue(long nowNanos) {
            return answer.getAsLong();
        }

        @Override
        public long atMost(long nowNanos) {
            return 1;
        }

        @Override
        public long look(long nowNanos) {
            looks[0]++;
            return answer.getAsLong();
        }
    }

    private static Window window(String kind, Thresholds thresholds) {
        return kind.equals("time")
                ? new TimeWindow(thresholds, 30_000_000_000L, 10, 0)
                : new CountWindow(thresholds, 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"time", "count"})
    void aCallThatComesBackMeanwhileIsNotCountedTwice(String kind) {
        Window window = window(kind, HALF_SLOW);
        for (int i = 0; i < 3; i++) {
            window.record(Ending.SUCCESS, 0);
        }
        window.record(Ending.SLOW_SUCCESS, 0);
        boolean[] isBack = {false};
        Asked oneThatComesBack = new Asked(() -> {
            if (isBack[0]) {
                return 0;
            }
            isBack[0] = true;
            window.record(Ending.SLOW_SUCCESS, 0);
            return 1;
        });
        assertThat(window.reaches(oneThatComesBack, 0)).isFalse();
    }

    @Test
    void whoLooksMeanwhileTakesNoConclusionThatHolds() {
        Window window = window("time", HALF_FAILED);
        Asked second = new Asked(() -> 0);
        window.reaches(
                new Asked(() -> {
                    window.reaches(second, 0);
                    return 0;
                }),
                0);
        assertThat(second.looks[0]).isZero();
    }

    /** A time window that holds 1,000 good calls, so that the next look deals out limits of more than one failure. */
    private static Window healthyWindow() {
        Window window = window("time", HALF_FAILED);
        for (int i = 0; i < 1000; i++) {
            window.record(Ending.SUCCESS, 0);
        }
        return window;
    }

    private static boolean look(Window window, Runnable meanwhile) {
        return window.reaches(
                new Asked(() -> {
                    meanwhile.run();
                    return 0;
                }),
                0);
    }

    private static void fail(Window window, int times) {
        for (int i = 0; i < times; i++) {
            window.record(Ending.FAILURE, 0);
        }
    }

    @Test
    void limitsHoldAlthoughOthersLookedMeanwhile() {
        Window window = healthyWindow();
        assertThat(window.record(Ending.FAILURE, 0)).as("without limits").isTrue();
        look(window, () -> {
            assertThat(window.record(Ending.FAILURE, 0)).isTrue();
            assertThat(window.reaches(Overdue.NONE, 0)).isFalse();
        });
        assertThat(window.record(Ending.FAILURE, 0)).as("with limits").isFalse();
    }

    @Test
    void noLimitHoldsIfOneIsReachedMeanwhile() {
        Window window = healthyWindow();
        look(window, () -> fail(window, 100));
        assertThat(window.record(Ending.FAILURE, 0)).isTrue();
        look(window, () -> {});
        assertThat(window.record(Ending.FAILURE, 0)).as("with limits again").isFalse();
    }

    @Test
    void whoDealtInVainLooksAgain() {
        Window window = healthyWindow();
        assertThat(look(window, () -> fail(window, 1000))).isTrue();
    }
}
