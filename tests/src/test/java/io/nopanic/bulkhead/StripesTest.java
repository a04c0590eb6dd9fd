package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class StripesTest {

    private static final long HOMES = 1L << 32;

    @Test
    void oneThreadCanTakeEveryPermitWhereverItLies() {
        Stripes stripes = open(8, 20);
        for (int taken = 0; taken < 20; taken++) {
            assertThat(stripes.free()).isEqualTo(20 - taken);
            assertThat(stripes.tryTake()).isEqualTo(Stripes.home());
        }
        assertThat(stripes.tryTake()).isEqualTo(Stripes.NONE);
        assertThat(stripes.free()).isZero();
    }

    @Test
    void aPermitGivenBackFarFromHomeIsFound() {
        for (int stripe = 0; stripe < 8; stripe++) {
            Stripes stripes = open(8, 0);
            assertThat(stripes.tryTake()).isEqualTo(Stripes.NONE);
            assertThat(stripes.tryGiveBack(homeOf(stripe, 8))).isTrue();
            assertThat(stripes.tryTake()).isEqualTo(Stripes.home());
            assertThat(stripes.tryTake()).isEqualTo(Stripes.NONE);
        }
    }

    @Test
    void whileClosedNothingGoesInOrOut() {
        Stripes stripes = open(4, 9);
        stripes.tryTake();
        assertThat(stripes.close()).isEqualTo(8);
        assertThat(stripes.tryTake()).isEqualTo(Stripes.CLOSED);
        for (int stripe = 0; stripe < 4; stripe++) {
            assertThat(stripes.tryGiveBack(homeOf(stripe, 4))).isFalse();
        }
        stripes.open(3);
        assertThat(stripes.free()).isEqualTo(3);
        assertThat(stripes.close()).isEqualTo(3);
    }

    @Test
    void areNoMoreThanThePermits() {
        assertThat(Stripes.suitable(1)).isEqualTo(1);
        assertThat(Stripes.suitable(3)).isEqualTo(3);
        assertThat(Stripes.suitable(Integer.MAX_VALUE)).isBetween(4, 32);
    }

    @Test
    void threadsThatFollowEachOtherHaveHomesOfTheirOwn() throws Exception {
        Map<Long, Integer> threadsOfStripe = new HashMap<>();
        for (int i = 0; i < 64; i++) {
            long[] home = new long[1];
            Thread thread = new Thread(() -> home[0] = Stripes.home());
            thread.start();
            thread.join();
            assertThat(home[0]).isBetween(0L, HOMES - 1);
            threadsOfStripe.merge(home[0] * 8 / HOMES, 1, Integer::sum);
        }
        assertThat(threadsOfStripe).hasSize(8);
        assertThat(threadsOfStripe.values()).allMatch(threads -> threads <= 12);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 32})
    void behaveLikeOneCounter(int count) {
        SplittableRandom random = new SplittableRandom(count);
        Stripes stripes = open(count, 10);
        int free = 10;
        boolean closed = false;
        for (int i = 0; i < 20_000; i++) {
            int step = random.nextInt(20);
            if (step == 0 && !closed) {
                assertThat(stripes.close()).isEqualTo(free);
                closed = true;
            } else if (step == 1 && closed) {
                free = random.nextInt(30);
                stripes.open(free);
                closed = false;
            } else if (step < 11) {
                long expected = closed ? Stripes.CLOSED : free == 0 ? Stripes.NONE : Stripes.home();
                assertThat(stripes.tryTake()).isEqualTo(expected);
                free -= expected >= 0 ? 1 : 0;
            } else if (stripes.tryGiveBack(random.nextLong(HOMES))) {
                assertThat(closed).isFalse();
                free++;
            } else {
                assertThat(closed).isTrue();
            }
            if (!closed) {
                assertThat(stripes.free()).isEqualTo(free);
            }
        }
    }

    /**
     * As many permits as threads, of which each has one at most: whoever asks, there is one for it, though it keeps moving. The more stripes, the longer a look at all
     * of them takes.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void nobodyIsRefusedWhileAPermitIsFree(int count) throws Exception {
        int threads = 2;
        Stripes stripes = open(count, threads);
        inAll(threads, number -> {
            SplittableRandom random = new SplittableRandom(number);
            for (int i = 0; i < 500_000; i++) {
                if (stripes.tryTake() < 0) {
                    throw new AssertionError("refused in round " + i);
                }
                assertThat(stripes.tryGiveBack(random.nextLong(HOMES))).isTrue();
            }
        });
        assertThat(stripes.free()).isEqualTo(threads);
    }

    @Test
    void closingAndOpeningLosesNoPermitAndRefusesNobodyForGood() throws Exception {
        int threads = 4;
        Stripes stripes = open(4, threads);
        inAll(threads + 1, number -> {
            if (number == threads) {
                for (int i = 0; i < 20_000; i++) {
                    stripes.open(stripes.close());
                }
                return;
            }
            SplittableRandom random = new SplittableRandom(number);
            for (int i = 0; i < 100_000; i++) {
                long permit;
                while ((permit = stripes.tryTake()) < 0) {
                    if (permit == Stripes.NONE) {
                        throw new AssertionError("none free in round " + i);
                    }
                    Thread.yield();
                }
                while (!stripes.tryGiveBack(random.nextLong(HOMES))) {
                    Thread.yield();
                }
            }
        });
        assertThat(stripes.free()).isEqualTo(threads);
    }

    private static Stripes open(int count, int permits) {
        Stripes stripes = new Stripes(count);
        assertThat(stripes.count()).isEqualTo(count);
        assertThat(stripes.tryTake()).isEqualTo(Stripes.CLOSED);
        stripes.open(permits);
        return stripes;
    }

    private static long homeOf(int stripe, int count) {
        return (stripe * HOMES + HOMES / 2) / count;
    }

    private interface Body {
        void run(int number) throws Exception;
    }

    private static void inAll(int threads, Body body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                running.add(pool.submit(() -> {
                    start.await();
                    body.run(number);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(100, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
