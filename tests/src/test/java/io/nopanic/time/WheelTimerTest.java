package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.testkit.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer's thread is real; its clock and its parking are virtual, and a test meets it whenever it parks. */
@Timeout(60)
class WheelTimerTest {

    private static final long IDLE_NANOS = 1_000_000_000L;
    private static final Duration TWO_TICKS = Duration.ofNanos(2 * TimerWheel.TICK_NANOS);

    private final VirtualTime time = VirtualTime.manual();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch letRun = new CountDownLatch(1);
    private final WheelTimer timer = new WheelTimer(time::nanos, time.time()::park, this::newThread, IDLE_NANOS);

    @Test
    void runsActionsInTheOrderOfTheirMoments() {
        List<String> ran = new ArrayList<>();
        timer.schedule(3_000_000, () -> ran.add("third"));
        timer.schedule(1_000_000, () -> ran.add("first"));
        timer.schedule(1_000_000, () -> ran.add("second"));
        letThreadPark();
        advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Test
    void neverRunsAnActionEarly() {
        AtomicBoolean ran = new AtomicBoolean();
        timer.schedule(10_000_000, () -> ran.set(true));
        letThreadPark();
        advance(Duration.ofNanos(9_999_999));
        assertThat(ran).isFalse();
        advance(TWO_TICKS);
        assertThat(ran).isTrue();
    }

    @Test
    void runsAtOnceWhatHasNoDelay() throws InterruptedException {
        LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();
        timer.schedule(0, () -> ran.add("zero"));
        timer.schedule(-5, () -> ran.add("negative"));
        timer.schedule(Long.MIN_VALUE, () -> ran.add("least"));
        letThreadPark();
        advance(TWO_TICKS);
        assertThat(ran).containsExactly("zero", "negative", "least");
    }

    @Test
    void takesTheLongestDelays() {
        AtomicInteger ran = new AtomicInteger();
        timer.schedule(Nanos.FOREVER, ran::incrementAndGet);
        timer.schedule(Long.MAX_VALUE, ran::incrementAndGet);
        letThreadPark();
        advance(Duration.ofDays(70 * 365));
        assertThat(ran).hasValue(0);
        for (int year = 71; year <= 74; year++) {
            advance(Duration.ofDays(365));
        }
        letThreadPark();
        assertThat(ran).hasValue(2);
    }

    @Test
    void keepsCountingWhenTheClockOverflows() {
        assertThat(time.nanos()).isPositive();
        AtomicInteger ran = new AtomicInteger();
        for (int second = 1; second <= 20; second++) {
            timer.schedule(second * 1_000_000_000L, ran::incrementAndGet);
        }
        letThreadPark();
        for (int second = 1; second <= 20; second++) {
            advance(Duration.ofSeconds(1));
            advance(TWO_TICKS);
            assertThat(ran).hasValue(second);
        }
        assertThat(time.nanos()).isNegative();
    }

    @Test
    void wakesForAnEarlierActionOnly() {
        AtomicBoolean ran = new AtomicBoolean();
        timer.schedule(10_000_000_000L, () -> {});
        letThreadPark();
        int parks = time.parks().size();
        timer.schedule(20_000_000_000L, () -> {});
        timer.schedule(1_000_000, () -> ran.set(true));
        awaitParks(parks + 1);
        advance(Duration.ofMillis(2));
        assertThat(ran).isTrue();
    }

    @Test
    void anActionMaySchedule() {
        List<Duration> ran = new ArrayList<>();
        timer.schedule(0, () -> {
            ran.add(time.elapsed());
            timer.schedule(5_000_000, () -> ran.add(time.elapsed()));
        });
        letThreadPark();
        advance(TWO_TICKS);
        advance(Duration.ofMillis(6));
        assertThat(ran).hasSize(2);
    }

    // ---------------- cancel

    @Test
    void aCancelledActionNeverRuns() {
        AtomicBoolean ran = new AtomicBoolean();
        Timer.Scheduled scheduled = timer.schedule(1_000_000, () -> ran.set(true));
        assertThat(scheduled.cancel()).isTrue();
        assertThat(scheduled.cancel()).isFalse();
        letThreadPark();
        advance(Duration.ofMillis(500));
        assertThat(ran).isFalse();
    }

    @Test
    void cancellingWhatRunsOrHasRunChangesNothing() {
        AtomicReference<Timer.Scheduled> scheduled = new AtomicReference<>();
        List<Boolean> answers = new ArrayList<>();
        scheduled.set(
                timer.schedule(5_000_000, () -> answers.add(scheduled.get().cancel())));
        letThreadPark();
        advance(Duration.ofMillis(6));
        answers.add(scheduled.get().cancel());
        assertThat(answers).containsExactly(false, false);
    }

    @Test
    void aMillionScheduledAndCancelledLeaveNothingAndLetTheThreadSleep() {
        timer.schedule(0, () -> {});
        letThreadPark();
        advance(TWO_TICKS);
        int parks = time.parks().size();
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(timer.schedule(30_000_000_000L, () -> {}).cancel()).isTrue();
        }
        assertThat(timer.size()).isZero();
        assertThat(time.parks()).hasSize(parks);
    }

