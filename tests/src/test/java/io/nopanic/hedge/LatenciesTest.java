package io.nopanic.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {

    private static final long START = Long.MAX_VALUE - 1_000_000_000L;
    private static final long MS = 1_000_000;

    private final Latencies latencies = new Latencies();

    @Test
    void knowsNothingBeforeEnoughCalls() {
        assertThat(latencies.quantileNanos(0.5, 1)).isEqualTo(Latencies.UNKNOWN);
        record(99, 10 * MS, START);
        assertThat(latencies.quantileNanos(0.5, 100)).isEqualTo(Latencies.UNKNOWN);
        record(1, 10 * MS, START);
        assertThat(latencies.quantileNanos(0.5, 100)).isGreaterThan(0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.5, 0.9, 0.95, 0.99, 0.999})
    void isNeverTooLowAndAtMostASixteenthTooHigh(double quantile) {
        Random random = new Random(42);
        long[] all = new long[20_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) (10 * MS * Math.exp(random.nextGaussian()));
            latencies.record(all[i], START);
        }
        Arrays.sort(all);
        long exact = all[(int) Math.ceil(quantile * all.length) - 1];

        assertThat(latencies.quantileNanos(quantile, 1)).isBetween(exact, exact + exact / 16 + 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 1023, 1024, 1L << 40, (1L << 41) - 1, 1L << 41, Long.MAX_VALUE})
    void anyLatencyHasACell(long latencyNanos) {
        latencies.record(latencyNanos, START);

        assertThat(latencies.quantileNanos(0.5, 1)).isBetween(1024L + 64, 1L << 41);
    }

    @Test
    void thePastFadesByHalfPerPeriod() {
        record(1000, 100 * MS, START);
        record(600, 10 * MS, START + Latencies.HALF_LIFE_NANOS);
        assertThat(latencies.quantileNanos(0.5, 1)).isCloseTo(10 * MS, within(MS));

        record(1, 10 * MS, START + 21 * Latencies.HALF_LIFE_NANOS);
        assertThat(latencies.quantileNanos(0.999, 1)).isCloseTo(10 * MS, within(MS));
    }

    @Test
    void afterALongSilenceItHasToWarmUpAgain() {
        record(1000, 100 * MS, START);
        record(1, 10 * MS, START + 100 * Latencies.HALF_LIFE_NANOS);

        assertThat(latencies.quantileNanos(0.5, 2)).isEqualTo(Latencies.UNKNOWN);
        assertThat(latencies.quantileNanos(0.5, 1)).isCloseTo(10 * MS, within(MS));
    }

    @Test
    void aRareSlowCallSurvivesSeveralHalvings() {
        record(1, 1000 * MS, START);
        record(9, 10 * MS, START);
        for (int period = 1; period <= 5; period++) {
            latencies.record(10 * MS, START + period * Latencies.HALF_LIFE_NANOS);
        }

        assertThat(latencies.quantileNanos(0.999, 1)).isCloseTo(1000 * MS, within(63 * MS));
    }

    @Test
    void aClockThatSeemsToGoBackFadesNothing() {
        record(10, 10 * MS, START);
        record(10, 10 * MS, START - 5 * MS);

        assertThat(latencies.quantileNanos(0.5, 20)).isGreaterThan(0);
    }

    @Test
    void asksToBeReadAgainEverySixteenCallsAndAfterFading() {
        int readings = 0;
        for (int i = 0; i < 160; i++) {
            readings += latencies.record(MS, START) ? 1 : 0;
        }
        assertThat(readings).isEqualTo(10);
        assertThat(latencies.record(MS, START + Latencies.HALF_LIFE_NANOS)).isTrue();
    }

    @Test
    void noCallIsLostBetweenThreads() throws Exception {
        int threads = 4;
        int each = 25_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            new Thread(() -> {
                        record(each, 10 * MS, START);
                        done.countDown();
                    })
                    .start();
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(latencies.quantileNanos(0.5, threads * each)).isGreaterThan(0);
        assertThat(latencies.quantileNanos(0.5, threads * each + 1)).isEqualTo(Latencies.UNKNOWN);
    }

    private void record(int calls, long latencyNanos, long nowNanos) {
        for (int i = 0; i < calls; i++) {
            latencies.record(latencyNanos, nowNanos);
        }
    }
}
