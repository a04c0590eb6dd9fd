package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.EntryRequest;
import io.nopanic.spi.Waiter;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads at once. A waiter here asks again only when it is woken, so a lost wake-up shows as a thread that never comes back: the
 * time limit of each test.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BulkheadStressTest {

    private static final int THREADS = 8;
    private static final long MAX_WAIT_NANOS = 1_000;

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Tally tally = new Tally();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void neverPassesTheLimitWithoutAQueue() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(3);
        inParallel(THREADS, thread -> {
            for (int i = 0; i < 200_000; i++) {
                if (bulkhead.tryAcquire(0) == Admission.NOT_NOW) {
                    tally.refused.incrementAndGet();
                } else {
                    tally.in(3);
                    tally.out();
                    assertThat(bulkhead.settle(0, 0, 0, null, null)).isNull();
                }
            }
        });
        assertThat(tally.ended()).isEqualTo(THREADS * 200_000L);
        assertIdle(bulkhead, 3);
    }

    @Test
    void refusesOnlyWhenFullThoughPermitsGoToAndFro() throws Exception {
        for (int limit = 1; limit <= THREADS; limit++) {
            Bulkhead bulkhead = Bulkhead.of(limit);
            int callers = limit;
            inParallel(callers, thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                for (int i = 0; i < 50_000; i++) {
                    assertThat(bulkhead.enter(new EntryRequest("stress", 0, Long.MAX_VALUE, () -> {})))
                            .as("one of %d calls where %d may run", callers, callers)
                            .isInstanceOf(Entry.Admitted.class);
                    tally.in(callers);
                    tally.out();
                    // Where another thread's permit would go.
                    bulkhead.settle(random.nextLong(1L << 32), 0, 0, null, null);
                }
            });
            assertIdle(bulkhead, limit);
        }
    }

    @Test
    void meetingAtTheDoorExactlyAsManyGetInAsMay() throws Exception {
        int rounds = 3_000;
        Rendezvous meeting = new Rendezvous(THREADS);
        AtomicInteger in = new AtomicInteger();
        int[] limits = {1, 2, 3, 5, 7};
        Bulkhead bulkhead = Bulkhead.of(1);
        inParallel(THREADS, thread -> {
            for (int i = 0; i < rounds; i++) {
                int limit = limits[i % limits.length];
                if (thread == 0) {
                    bulkhead.resize(limit, 0);
                    in.set(0);
                }
                meeting.await();
                long permit = bulkhead.tryAcquire(0);
                if (permit >= 0) {
                    in.incrementAndGet();
                }
                meeting.await();
                if (in.get() != limit) {
                    throw new AssertionError("round " + i + ": " + in.get() + " of " + limit);
                }
                meeting.await();
                if (permit >= 0) {
                    bulkhead.settle(permit, 0, 0, null, null);
                }
                meeting.await();
            }
        });
    }

    @Test
    void losesNeitherPermitNorWaiterWhoeverComesWaitsAndGoes() throws Exception {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(2)
                .maxQueued(4)
                .maxWait(Duration.ofNanos(MAX_WAIT_NANOS))
                .build();
        int calls = 50_000;
        inParallel(THREADS, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < calls; i++) {
                call(bulkhead, random, 2);
            }
        });
        assertThat(tally.ended()).isEqualTo((long) THREADS * calls);
        assertThat(tally.admitted.get()).isPositive();
        assertThat(tally.waited.get()).isPositive();
        assertIdle(bulkhead, 2);
    }

    @Test
    void everyPatientWaiterIsLetInWhenThePermitIsScarce() throws Exception {
        Bulkhead bulkhead =
                Bulkhead.builder().maxConcurrent(1).maxQueued(THREADS).build();
        int calls = 20_000;
        inParallel(THREADS, thread -> {
            for (int i = 0; i < calls; i++) {
                patientCall(bulkhead, 1);
            }
        });
        assertThat(tally.admitted.get()).isEqualTo((long) THREADS * calls);
        assertIdle(bulkhead, 1);
    }

    @Test
    void joiningTheQueueAtTheMomentOfTheLastReleaseIsNeverMissed() throws Exception {
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(1).maxQueued(1).build();
        int calls = 100_000;
        inParallel(2, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < calls; i++) {
                Entry.Waiting waiting = enterWherePlacesSuffice(bulkhead, () -> {});
                if (waiting != null) {
                    spinUntil(() -> waiting.check(0) == Entry.Waiting.ADMITTED);
                }
                bulkhead.settle(0, 0, 0, null, null);
                spin(random.nextInt(100));
            }
        });
        assertIdle(bulkhead, 1);
    }

    @Test
    void leavingAtTheMomentOfTheGrantNeitherLosesNorDoublesThePermit() throws Exception {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(1)
                .maxWait(Duration.ofNanos(MAX_WAIT_NANOS))
                .build();
        int rounds = 20_000;
        Rendezvous meeting = new Rendezvous(2);
        inParallel(2, thread -> {
            for (int i = 0; i < rounds; i++) {
                Entry entry = null;
                if (thread == 0) {
                    assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
                }
                meeting.await();
                if (thread == 1) {
                    entry = bulkhead.enter(new EntryRequest("stress", 0, Long.MAX_VALUE, () -> {}));
                }
                meeting.await();
                if (thread == 0) {
                    bulkhead.settle(0, 0, 0, null, null);
                } else if (i % 2 == 0) {
                    assertThat(((Entry.Waiting) entry).leave(0)).isNull();
                } else if (((Entry.Waiting) entry).check(MAX_WAIT_NANOS) == Entry.Waiting.ADMITTED) {
                    bulkhead.settle(0, 0, 0, null, null);
                }
                meeting.await();
                if (bulkhead.inUse() != 0 || bulkhead.queued() != 0 || bulkhead.available() != 1) {
                    throw new AssertionError("round " + i + ": " + bulkhead.inUse() + " in use");
                }
                meeting.await();
            }
        });
        assertIdle(bulkhead, 1);
    }

    @Test
    void resizingUnderLoadLosesNeitherPermitNorWaiter() throws Exception {
        Bulkhead bulkhead = Bulkhead.builder()
                .maxConcurrent(1)
                .maxQueued(4)
                .maxWait(Duration.ofNanos(MAX_WAIT_NANOS))
                .build();
        int calls = 150_000;
        AtomicInteger callersLeft = new AtomicInteger(THREADS - 1);
        AtomicLong resizes = new AtomicLong();
        inParallel(THREADS, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            if (thread == 0) {
                while (callersLeft.get() > 0) {
                    bulkhead.resize(random.nextInt(1, 5), random.nextInt(0, 9));
                    resizes.incrementAndGet();
                    Thread.yield();
                }
            } else {
                for (int i = 0; i < calls; i++) {
                    call(bulkhead, random, 4);
                }
                callersLeft.decrementAndGet();
            }
        });
        assertThat(tally.ended()).isEqualTo((THREADS - 1L) * calls);
        assertThat(tally.admitted.get()).isPositive();
        assertThat(tally.waited.get()).isPositive();
        assertThat(resizes.get()).isPositive();
        bulkhead.resize(3, 1);
        assertIdle(bulkhead, 3);
    }

    @Test
    void aLimitRaisedWhileOthersLeaveReachesEveryWaiter() throws Exception {
        int rounds = 10_000;
        Rendezvous meeting = new Rendezvous(3);
        Bulkhead bulkhead = Bulkhead.builder().maxConcurrent(1).maxQueued(3).build();
        inParallel(3, thread -> {
            for (int i = 0; i < rounds; i++) {
                if (thread == 0) {
                    assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
                }
                meeting.await();
                if (thread == 0) {
                    bulkhead.resize(2, 3);
                    wake(bulkhead.settle(0, 0, 0, null, null));
                } else {
                    patientCall(bulkhead, 2);
                }
                meeting.await();
                if (thread == 0) {
                    bulkhead.resize(1, 3);
                }
                meeting.await();
            }
        });
        assertThat(tally.admitted.get()).isEqualTo(2L * rounds);
        assertIdle(bulkhead, 1);
    }

    /** A call whose caller may be patient, may give up when its time is up, or may be interrupted. */
    private void call(Bulkhead bulkhead, SplittableRandom random, int limit) throws InterruptedException {
        Parked parked = new Parked();
        Entry entry = bulkhead.tryAcquire(0) == Admission.NOT_NOW
                ? bulkhead.enter(new EntryRequest("stress", 0, Long.MAX_VALUE, parked))
                : new Entry.Admitted(0);
        if (entry instanceof Entry.Refused) {
            tally.refused.incrementAndGet();
        } else if (entry instanceof Entry.Waiting waiting) {
            tally.waited.incrementAndGet();
            int temper = random.nextInt(4);
            if (temper == 0) {
                wake(waiting.leave(0));
                tally.left.incrementAndGet();
            } else if (temper == 1 && waiting.check(MAX_WAIT_NANOS) == Entry.Waiting.REFUSED) {
                tally.refused.incrementAndGet();
            } else {
                parked.untilAdmitted(waiting);
                run(bulkhead, limit);
            }
        } else {
            run(bulkhead, limit);
        }
    }

    private void patientCall(Bulkhead bulkhead, int limit) throws InterruptedException {
        Parked parked = new Parked();
        Entry.Waiting waiting = enterWherePlacesSuffice(bulkhead, parked);
        if (waiting != null) {
            parked.untilAdmitted(waiting);
        }
        run(bulkhead, limit);
    }

    /** The place in the queue, or {@code null} if let in. A refusal means that somebody was forgotten in the queue. */
    private static Entry.@Nullable Waiting enterWherePlacesSuffice(Bulkhead bulkhead, Waiter waiter) {
        Entry entry = bulkhead.enter(new EntryRequest("stress", 0, Long.MAX_VALUE, waiter));
        if (entry instanceof Entry.Refused) {
            throw new AssertionError("refused although there are as many places as callers");
        }
        return entry instanceof Entry.Waiting waiting ? waiting : null;
    }

    private void run(Bulkhead bulkhead, int limit) {
        tally.in(limit);
        if (tally.admitted.get() % 64 == 0) {
            Thread.yield();
        }
        tally.out();
        wake(bulkhead.settle(0, 0, 0, null, null));
    }

    private static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake();
        }
    }

    private static void assertIdle(Bulkhead bulkhead, int limit) {
        assertThat(bulkhead.inUse()).isZero();
        assertThat(bulkhead.queued()).isZero();
        assertThat(bulkhead.available()).isEqualTo(limit);
        for (int i = 0; i < limit; i++) {
            assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
        }
        assertThat(bulkhead.tryAcquire(0)).isEqualTo(Admission.NOT_NOW);
    }

    private static void spin(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }

    /** Waits awake, so that threads go on within nanoseconds of each other. */
    private static void spinUntil(BooleanSupplier reached) throws InterruptedException {
        for (int turn = 0; !reached.getAsBoolean(); turn++) {
            if (turn < 1_000) {
                Thread.onSpinWait();
            } else if (Thread.interrupted()) {
                throw new InterruptedException();
            } else {
                Thread.yield();
            }
        }
    }

    private void inParallel(int threads, Body body) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        CompletionService<Void> ended = new ExecutorCompletionService<>(pool);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            ended.submit(() -> {
                start.await();
                body.run(thread);
                return null;
            });
        }
        for (int i = 0; i < threads; i++) {
            ended.take().get();
        }
    }

    private interface Body {
        void run(int thread) throws Exception;
    }

    /** Brings all threads to the same point, again and again, without putting them to sleep. */
    private static final class Rendezvous {

        private final int parties;
        private final AtomicInteger arrivals = new AtomicInteger();

        Rendezvous(int parties) {
            this.parties = parties;
        }

        void await() throws InterruptedException {
            int arrival = arrivals.getAndIncrement();
            int all = arrival - arrival % parties + parties;
            spinUntil(() -> arrivals.get() >= all);
        }
    }

    /** A thread that waits, and asks again only when woken. */
    private static final class Parked implements Waiter {

        private final Thread thread = Thread.currentThread();
        private final AtomicBoolean woken = new AtomicBoolean();

        @Override
        public void wake() {
            woken.set(true);
            LockSupport.unpark(thread);
        }

        void untilAdmitted(Entry.Waiting waiting) throws InterruptedException {
            while (waiting.check(0) != Entry.Waiting.ADMITTED) {
                while (!woken.getAndSet(false)) {
                    LockSupport.park(this);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
            }
        }
    }

    private static final class Tally {

        private final AtomicInteger running = new AtomicInteger();
        private final AtomicLong admitted = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private final AtomicLong left = new AtomicLong();
        private final AtomicLong waited = new AtomicLong();

        void in(int limit) {
            int now = running.incrementAndGet();
            if (now > limit) {
                throw new AssertionError(now + " calls at once, allowed are " + limit);
            }
            admitted.incrementAndGet();
        }

        void out() {
            running.decrementAndGet();
        }

        long ended() {
            return admitted.get() + refused.get() + left.get();
        }
    }
}