    @Test
    void eitherRunsOrIsCancelledNeverBothNorNeither() throws InterruptedException {
        WheelTimer real = new WheelTimer(System::nanoTime, LockSupport::parkNanos, WheelTimer::newThread, IDLE_NANOS);
        int total = 20_000;
        AtomicInteger ran = new AtomicInteger();
        int cancelled = 0;
        List<Timer.Scheduled> recent = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            recent.add(real.schedule(i % 3 * 60_000, ran::incrementAndGet));
            if (recent.size() == 4) {
                for (Timer.Scheduled each : recent) {
                    cancelled += each.cancel() ? 1 : 0;
                }
                recent.clear();
            }
        }
        CountDownLatch last = new CountDownLatch(1);
        real.schedule(1_000_000, last::countDown);
        await(last);
        assertThat(ran.get() + cancelled).isEqualTo(total);
        assertThat(real.size()).isZero();
    }

    // ---------------- errors, signals

    @Test
    void anActionThatThrowsDisturbsNobodyAndIsReportedOnce() {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = recordingHandler(records);
        Logger logger = Logger.getLogger(WheelTimer.class.getName());
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        try {
            AtomicBoolean ran = new AtomicBoolean();
            Error error = new StackOverflowError("of a test");
            timer.schedule(1, () -> {
                throw error;
            });
            timer.schedule(2, () -> {
                throw new IllegalStateException("of a test");
            });
            timer.schedule(3, () -> ran.set(true));
            letThreadPark();
            advance(TWO_TICKS);
            assertThat(ran).isTrue();
            assertThat(threads).hasSize(1);
            assertThat(records).hasSize(1);
            assertThat(records.get(0).getThrown()).isSameAs(error);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    void aStrayInterruptDoesNotMakeTheThreadSpin() throws InterruptedException {
        Semaphore parks = new Semaphore(0);
        Parker counting = (blocker, nanos) -> {
            parks.release();
            time.time().park(blocker, nanos);
        };
        WheelTimer disturbed = new WheelTimer(time::nanos, counting, this::newThread, IDLE_NANOS);
        AtomicInteger ran = new AtomicInteger();
        disturbed.schedule(5_000_000, () -> {
            Thread.currentThread().interrupt();
            ran.incrementAndGet();
        });
        disturbed.schedule(20_000_000, ran::incrementAndGet);
        letThreadPark();
        threads.get(0).interrupt();
        assertThat(parks.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
        letThreadPark();
        advance(Duration.ofMillis(6));
        advance(Duration.ofMillis(20));
        assertThat(ran).hasValue(2);
        assertThat(parks.availablePermits()).isLessThan(6);
    }

    @Test
    void schedulesNothingIfItCannotHaveAThread() {
        AtomicInteger asked = new AtomicInteger();
        WheelTimer starved = new WheelTimer(
                time::nanos,
                time.time()::park,
                body -> {
                    if (asked.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("no thread, of a test");
                    }
                    return newThread(body);
                },
                IDLE_NANOS);
        AtomicBoolean ran = new AtomicBoolean();
        assertThatThrownBy(() -> starved.schedule(1, () -> {})).isInstanceOf(OutOfMemoryError.class);
        assertThat(starved.size()).isZero();
        starved.schedule(1, () -> ran.set(true));
        letThreadPark();
        advance(TWO_TICKS);
        assertThat(ran).isTrue();
    }

    @Test
    void refusesANullAction() {
        assertThatNullPointerException()
                .isThrownBy(() -> timer.schedule(1, null))
                .withMessage("action");
        assertThat(threads).isEmpty();
    }

    // ---------------- the thread

    @Test
    void startsNoThreadBeforeTheFirstAction() {
        assertThat(threads).isEmpty();
        timer.schedule(1, () -> {});
        assertThat(threads).hasSize(1);
    }

    @Test
    void startsNoThreadWhenTheClassIsLoaded() throws Exception {
        Set<Thread> before = timerThreads();
        ClassLoader fresh = new FreshTimeClasses();
        Class<?> time = Class.forName(Time.class.getName(), true, fresh);
        assertThat(time).isNotSameAs(Time.class);
        assertThat(time.getMethod("system").invoke(null)).isNotNull();
        Set<Thread> after = timerThreads();
        after.removeAll(before);
        assertThat(after).isEmpty();
    }

    @Test
    void itsThreadIsADaemonThatHoldsOnToNothing() {
        ClassLoader loader = new ClassLoader() {};
        Thread current = Thread.currentThread();
        ClassLoader own = current.getContextClassLoader();
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        AtomicReference<String> seen = new AtomicReference<>("unset");
        current.setContextClassLoader(loader);
        local.set("from the caller");
        try {
            Thread thread = WheelTimer.newThread(() -> seen.set(local.get()));
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).isEqualTo("nopanic-timer");
            assertThat(thread.getContextClassLoader()).isNotSameAs(loader);
            thread.start();
            join(thread);
            assertThat(seen).hasValue(null);
        } finally {
            current.setContextClassLoader(own);
            local.remove();
        }
    }

    @Test
    void endsItsThreadAfterAnIdleTimeAndStartsAnother() {
        AtomicInteger ran = new AtomicInteger();
        timer.schedule(1, ran::incrementAndGet);
        letThreadPark();
        advance(TWO_TICKS);
        assertThat(threads.get(0).isAlive()).isTrue();
        time.advance(Duration.ofNanos(IDLE_NANOS));
        join(threads.get(0));

        timer.schedule(1, ran::incrementAndGet);
        assertThat(threads).hasSize(2);
        letThreadPark();
        advance(TWO_TICKS);
        assertThat(ran).hasValue(2);
    }

    @Test
    void staysWhileCallsComeAndGo() {
        for (int i = 0; i < 10; i++) {
            timer.schedule(30_000_000_000L, () -> {}).cancel();
            letThreadPark();
            advance(Duration.ofNanos(IDLE_NANOS * 3 / 4));
        }
        assertThat(threads).hasSize(1);
        assertThat(threads.get(0).isAlive()).isTrue();
    }

    @Test
    void doesNotStayForALongTimerThatWasCancelled() {
        Timer.Scheduled scheduled = timer.schedule(Nanos.FOREVER, () -> {});
        letThreadPark();
        int parks = time.parks().size();
        scheduled.cancel();
        awaitParks(parks + 1);
        time.advance(Duration.ofNanos(IDLE_NANOS));
        join(threads.get(0));
    }

    @Test
    void losesNoActionWhileItsThreadEnds() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        ThreadFactory counting = body -> {
            started.incrementAndGet();
            return WheelTimer.newThread(body);
        };
        WheelTimer restless = new WheelTimer(System::nanoTime, LockSupport::parkNanos, counting, 1);
        for (int i = 0; i < 3_000; i++) {
            CountDownLatch ran = new CountDownLatch(2);
            restless.schedule(0, ran::countDown);
            restless.schedule(i % 100 * 1_000, ran::countDown);
            await(ran);
        }
        assertThat(started).hasValueGreaterThan(1);
        assertThat(restless.size()).isZero();
    }

    @Test
    void takesActionsFromManyThreadsAtOnce() throws InterruptedException {
        WheelTimer real = new WheelTimer(System::nanoTime, LockSupport::parkNanos, WheelTimer::newThread, IDLE_NANOS);
        int perThread = 5_000;
        int threadCount = 4;
        ConcurrentLinkedQueue<Long> early = new ConcurrentLinkedQueue<>();
        CountDownLatch ran = new CountDownLatch(threadCount * perThread);
        List<Thread> callers = new ArrayList<>();
        for (int t = 0; t < threadCount; t++) {
            Thread caller = new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    long delay = i % 50 * 100_000L;
                    long start = System.nanoTime();
                    real.schedule(delay, () -> {
                        long took = System.nanoTime() - start;
                        if (took < delay) {
                            early.add(took - delay);
                        }
                        ran.countDown();
                    });
                    real.schedule(delay + 1_000_000_000L, () -> early.add(0L)).cancel();
                }
            });
            callers.add(caller);
            caller.start();
        }
        await(ran);
        callers.forEach(WheelTimerTest::join);
        assertThat(early).isEmpty();
        assertThat(real.size()).isZero();
    }

    // ---------------- helpers

    /** The thread waits until the test has scheduled all that it shall find. */
    private Thread newThread(Runnable body) {
        Thread thread = WheelTimer.newThread(() -> {
            try {
                letRun.await();
                body.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        threads.add(thread);
        return thread;
    }

    private void letThreadPark() {
        letRun.countDown();
        time.awaitParked(1);
    }

    /** Moves the clock and waits until the timer's thread has done what there was to do and parks again. */
    private void advance(Duration duration) {
        time.advance(duration);
        time.awaitParked(1);
    }

    /** Waits until the thread, woken by something other than the clock, has parked again. */
    private void awaitParks(int count) {
        time.awaitParks(count);
        time.awaitParked(1);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void join(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }

    private static Set<Thread> timerThreads() {
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(thread -> !thread.getName().equals("nopanic-timer"));
        return all;
    }

    private static Handler recordingHandler(List<LogRecord> records) {
        return new Handler() {
            @Override
            public void publish(LogRecord logged) {
                records.add(logged);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    /** Loads the classes of the package once more. */
    private static final class FreshTimeClasses extends ClassLoader {

        FreshTimeClasses() {
            super(WheelTimerTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(Time.class.getPackageName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
