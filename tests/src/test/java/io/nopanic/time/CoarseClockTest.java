package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A clock whose thread is real, and whose exact clock and parking are virtual: a test meets the thread whenever it parks. */
@Timeout(60)
class CoarseClockTest {

    private static final Duration TICK = Duration.ofNanos(CoarseClock.TICK_NANOS);
    private static final Duration QUIET = Duration.ofNanos(CoarseClock.QUIET_NANOS);
    private static final long GRAIN_NANOS = 4;

    private final VirtualTime time = VirtualTime.manual();
    private final List<Thread> threads = new ArrayList<>();
    private final CoarseClock clock = new CoarseClock(time::nanos, time.time()::park, this::newThread);

    @Test
    void readsExactlyWhileItStandsAndStartsItsThreadThen() {
        time.advance(Duration.ofNanos(123_456_789));
        assertThat(threads).isEmpty();
        assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).isEqualTo("nopanic-clock");
        });
        assertThat(clock.worstLagNanos()).isLessThan(GRAIN_NANOS);
    }

    @Test
    void movesOnceATick() {
        long startNanos = clock.nanos();
        time.awaitParked(1);
        time.advance(TICK.minusNanos(1));
        assertThat(clock.nanos()).isEqualTo(startNanos);
        tick(Duration.ofNanos(1));
        assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
        tick(TICK);
        assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
    }

    @Test
    void goesOnWhereTheExactClockOverflows() {
        long startNanos = clock.nanos();
        time.awaitParked(1);
        for (int i = 0; i < 1_000; i++) {
            tick(TICK);
            assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
        }
        assertThat(time.nanos()).isNegative();
        assertThat(clock.nanos() - startNanos).isBetween(10_000_000_000L - GRAIN_NANOS, 10_000_000_000L + GRAIN_NANOS);
        assertThat(threads).hasSize(1);
    }

    @Test
    void endsItsThreadWhenNobodyReadsAndStartsAnother() {
        clock.nanos();
        time.awaitParked(1);
        tick(QUIET);
        time.advance(QUIET);
        WheelTimerFixture.join(threads.get(0));
        time.advance(Duration.ofNanos(7_777_777));
        assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
        assertThat(threads).hasSize(2);
        time.awaitParked(1);
        tick(TICK);
        assertThat(behindNanos()).isBetween(0L, GRAIN_NANOS - 1);
        assertThat(clock.worstLagNanos()).as("standing still is no lag").isLessThan(QUIET.toNanos() + GRAIN_NANOS);
    }

    @Test
    void oneReadingBetweenTwoQuestionsKeepsItsThread() {
        clock.nanos();
        time.awaitParked(1);
        for (int i = 0; i < 10; i++) {
            tick(QUIET);
            tick(TICK);
            long beforeNanos = clock.nanos();
            assertThat(clock.nanos()).isEqualTo(beforeNanos);
        }
        assertThat(threads).hasSize(1);
        assertThat(threads.get(0).isAlive()).isTrue();
    }

    @Test
    void tellsHowLongItStoodStillAtTheWorst() {
        AtomicLong nowNanos = new AtomicLong();
        CoarseClock disturbed = new CoarseClock(nowNanos::get, time.time()::park, this::newThread);
        disturbed.nanos();
        time.awaitParked(1);
        for (long lagNanos : new long[] {12_000_000, 38_000_000, 10_000_000}) {
            nowNanos.addAndGet(lagNanos);
            tick(TICK);
        }
        assertThat(disturbed.worstLagNanos()).isEqualTo(38_000_000);
    }

    @Test
    void tellsOfAThreadThatIsLateNow() {
        AtomicLong nowNanos = new AtomicLong();
        CoarseClock stuck = new CoarseClock(nowNanos::get, time.time()::park, this::newThread);
        stuck.nanos();
        nowNanos.set(250_000_000);
        assertThat(stuck.nanos()).isZero();
        assertThat(stuck.worstLagNanos()).isEqualTo(250_000_000);
    }

    @Test
    void staysExactIfItCannotHaveAThread() {
        AtomicBoolean starved = new AtomicBoolean(true);
        CoarseClock alone = new CoarseClock(time::nanos, time.time()::park, body -> {
            if (starved.get()) {
                throw new OutOfMemoryError("no thread, of a test");
            }
            return newThread(body);
        });
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofNanos(1_000_003));
            assertThat(time.nanos() - alone.nanos()).isBetween(0L, GRAIN_NANOS - 1);
        }
        starved.set(false);
        alone.nanos();
        assertThat(threads).hasSize(1);
    }

    @Test
    void isExactAgainIfItsThreadBreaks() {
        CoarseClock broken = new CoarseClock(
                time::nanos,
                (blocker, nanos) -> {
                    throw new StackOverflowError("of a test");
                },
                body -> newThread(() -> {
                    try {
                        body.run();
                    } catch (StackOverflowError expected) {
                        // Not for the console.
                    }
                }));
        broken.nanos();
        WheelTimerFixture.join(threads.get(0));
        time.advance(TICK);
        assertThat(time.nanos() - broken.nanos()).isBetween(0L, GRAIN_NANOS - 1);
        assertThat(threads).hasSize(2);
    }

    @Test
    void waitsAreMeasuredExactly() {
        Time coarse = Time.of(clock, time.time()::schedule, time.time()::park, time::wallTime);
        assertThat(coarse.exact().nanos()).isEqualTo(time.nanos());
        assertThat(threads).isEmpty();
        assertThat(time.time().exact()).isSameAs(time.time());
        assertThat(Time.system().exact()).isSameAs(Time.system());
        assertThat(Time.coarse().exact().nanos() - Time.system().nanos()).isLessThanOrEqualTo(0);
    }

    @Test
    void neverGoesBackNorAheadForAnybodyWhileItStopsAndStarts() {
        AtomicLong exact = new AtomicLong(-1_000_000_000_000L);
        AtomicInteger started = new AtomicInteger();
        // Every look at the exact clock takes a millisecond, so that the thread ends and starts all the time.
        CoarseClock restless = new CoarseClock(() -> exact.addAndGet(1_000_000), (blocker, nanos) -> {}, body -> {
            started.incrementAndGet();
            return DaemonThread.make("restless", body);
        });
        AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> readers = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            readers.add(DaemonThread.make("reader", () -> {
                for (int i = 0; i < 50_000; i++) {
                    long before = latest.get();
                    long reading = restless.nanos();
                    latest.accumulateAndGet(reading, Math::max);
                    if (reading < before) {
                        wrong.add(reading + " after " + before);
                    }
                    if (reading > exact.get()) {
                        wrong.add(reading + " is ahead");
                    }
                    if (i % 100 == 0) {
                        exact.addAndGet(CoarseClock.QUIET_NANOS);
                    }
                }
            }));
        }
        readers.forEach(Thread::start);
        readers.forEach(WheelTimerFixture::join);
        assertThat(wrong).isEmpty();
        assertThat(started).hasPositiveValue();
    }

    private Thread newThread(Runnable body) {
        Thread thread = DaemonThread.make(CoarseClock.THREAD_NAME, body);
        threads.add(thread);
        return thread;
    }

    private long behindNanos() {
        return time.nanos() - clock.nanos();
    }

    /** Moves the exact clock and waits until the thread has moved this one and parks again. */
    private void tick(Duration duration) {
        time.advance(duration);
        time.awaitParked(1);
    }
}
