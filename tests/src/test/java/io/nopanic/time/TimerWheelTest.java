package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerWheelTest {

    private static final long TICK = TimerWheel.TICK_NANOS;

    /** The clock overflows two seconds after the start. */
    private static final long ORIGIN = Long.MAX_VALUE - 2_000_000_000L;

    private final TimerWheel wheel = new TimerWheel(ORIGIN);
    private long now = ORIGIN;

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                TICK - 1,
                TICK,
                TICK + 1,
                400_000,
                900_000,
                63 * TICK,
                64 * TICK - 1,
                64 * TICK,
                64 * TICK + 1,
                1_999_999_999L,
                2_000_000_000L,
                2_000_000_001L,
                64 * 64 * TICK,
                30_000_000_000L,
                64L * 64 * 64 * TICK - 1,
                64L * 64 * 64 * 64 * TICK,
                400 * 86_400_000_000_000L,
                Nanos.FOREVER - 1,
                Nanos.FOREVER
            })
    void isNeverEarlyAndLateByLessThanTwoTicks(long delay) {
        now += 12_345;
        Timed timed = add(delay);
        assertThat(wheel.poll(now + delay - 1)).isNull();
        assertThat(wheel.poll(now + delay + 2 * TICK - 1)).isSameAs(timed);
        assertThat(wheel.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 300_000, 10_000_000, 1_000_000_000, 30_000_000_000L, 86_400_000_000_000L, Nanos.FOREVER})
    void reachesATimerInAtMostOneStepPerLevel(long delay) {
        Timed timed = add(delay);
        int steps = 0;
        while (wheel.poll(now) == null) {
            long step = wheel.nanosUntilNext(now);
            assertThat(step).isPositive().isLessThan(Nanos.FOREVER);
            now += step;
            steps++;
        }
        assertThat(steps).isBetween(1, TimerWheel.LEVELS + 1);
        assertThat(now - timed.due).isBetween(0L, TICK);
    }

    @Test
    void givesTimersOfOneTickInTheOrderInWhichTheyWereAdded() {
        long due = ORIGIN + 30_000_000_000L;
        List<Timed> added = new ArrayList<>();
        // Added from far away, from nearer, and from very near, so that they start on different levels.
        for (long distance : new long[] {30_000_000_000L, 29_000_000_000L, 400_000_000L, 3_000_000L, 200_000L}) {
            now = due - distance;
            assertThat(wheel.poll(now)).isNull();
            added.add(add(distance));
            added.add(add(distance));
        }
        now = due + TICK;
        assertThat(pollAll()).containsExactlyElementsOf(added);
    }

    @Test
    void forgetsWhatIsRemovedAtOnce() {
        for (int i = 0; i < 1_000_000; i++) {
            Timed timed = add(30_000_000_000L + i);
            assertThat(wheel.remove(timed)).isTrue();
            now += 50;
        }
        assertThat(wheel.size()).isZero();
        assertThat(wheel.nanosUntilNext(now)).isEqualTo(Nanos.FOREVER);
    }

    @Test
    void removesOnlyWhatIsThere() {
        Timed timed = add(1_000);
        Timed other = add(1_000);
        assertThat(wheel.remove(timed)).isTrue();
        assertThat(wheel.remove(timed)).isFalse();
        now += 2 * TICK;
        assertThat(wheel.poll(now)).isSameAs(other);
        assertThat(wheel.remove(other)).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void removesATimerThatIsDueButNotYetTaken() {
        Timed one = add(1_000);
        Timed two = add(1_000);
        Timed three = add(1_000);
        now += 2 * TICK;
        assertThat(wheel.poll(now)).isSameAs(one);
        assertThat(wheel.remove(two)).isTrue();
        assertThat(wheel.nanosUntilNext(now)).isZero();
        assertThat(pollAll()).containsExactly(three);
    }

    @Test
    void aShortTimerBesideALongOneNeedsNoExtraStep() {
        add(30_000_000_000L);
        now += 780 * TICK;
        Timed timed = add(20 * TICK);
        assertThat(wheel.nanosUntilNext(now)).isEqualTo(20 * TICK);
        now += 20 * TICK;
        assertThat(wheel.poll(now)).isSameAs(timed);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void agreesWithASortedList(int seed) {
        Random random = new Random(seed);
        List<Timed> model = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int choice = random.nextInt(10);
            if (choice < 5) {
                model.add(add(randomDuration(random)));
            } else if (choice == 7) {
                now += randomDuration(random) / 8;
            } else if (choice < 7 && !model.isEmpty()) {
                assertThat(wheel.remove(model.remove(random.nextInt(model.size()))))
                        .isTrue();
            } else {
                now += choice == 9 ? Math.max(0, wheel.nanosUntilNext(now)) % (1L << 45) : randomDuration(random) / 8;
                List<Timed> due = new ArrayList<>(model);
                due.removeIf(timed -> timed.tick() > Math.floorDiv(now - ORIGIN, TICK));
                due.sort(Comparator.comparingLong(Timed::tick).thenComparingInt(timed -> timed.number));
                assertThat(pollAll()).as("seed %d, step %d", seed, i).containsExactlyElementsOf(due);
                model.removeAll(due);
            }
            assertThat(wheel.size()).isEqualTo(model.size());
        }
    }

    /** From nanoseconds to days, each order of magnitude as often as any other. */
    private static long randomDuration(Random random) {
        return random.nextLong() >>> (17 + random.nextInt(46));
    }

    private Timed add(long delay) {
        Timed timed = new Timed(now + delay);
        wheel.add(timed, now + delay, now);
        return timed;
    }

    private List<Timed> pollAll() {
        List<Timed> all = new ArrayList<>();
        for (TimerWheel.Node node = wheel.poll(now); node != null; node = wheel.poll(now)) {
            all.add((Timed) node);
        }
        return all;
    }

    private int added;

    private final class Timed extends TimerWheel.Node {
        final long due;
        final int number = added++;

        Timed(long due) {
            this.due = due;
        }

        long tick() {
            return -Math.floorDiv(ORIGIN - due, TICK);
        }

        @Override
        public String toString() {
            return "#" + number + "@" + (due - ORIGIN);
        }
    }
}
