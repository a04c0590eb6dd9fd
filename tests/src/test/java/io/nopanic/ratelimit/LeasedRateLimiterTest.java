package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Admission;
import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LeasedRateLimiterTest extends RateLimiterScene {

    private static final int THREADS = 6;

    /** Each is one thread, so that a test can say which one calls. */
    private final List<ExecutorService> threads = new ArrayList<>();

    LeasedRateLimiterTest() {
        for (int i = 0; i < THREADS; i++) {
            threads.add(Executors.newSingleThreadExecutor());
        }
    }

    @AfterEach
    void stop() {
        threads.forEach(ExecutorService::shutdownNow);
    }

    private <T> T on(int thread, Callable<T> code) throws Exception {
        return threads.get(thread).submit(code).get(60, TimeUnit.SECONDS);
    }

    private <T> List<T> onAllAtOnce(Callable<T> code) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<T>> running = new ArrayList<>();
        for (ExecutorService thread : threads) {
            running.add(thread.submit(() -> {
                start.await();
                return code.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    // ---------------- what passes

    @Test
    void startsFullWhoeverAsks() throws Exception {
        for (int burst : new int[] {1, 2, 3, 10, 100, 1_000}) {
            RateLimiter limiter = limiter(burst, SECOND).leased(16).build();
            assertThat(limiter.availablePermits()).isEqualTo(burst);
            assertThat(on(0, () -> desk(limiter).letsIn(burst + 10))).isEqualTo(burst);
            assertThat(limiter.availablePermits()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void inNoSpanOfTimePassesMoreThanWithoutLeases(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int burst = 1 + random.nextInt(60);
        int permits = 1 + random.nextInt(40);
        RateLimiter limiter = limiter(permits, SECOND)
                .burst(burst)
                .leased(2 + random.nextInt(20))
                .build();
        Passing passing = new Passing();
        for (int i = 0; i < 1_500; i++) {
            int step = random.nextInt(100);
            if (step < 70) {
                int calls = 1 + random.nextInt(4);
                passing.add(on(random.nextInt(THREADS), () -> desk(limiter).letsIn(calls)), time.nanos());
            } else if (step < 73) {
                int weight = 1 + random.nextInt(burst);
                passing.add(limiter.tryTake(weight) ? weight : 0, time.nanos());
            } else if (step < 75) {
                assertThat(limiter.availablePermits()).isBetween(0, burst);
            } else {
                time.advance(Duration.ofNanos(random.nextLong(step < 77 ? 5_000_000_000L : 50_000_000L)));
            }
        }
        passing.assertNeverMoreThan(burst, permits, SECOND.toNanos());
    }

    @Test
    void aGreedyCallerGetsTheWholeRate() throws Exception {
        RateLimiter limiter = limiter(100, SECOND).burst(20).leased(8).build();
        int in = on(0, () -> desk(limiter).letsIn(100));
        for (int i = 0; i < 2_000; i++) {
            advanceMillis(5);
            in += on(i % THREADS, () -> desk(limiter).letsIn(10));
        }
        assertThat(in).isEqualTo(20 + 1_000);
    }

    @Test
    void afterAQuietTimeThereIsAtLeastHalfOfTheBurst() throws Exception {
        RateLimiter limiter = limiter(100, SECOND).leased(1_000).build();
        for (int thread = 0; thread < THREADS; thread++) {
            on(thread, () -> desk(limiter).letsIn(100));
        }
        time.advance(Duration.ofHours(1));
        assertThat(limiter.availablePermits()).isBetween(50, 100);
        assertThat(on(0, () -> desk(limiter).letsIn(1_000))).isBetween(50, 100);
    }

    @Test
    void whatAQuietThreadHasLeasedIsNotLostToBusyOnes() throws Exception {
        RateLimiter limiter = limiter(64, Duration.ofDays(1)).leased(16).build();
        for (int thread = 1; thread < THREADS; thread++) {
            assertThat(on(thread, () -> desk(limiter).letsIn())).isTrue();
        }
        assertThat(on(0, () -> desk(limiter).letsIn(1_000))).isEqualTo(64 - (THREADS - 1));
    }

    @Test
    void mostCallsReadNoClock() {
        AtomicLong readings = new AtomicLong();
        Time counted = Time.system().withTicker(readings::incrementAndGet);
        RateLimiter limiter = RateLimiter.builder()
                .rate(1_000_000, SECOND)
                .leased(50)
                .time(counted)
                .build();
        assertThat(limiter.readsTimeOnEntry()).isFalse();
        assertThat(limiter.weighted(2).readsTimeOnEntry()).isFalse();
        Pipeline pipeline = Pipeline.of(limiter);
        AtomicInteger calls = new AtomicInteger();
        readings.set(0);
        for (int i = 0; i < 10_000; i++) {
            pipeline.run(calls::incrementAndGet);
        }
        assertThat(calls).hasValue(10_000);
        assertThat(readings.get()).isBetween(150L, 300L);
    }

    // ---------------- several permits, waiting, changing

    @Test
    void aHeavyCallGetsPermitsThatAreLeasedToOthers() throws Exception {
        RateLimiter limiter = limiter(20, Duration.ofDays(1)).leased(16).build();
        Admission heavy = limiter.weighted(10);
        assertThat(on(0, () -> desk(heavy).letsIn())).isTrue();
        assertThat(on(1, () -> desk(limiter).letsIn())).isTrue();
        assertThat(desk(heavy).letsIn()).as("9 are left").isFalse();
        assertThat(desk(limiter.weighted(9)).letsIn()).isTrue();
        assertThat(desk(limiter).letsIn()).isFalse();
    }

    @Test
    void takesAtMostHalfOfTheBurstAtOnce() {
        RateLimiter limiter = limiter(21, SECOND).leased(16).build();
        assertThat(limiter.tryTake(12)).isFalse();
        assertThat(desk(limiter.weighted(11)).letsIn()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.weighted(12))
                .withMessage("permits is 12, allowed is a whole number from 1 to 11");
        assertThat(limiter.tryTake(10)).isTrue();
        assertThat(limiter.tryTake(1)).isFalse();
    }

    @Test
    void callsThatWaitStandInOneLineAndNobodyPassesThem() throws Exception {
        RateLimiter limiter = limiter(10, SECOND).leased(4).unlimitedWait().build();
        assertThat(on(0, () -> desk(limiter).letsIn(100))).isEqualTo(10);
        Desk.Visitor first = on(1, () -> desk(limiter).ask());
        Desk.Visitor second = on(2, () -> desk(limiter).ask());
        assertThat(first.waits()).isTrue();
        assertThat(second.waits()).isTrue();
        assertThat(first.check()).isEqualTo(100_000_000);
        advanceMillis(100);
        assertThat(on(3, () -> desk(limiter).letsIn())).isFalse();
        assertThat(second.check()).as("lets the first in").isEqualTo(100_000_000);
        assertThat(first.check()).isZero();
        advanceMillis(100);
        assertThat(second.check()).isZero();
        advanceMillis(100);
        assertThat(on(4, () -> desk(limiter).letsIn()))
                .as("nobody waits any more")
                .isTrue();
    }

    @Test
    void permitsThatTheBucketHasNoRoomForShortenTheWaitOfThoseBehind() {
        RateLimiter limiter =
                limiter(1, SECOND).burst(4).leased(2).unlimitedWait().build();
        assertThat(limiter.tryTake(2)).isTrue();
        advanceMillis(1_900);
        Desk.Visitor first = desk(limiter.weighted(2)).ask();
        assertThat(first.check()).as("a tenth of a permit is missing").isEqualTo(100_000_000);
        Desk.Visitor second = desk(limiter).ask(500_000_000);
        assertThat(second.waits())
                .as("two permits are left when the first goes")
                .isTrue();
        assertThat(second.check()).isEqualTo(100_000_000);
        advanceMillis(100);
        assertThat(first.check()).isZero();
        assertThat(second.check()).isZero();
    }

    @Test
    void aPlaceThatIsGivenBackIsUsedByTheNext() throws Exception {
        RateLimiter limiter = limiter(10, SECOND).leased(4).unlimitedWait().build();
        assertThat(desk(limiter).letsIn(100)).isEqualTo(10);
        Desk.Visitor leaver = desk(limiter).ask();
        Desk.Visitor next = on(1, () -> desk(limiter).ask());
        advanceMillis(100);
        assertThat(leaver.check()).isZero();
        assertThat(leaver.leave()).isNotNull();
        assertThat(next.check()).isZero();
    }

    @Test
    void permitsStayWhenTheRateChanges() throws Exception {
        RateLimiter limiter = limiter(100, Duration.ofDays(1)).leased(16).build();
        assertThat(on(0, () -> desk(limiter).letsIn(30))).isEqualTo(30);
        for (int burst : new int[] {1_000, 71, 200, 70}) {
            limiter.setRate(new Rate(1, Duration.ofDays(1), burst));
            assertThat(limiter.availablePermits()).as("burst %d", burst).isEqualTo(70);
        }
        limiter.setRate(new Rate(1, Duration.ofDays(1), 9));
        assertThat(limiter.availablePermits()).isEqualTo(9);
        limiter.setRate(new Rate(1, Duration.ofDays(1), 1));
        assertThat(on(1, () -> desk(limiter).letsIn(10))).isEqualTo(1);
        limiter.setRate(100, SECOND);
        advanceMillis(500);
        assertThat(on(2, () -> desk(limiter).letsIn(1_000))).isEqualTo(50);
    }

    @Test
    void afterAChangeTooBucketAndLeasesTogetherHoldNoMoreThanTheBurst() throws Exception {
        RateLimiter limiter = limiter(10, SECOND).leased(16).build();
        limiter.setRate(100, SECOND);
        time.advance(SECOND);
        for (int thread = 0; thread < THREADS; thread++) {
            on(thread, () -> desk(limiter).letsIn());
        }
        time.advance(Duration.ofHours(1));
        assertThat(limiter.availablePermits()).isBetween(50, 100);
    }

    // ---------------- settings

    @Test
    void refusesSettingsThatMakeNoSense() {
        for (int bad : new int[] {1, 0, -5}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter(10, SECOND).leased(bad))
                    .withMessage("leased is " + bad + ", allowed is a whole number of at least 2");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(10, SECOND).strict().leased(16).build())
                .withMessage(
                        "leased is 16, allowed is none in the strict mode, which counts each permit when it is used");
    }

    @Test
    void describesItsLeases() {
        assertThat(limiter(10, SECOND).leased(16).build().describe())
                .isEqualTo("10 per PT1S, burst 10, leases of up to 16, refuses what it cannot let pass at once");
    }

    // ---------------- many threads

    @Test
    void threadsTogetherNeverGetMoreThanTheBurstNorLess() throws Exception {
        for (int round = 0; round < 300; round++) {
            int burst = 1 + round % 100;
            RateLimiter limiter = limiter(burst, SECOND).leased(2 + round % 7).build();
            int in = onAllAtOnce(() -> desk(limiter).letsIn(30)).stream()
                    .mapToInt(each -> each)
                    .sum();
            assertThat(in + desk(limiter).letsIn(burst)).isEqualTo(burst);
        }
    }

    @Test
    void callingInLeasesWhileTheyAreTakenMakesNoPermits() throws Exception {
        for (int round = 0; round < 200; round++) {
            int burst = 400;
            RateLimiter limiter = limiter(burst, SECOND).leased(5).build();
            AtomicInteger number = new AtomicInteger();
            int in = onAllAtOnce(() -> {
                        if (number.getAndIncrement() > 0) {
                            return desk(limiter).letsIn(50);
                        }
                        for (int i = 0; i < 50; i++) {
                            limiter.setRate(new Rate(1 + i, SECOND, burst));
                        }
                        return 0;
                    })
                    .stream()
                    .mapToInt(each -> each)
                    .sum();
            assertThat(in + limiter.availablePermits()).isLessThanOrEqualTo(burst);
            assertThat(desk(limiter).letsIn(burst)).isLessThanOrEqualTo(burst - in);
        }
    }

    @Test
    void whoeverWaitsComesInAndNobodyIsForgotten() throws Exception {
        VirtualTime own = VirtualTime.create();
        RateLimiter limiter = RateLimiter.builder()
                .rate(10, SECOND)
                .leased(4)
                .unlimitedWait()
                .time(own.time())
                .build();
        Pipeline pipeline = Pipeline.of(limiter);
        AtomicInteger calls = new AtomicInteger();
        onAllAtOnce(() -> {
            for (int i = 0; i < 200; i++) {
                pipeline.run(calls::incrementAndGet);
            }
            return null;
        });
        assertThat(calls).hasValue(THREADS * 200);
        assertThat(own.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(100L * (THREADS * 200 - 10)));
        assertThat(limiter.queued()).isZero();
    }
}
