package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nopanic.testkit.VirtualTime;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In virtual time, as if that was the machine's. The calls run on the test's own thread, which moves the clock and gets the interrupts. */
@org.junit.jupiter.api.Timeout(60)
class WatchdogTest {

    private static final Duration ROUND = Duration.ofNanos(Watchdog.ROUND_NANOS);
    private static final Duration QUIET = ROUND.multipliedBy(Watchdog.QUIET_ROUNDS + 3);
    private static final long LIMIT_NANOS = 100_000_000;
    private static final int SLOTS = 8;

    private final VirtualTime time = VirtualTime.manual();
    private final Watchdog watchdog = new Watchdog(time.time(), SLOTS);

    @AfterEach
    void noInterruptIsLeft() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void callsThatEndSoonShareOneTimer() {
        for (int i = 0; i < 1_000; i++) {
            WatchSlot slot = watch(LIMIT_NANOS);
            assertThat(time.pendingTimers()).isEqualTo(1);
            assertThat(slot.end()).isFalse();
        }
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void interruptsACallAtItsOwnMomentAndNotBefore() {
        time.advance(Duration.ofNanos(1_234_567));
        WatchSlot slot = watch(LIMIT_NANOS);
        time.advance(Duration.ofNanos(LIMIT_NANOS - 1));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(slot.end()).isTrue();
    }

    @Test
    void limitsDownToTheShortestAreKeptExactly() {
        for (long limitNanos : new long[] {1, 4_999_999, Watchdog.SHORTEST_NANOS - 1, Watchdog.SHORTEST_NANOS}) {
            WatchSlot slot = watch(limitNanos);
            time.advance(Duration.ofNanos(limitNanos - 1));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            time.advance(Duration.ofNanos(1));
            assertThat(slot.end()).as("%d ns", limitNanos).isTrue();
            time.advance(Duration.ofNanos(777_777));
        }
    }

    @Test
    void aCallWhoseBeginningIsNotKnownHasAtLeastItsTimeAndAtMostARoundMore() {
        for (int i = 0; i < 20; i++) {
            time.advance(Duration.ofNanos(333_333L * i));
            WatchSlot slot = watchdog.watch(Context.UNREAD_NANOS, LIMIT_NANOS);
            time.advance(Duration.ofNanos(LIMIT_NANOS - 1));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            time.advance(ROUND.plusNanos(1));
            assertThat(slot.end()).isTrue();
        }
    }

    @Test
    void interruptsAgainAndAgainWhileTheCallGoesOn() {
        WatchSlot slot = watch(LIMIT_NANOS);
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        for (int seconds = 1; seconds <= 8; seconds *= 2) {
            assertThat(Thread.interrupted()).isTrue();
            time.advance(Duration.ofSeconds(seconds).minusNanos(1));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            time.advance(Duration.ofNanos(1));
        }
        assertThat(slot.end()).isTrue();
        time.advance(QUIET);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aFlagThatSomebodyElseSetStaysSet() {
        WatchSlot slot = watch(LIMIT_NANOS);
        Thread.currentThread().interrupt();
        assertThat(slot.end()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        WatchSlot interrupted = watch(LIMIT_NANOS);
        Thread.currentThread().interrupt();
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(interrupted.end()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallThatEndsAfterItsAlarmWasSetLeavesNoTimer() {
        WatchSlot slot = watch(LIMIT_NANOS);
        time.advance(ROUND.multipliedBy(3));
        assertThat(time.pendingTimers()).isEqualTo(2);
        assertThat(slot.end()).isFalse();
        assertThat(time.pendingTimers()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void aCallWithinACallHasItsOwnLimit() {
        WatchSlot outer = watch(2 * LIMIT_NANOS);
        WatchSlot inner = watch(LIMIT_NANOS);
        assertThat(inner).isNotSameAs(outer);
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(inner.end()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(outer.end()).isFalse();
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void longCallsLeaveTheSlotsToOthers() {
        List<Counting> alarms = new ArrayList<>();
        List<WatchSlot> slots = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Counting alarm = new Counting();
            alarms.add(alarm);
            slots.add(watchdog.watch(alarm, time.nanos(), LIMIT_NANOS));
            assertThat(alarm.armed.get()).as("call %d finds a slot", i).isZero();
            time.advance(ROUND.multipliedBy(2));
        }
        assertThat(slots).doesNotHaveDuplicates();
        slots.forEach(WatchSlot::end);
        assertThat(alarms).allSatisfy(alarm -> {
            assertThat(alarm.armed).hasValue(1);
            assertThat(alarm.off).hasValue(1);
        });
    }

    @Test
    void aThreadThatCallsOftenKeepsItsSlotAndIsWatchedThereToo() {
        WatchSlot own = callOften();
        WatchSlot slot = watch(LIMIT_NANOS);
        assertThat(slot).isSameAs(own);
        time.advance(Duration.ofNanos(LIMIT_NANOS - 1));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(slot.end()).isTrue();
    }

    @Test
    void aSlotThatItsOwnerDoesNotUseMakesWayForAnother() {
        WatchSlot own = callOften();
        time.advance(ROUND.multipliedBy(3));
        WatchSlot slot = watch(LIMIT_NANOS);
        assertThat(slot).isNotSameAs(own);
        assertThat(own.claim(Thread.currentThread(), null, time.nanos(), LIMIT_NANOS))
                .as("by an owner that comes late")
                .isFalse();
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(slot.end()).isTrue();
        time.advance(QUIET);
        assertThat(time.pendingTimers()).isZero();
    }

    private WatchSlot callOften() {
        WatchSlot slot = watch(LIMIT_NANOS);
        for (int i = 0; i < WatchSlot.CALLS_TO_OWN; i++) {
            assertThat(slot.end()).isFalse();
            assertThat(watch(LIMIT_NANOS)).isSameAs(slot);
        }
        assertThat(slot.end()).isFalse();
        assertThat(WatchSlot.isOwned(slot.state())).isTrue();
        return slot;
    }

    @Test
    void callsThatFindNoSlotHaveATimerOfTheirOwn() {
        List<WatchSlot> slots = new ArrayList<>();
        List<Counting> alarms = new ArrayList<>();
        for (int i = 0; i < 3 * SLOTS; i++) {
            Counting alarm = new Counting();
            alarms.add(alarm);
            slots.add(watchdog.watch(alarm, time.nanos(), LIMIT_NANOS));
        }
        assertThat(alarms.stream().filter(alarm -> alarm.armed.get() > 0)).hasSize(3 * SLOTS - Watchdog.PROBES);
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(alarms).allSatisfy(alarm -> assertThat(alarm.wentOff).hasValue(1));
        slots.forEach(WatchSlot::end);
    }

    @Test
    void theRoundsEndWhenNobodyCallsAndBeginAgain() {
        assertThat(time.pendingTimers()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(watch(LIMIT_NANOS).end()).isFalse();
            assertThat(time.pendingTimers()).isEqualTo(1);
            time.advance(QUIET);
            assertThat(time.pendingTimers()).isZero();
            WatchSlot slot = watch(LIMIT_NANOS);
            time.advance(Duration.ofNanos(LIMIT_NANOS));
            assertThat(slot.end()).isTrue();
            time.advance(QUIET);
            assertThat(time.pendingTimers()).isZero();
        }
    }

    @Test
    void theRoundsGoOnWhileNowAndThenSomebodyCalls() {
        assertThat(watch(LIMIT_NANOS).end()).isFalse();
        for (int i = 0; i < 10; i++) {
            time.advance(ROUND.multipliedBy(Watchdog.QUIET_ROUNDS - 1));
            assertThat(time.pendingTimers()).isEqualTo(1);
            assertThat(watch(LIMIT_NANOS).end()).isFalse();
        }
    }

    @Test
    void aCallThatTakesForeverNeedsNoRounds() {
        WatchSlot slot =
                watchdog.watch(new Counting(), time.nanos(), Duration.ofDays(1).toNanos());
        time.advance(QUIET.multipliedBy(2));
        assertThat(time.pendingTimers()).as("its own").isEqualTo(1);
        slot.end();
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void aCallThatCannotBeWatchedDoesNotBegin() {
        AtomicInteger asked = new AtomicInteger();
        Watchdog starved = new Watchdog(
                Time.of(
                        time::nanos,
                        (delayNanos, action) -> {
                            if (asked.getAndIncrement() == 0) {
                                throw new OutOfMemoryError("no thread, of a test");
                            }
                            return time.time().schedule(delayNanos, action);
                        },
                        time.time()::park,
                        time::wallTime),
                SLOTS);
        assertThatThrownBy(() -> starved.watch(time.nanos(), LIMIT_NANOS)).isInstanceOf(OutOfMemoryError.class);
        WatchSlot slot = starved.watch(time.nanos(), LIMIT_NANOS);
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(slot.end()).isTrue();
        time.advance(QUIET);
        assertThat(time.pendingTimers()).isZero();
    }

    @Test
    void anAlarmThatCannotBeSetIsTriedAgainInTheNextRound() {
        Counting alarm = new Counting() {
            @Override
            public void arm(Time time, long delayNanos) {
                if (armed.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("of a test");
                }
                super.arm(time, delayNanos);
            }
        };
        WatchSlot slot = watchdog.watch(alarm, time.nanos(), LIMIT_NANOS);
        time.advance(Duration.ofNanos(LIMIT_NANOS));
        assertThat(alarm.wentOff).hasValue(1);
        slot.end();
        assertThat(time.timerFailures())
                .hasSize(1)
                .allSatisfy(e -> assertThat(e).isInstanceOf(OutOfMemoryError.class));
    }

    @Test
    void timersOfATimeThatIsNotTheMachinesAreSeenByWhoeverMovesIt() {
        Watchdog virtual = Watchdog.of(time.time());
        WatchSlot slot = virtual.watch(time.nanos(), Duration.ofDays(1).toNanos());
        assertThat(time.pendingTimers()).isEqualTo(1);
        assertThat(slot.end()).isFalse();
        assertThat(time.pendingTimers()).isZero();
        assertThat(Watchdog.of(Time.system())).isSameAs(Watchdog.of(Time.coarse()));
    }

    private WatchSlot watch(long limitNanos) {
        return watchdog.watch(time.nanos(), limitNanos);
    }

    /** The alarm of a call that is not tied to a thread. */
    private static class Counting implements Alarm {

        final AtomicInteger armed = new AtomicInteger();
        final AtomicInteger wentOff = new AtomicInteger();
        final AtomicInteger off = new AtomicInteger();
        private io.nopanic.time.Timer.Scheduled timer;

        @Override
        public void arm(Time time, long delayNanos) {
            armed.incrementAndGet();
            timer = time.schedule(delayNanos, wentOff::incrementAndGet);
        }

        @Override
        public boolean off() {
            off.incrementAndGet();
            timer.cancel();
            return false;
        }
    }
}
