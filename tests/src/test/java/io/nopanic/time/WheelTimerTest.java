package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When actions run, and when they do not. */
@Timeout(60)
class WheelTimerTest extends WheelTimerFixture {

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
        advance(Duration.ofNanos(Nanos.FOREVER).minus(time.elapsed()).plus(TWO_TICKS));
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
    void refusesANullAction() {
        assertThatNullPointerException()
                .isThrownBy(() -> timer.schedule(1, null))
                .withMessage("action");
        assertThat(threads).isEmpty();
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
}
