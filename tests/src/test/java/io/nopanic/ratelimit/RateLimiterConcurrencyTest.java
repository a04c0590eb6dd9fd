package io.nopanic.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.pipeline.Pipeline;
import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RateLimiterConcurrencyTest extends RateLimiterScene {

    private static final int THREADS = 8;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Runs the same code in all threads at once, and waits for its end in each. */
    private <T> List<T> inAll(Callable<T> code) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> {
                barrier.await();
                return code.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    private static boolean entersAtOnce(Admission admission, long nowNanos) {
        return admission.tryAcquire(nowNanos) >= 0
                || admission.enter(new EntryRequest("threads", nowNanos, 0, () -> {})) instanceof Entry.Admitted;
    }

    @Test
    void threadsTogetherNeverGetMoreThanTheBurstNorLess() throws Exception {
        for (int round = 0; round < 300; round++) {
            int burst = 1 + round % 40;
            RateLimiter limiter = limiter(burst, SECOND).build();
            AtomicInteger in = new AtomicInteger();
            inAll(() -> {
                for (int i = 0; i < 20; i++) {
                    if (entersAtOnce(limiter, time.nanos())) {
                        in.incrementAndGet();
                    }
                }
                return null;
            });
            assertThat(in).hasValue(burst);
        }
    }

    @Test
    void threadsTogetherNeverGetMoreThanTheBurstNorLessInTheStrictMode() throws Exception {
        for (int round = 0; round < 100; round++) {
            int burst = 1 + round % 40;
            RateLimiter limiter = limiter(burst, SECOND).strict().build();
            AtomicInteger in = new AtomicInteger();
            inAll(() -> {
                for (int i = 0; i < 20; i++) {
                    if (entersAtOnce(limiter, time.nanos())) {
                        in.incrementAndGet();
                    }
                }
                return null;
            });
            assertThat(in).hasValue(burst);
        }
    }

    @Test
    void anUpdateThatLostLooksAgainAtWhatIsLeft() throws Exception {
        // As many permits as calls: whoever loses an update must get its permit by another, on the fast path.
        int calls = 1_000_000;
        Bucket bucket = new Bucket(Pace.exact(1, SECOND.toNanos(), THREADS * calls), time.nanos());
        List<Integer> in = inAll(() -> {
            int taken = 0;
            for (int i = 0; i < calls; i++) {
                taken += bucket.tryTake(1, time.nanos()) ? 1 : 0;
            }
            return taken;
        });
        assertThat(in).containsOnly(calls);
        assertThat(bucket.tryTake(1, time.nanos())).isFalse();
    }

    @Test
    void weightsOfManyThreadsAddUp() throws Exception {
        for (int round = 0; round < 200; round++) {
            RateLimiter limiter = limiter(1_000, SECOND).build();
            AtomicInteger taken = new AtomicInteger();
            inAll(() -> {
                for (int i = 0; i < 100; i++) {
                    int weight = ThreadLocalRandom.current().nextInt(1, 8);
                    if (limiter.tryTake(weight)) {
                        taken.addAndGet(weight);
                    }
                }
                return null;
            });
            assertThat(taken.get()).isLessThanOrEqualTo(1_000).isGreaterThan(1_000 - 8);
        }
    }

    @Test
    void callsAndChangesOfTheRateTogetherNeverGetMoreThanThereIs() throws Exception {
        for (int round = 0; round < 200; round++) {
            RateLimiter limiter = limiter(50, SECOND).build();
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger number = new AtomicInteger();
            inAll(() -> {
                boolean changes = number.getAndIncrement() == 0;
                for (int i = 0; i < 40; i++) {
                    if (changes) {
                        limiter.setRate(new Rate(1 + ThreadLocalRandom.current().nextInt(100), SECOND, 50));
                    } else if (entersAtOnce(limiter, time.nanos())) {
                        taken.incrementAndGet();
                    }
                }
                return null;
            });
            assertThat(taken).hasValue(50);
        }
    }

    @Test
    void whoeverWaitsComesInAndNobodyIsForgotten() throws Exception {
        VirtualTime own = VirtualTime.create();
        RateLimiter limiter = RateLimiter.builder()
                .rate(10, SECOND)
                .burst(1)
                .unlimitedWait()
                .time(own.time())
                .build();
        Pipeline pipeline = Pipeline.of(limiter);
        AtomicInteger calls = new AtomicInteger();
        inAll(() -> {
            for (int i = 0; i < 200; i++) {
                pipeline.run(calls::incrementAndGet);
            }
            return null;
        });
        assertThat(calls).hasValue(THREADS * 200);
        assertThat(own.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(100L * (THREADS * 200 - 1)));
        assertThat(limiter.queued()).isZero();
    }

    @Test
    void comingWaitingAndLeavingInAllThreadsLosesNoPermitAndMakesNone() throws Exception {
        for (int round = 0; round < 40; round++) {
            AtomicLong nowNanos = new AtomicLong(time.nanos());
            RateLimiter limiter =
                    limiter(1, Duration.ofNanos(10)).burst(5).unlimitedWait().build();
            long startNanos = nowNanos.get();
            AtomicInteger used = new AtomicInteger();
            inAll(() -> {
                for (int i = 0; i < 300; i++) {
                    visit(limiter, nowNanos, used);
                }
                return null;
            });
            long passedNanos = nowNanos.get() - startNanos;
            assertThat(used.get()).isLessThanOrEqualTo((int) (5 + passedNanos / 10));
            assertThat(limiter.queued()).isZero();
            // All that is still there can be had.
            nowNanos.addAndGet(1_000);
            int left = 0;
            while (limiter.tryAcquire(nowNanos.get()) >= 0) {
                left++;
            }
            assertThat(left).isEqualTo(5);
        }
    }

    /** Asks, waits for a while on a clock that all threads move, and comes in or goes. */
    private static void visit(RateLimiter limiter, AtomicLong nowNanos, AtomicInteger used) {
        long beginNanos = nowNanos.addAndGet(ThreadLocalRandom.current().nextInt(4));
        if (limiter.tryAcquire(beginNanos) >= 0) {
            used.incrementAndGet();
            return;
        }
        Entry entry = limiter.enter(new EntryRequest("threads", beginNanos, Long.MAX_VALUE, () -> {}));
        if (entry instanceof Entry.Admitted) {
            used.incrementAndGet();
            return;
        }
        Entry.Waiting place = (Entry.Waiting) entry;
        int patience = ThreadLocalRandom.current().nextInt(30);
        while (true) {
            long answer = place.check(nowNanos.addAndGet(1));
            if (answer == Entry.Waiting.ADMITTED) {
                used.incrementAndGet();
                return;
            }
            if (patience-- == 0) {
                place.leave(nowNanos.get());
                return;
            }
        }
    }
}
