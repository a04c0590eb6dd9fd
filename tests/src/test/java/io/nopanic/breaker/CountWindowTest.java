package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.events.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A count window beside a list of all outcomes. */
class CountWindowTest {

    private static final List<Ending> BAD =
            List.of(Ending.FAILURE, Ending.TIMEOUT, Ending.SLOW_SUCCESS, Ending.SLOW_FAILURE, Ending.SLOW_TIMEOUT);
    private static final double[] RATES = {0.01, 0.1, 1.0 / 3, 0.5, 0.9, 1, Thresholds.OFF};

    private static Counts last(List<Ending> all, int calls, long overdue) {
        List<Ending> last = all.subList(Math.max(0, all.size() - calls), all.size());
        return new Counts(
                last.size() + overdue,
                count(last, Ending::isFailed),
                count(last, Ending::isTimeout),
                count(last, Ending::isSlow) + overdue,
                count(last, Ending::isBad) + overdue);
    }

    private static long count(List<Ending> endings, Predicate<Ending> which) {
        return endings.stream().filter(which).count();
    }

    private static double rate(Random random) {
        return RATES[random.nextInt(RATES.length)];
    }

    private static Ending ending(Random random, int badInTen) {
        return random.nextInt(10) < badInTen ? BAD.get(random.nextInt(BAD.size())) : Ending.SUCCESS;
    }

    /** So many calls are overdue, of as many as may be. */
    private record Some(long atMost, long overdue) implements Overdue {

        @Override
        public long overdue(long nowNanos) {
            return overdue;
        }

        @Override
        public long atMost(long nowNanos) {
            return atMost;
        }

        @Override
        public long look(long nowNanos) {
            return overdue;
        }
    }

    private static Overdue overdue(Random random) {
        long atMost = Math.max(0, random.nextInt(20) - 10);
        return new Some(atMost, random.nextLong(atMost + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 15, 16, 17, 31, 32, 33, 100})
    void holdsTheLastOutcomesAndOpensWithTheRightOne(int calls) {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Thresholds thresholds = new Thresholds(1 + random.nextInt(calls), rate(random), rate(random), rate(random));
            CountWindow window = new CountWindow(thresholds, calls);
            List<Ending> all = new ArrayList<>();
            for (int step = 0; step < 5 * calls + 20; step++) {
                // Now and then a stretch of good calls, so that the window becomes clean.
                int badInTen = step / (2 * calls) % 2 == 0 ? random.nextInt(10) : 0;
                Ending ending = ending(random, badInTen);
                all.add(ending);
                assertThat(window.record(ending, 0)).isEqualTo(ending.isBad());
                Overdue inFlight = overdue(random);
                Counts expected = last(all, calls, inFlight.overdue(0));
                assertThat(window.counts(inFlight, 0)).isEqualTo(expected);
                assertThat(window.reaches(inFlight, 0))
                        .as("%s of %s with %s", thresholds, expected, inFlight)
                        .isEqualTo(thresholds.areReached(expected));
            }
        }
    }

    @Test
    void looksForOverdueCallsOnlyIfSoManyAsMayBeWouldBeEnough() {
        CountWindow window = new CountWindow(new Thresholds(4, Thresholds.OFF, 0.5, Thresholds.OFF), 100);
        for (int i = 0; i < 10; i++) {
            window.record(Ending.SUCCESS, 0);
        }
        int[] looks = new int[1];
        class Asked implements Overdue {
            @Override
            public long overdue(long nowNanos) {
                looks[0]++;
                return 10;
            }

            @Override
            public long atMost(long nowNanos) {
                return 10 - looks[0];
            }

            @Override
            public long look(long nowNanos) {
                return overdue(nowNanos);
            }
        }
        Overdue calls = new Asked();
        assertThat(window.reaches(calls, 0)).isTrue();
        assertThat(looks[0]).isOne();
        assertThat(window.reaches(calls, 0)).as("9 of 19").isFalse();
        assertThat(looks[0]).isOne();
    }
}
