package io.nopanic.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlicesTest {

    private static final long ORIGIN_NANOS = -12_345;
    private static final long OLDEST_NANOS = (1L << 60) - 1;

    private static long slice(Slices slices, long ageNanos) {
        return slices.number(ORIGIN_NANOS + ageNanos);
    }

    private static void isTheQuotient(long lengthNanos, long ageNanos) {
        Slices slices = new Slices(ORIGIN_NANOS, lengthNanos);
        assertThat(slice(slices, ageNanos)).as("%s / %s", ageNanos, lengthNanos).isEqualTo(ageNanos / lengthNanos);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {9, 10, 16, 17, 16_000, 16_384, 31_250_000, 78_125_000, (1L << 40) - 1, 1L << 57, (1L << 58) - 1})
    void changesJustAtTheMultiplesOfItsLength(long lengthNanos) {
        long last = OLDEST_NANOS / lengthNanos;
        Random random = new Random(lengthNanos);
        for (int i = 0; i < 10_000; i++) {
            long number =
                    i < 100 ? Math.min(last, i) : i < 200 ? Math.max(0, last - i + 100) : random.nextLong(last + 1);
            isTheQuotient(lengthNanos, number * lengthNanos);
            isTheQuotient(lengthNanos, Math.max(0, number * lengthNanos - 1));
        }
        isTheQuotient(lengthNanos, OLDEST_NANOS);
    }

    @Test
    void isTheQuotientForAnyLength() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long lengthNanos = Math.max(9, random.nextLong() >>> (6 + random.nextInt(56)));
            isTheQuotient(lengthNanos, random.nextLong() >>> (4 + random.nextInt(60)));
        }
    }

    @Test
    void timesOutOfReachAreInTheFirstOrTheLast() {
        Slices slices = new Slices(ORIGIN_NANOS, 16_000);
        assertThat(slice(slices, -1)).isZero();
        assertThat(slice(slices, Long.MIN_VALUE)).isZero();
        assertThat(slice(slices, Long.MAX_VALUE)).isEqualTo(OLDEST_NANOS / 16_000);
    }
}
