package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RollingWindowTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long START = Long.MAX_VALUE - 3;

    @Test
    void neverPassesMoreThanTheRateInAnyRollingPeriod() {
        RollingWindow window = new RollingWindow(15, 60 * SECOND, START);
        Passing passing = new Passing();
        for (long nanos = 59 * SECOND; nanos < 400 * SECOND; nanos += SECOND / 3) {
            while (window.tryTake(1, START + nanos)) {
                passing.add(1, START + nanos);
            }
        }
        assertThat(passing.mostWithin(60 * SECOND)).isEqualTo(15);
        assertThat(passing.count()).isEqualTo(15 * 6);
    }

    @Test
    void keepsToTheRateForRandomCallsOfRandomWeight() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int permits = 1 + random.nextInt(12);
            RollingWindow window = new RollingWindow(permits, 1_000, START);
            Passing passing = new Passing();
            long nowNanos = START;
            for (int i = 0; i < 300; i++) {
                nowNanos += random.nextInt(random.nextInt(10) == 0 ? 3_000 : 200);
                int weight = 1 + random.nextInt(permits);
                long waitNanos = window.takeOrWaitNanos(weight, nowNanos);
                if (waitNanos == 0) {
                    passing.add(weight, nowNanos);
                } else {
                    assertThat(window.tryTake(weight, nowNanos + waitNanos - 1))
                            .as("seed %d", seed)
                            .isFalse();
                }
            }
            assertThat(passing.mostWithin(1_000)).as("seed %d", seed).isLessThanOrEqualTo(permits);
        }
    }

    @Test
    void tellsTheWaitForMorePermitsThanItRemembers() {
        RollingWindow window = new RollingWindow(2, SECOND, START);
        window.close();
        assertThat(window.take(1, START)).isTrue();
        assertThat(window.take(1, START + SECOND / 4)).isTrue();
        long nowNanos = START + SECOND / 2;
        assertThat(window.waitNanos(1, nowNanos)).isEqualTo(SECOND / 2);
        assertThat(window.waitNanos(2, nowNanos)).isEqualTo(SECOND * 3 / 4);
        assertThat(window.waitNanos(3, nowNanos)).isEqualTo(SECOND * 3 / 2);
        assertThat(window.waitNanos(4, nowNanos)).isEqualTo(SECOND * 7 / 4);
        assertThat(window.waitNanos(Long.MAX_VALUE, nowNanos)).isPositive();
    }

    @Test
    void tellsWhatIsAvailable() {
        RollingWindow window = new RollingWindow(5, SECOND, START);
        window.close();
        assertThat(window.available(START)).isEqualTo(5);
        window.take(3, START);
        assertThat(window.available(START)).isEqualTo(2);
        window.take(2, START + SECOND / 2);
        assertThat(window.available(START + SECOND - 1)).isZero();
        assertThat(window.available(START + SECOND)).isEqualTo(3);
        assertThat(window.available(START + 2 * SECOND)).isEqualTo(5);
    }

    @Test
    void askingForMoreThanTheRateIsNeverGranted() {
        RollingWindow window = new RollingWindow(1, 5 * SECOND, START);
        assertThat(window.tryTake(2, START)).isFalse();
        assertThat(window.tryTake(Integer.MAX_VALUE, START)).isFalse();
        assertThat(window.takeOrWaitNanos(2, START)).isEqualTo(Meter.UNKNOWN);
        assertThat(window.tryTake(1, START)).isTrue();
    }

    @Test
    void permitsGivenBackLeaveTheWindowWhoeverCameAfterThem() {
        RollingWindow window = new RollingWindow(4, SECOND, START);
        window.close();
        window.take(2, START);
        long mark = window.mark();
        window.take(1, START + SECOND / 2);
        window.giveBack(2, mark, START + SECOND / 2);
        assertThat(window.available(START + SECOND / 2)).isEqualTo(3);
        assertThat(window.take(3, START + SECOND / 2)).isTrue();
        assertThat(window.take(1, START + SECOND)).isFalse();
        assertThat(window.take(4, START + SECOND * 3 / 2)).isTrue();
    }

    @Test
    void permitsGivenBackInAnyOrderNeverMakeMoreThanThereWouldHaveBeenWithoutThem() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            RollingWindow window = new RollingWindow(3, 30, START);
            window.close();
            Passing used = new Passing();
            long[] marks = new long[3];
            boolean[] out = new boolean[3];
            long nowNanos = START;
            for (int i = 0; i < 60; i++) {
                nowNanos += random.nextInt(12);
                int which = random.nextInt(3);
                if (out[which]) {
                    window.giveBack(1, marks[which], nowNanos);
                    out[which] = false;
                } else if (random.nextInt(3) == 0 && window.take(1, nowNanos)) {
                    marks[which] = window.mark();
                    out[which] = true;
                } else if (window.take(1, nowNanos)) {
                    used.add(1, nowNanos);
                }
            }
            assertThat(used.mostWithin(30)).as("seed %d", seed).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void aClockThatStepsBackBetweenThreadsGivesNothingAway() {
        RollingWindow window = new RollingWindow(2, 1_000, START);
        assertThat(window.tryTake(1, START + 500)).isTrue();
        assertThat(window.tryTake(1, START + 490)).isTrue();
        assertThat(window.tryTake(1, START + 1_499)).isFalse();
        assertThat(window.tryTake(2, START + 1_499)).isFalse();
        assertThat(window.tryTake(2, START + 1_500)).isTrue();
    }
}
