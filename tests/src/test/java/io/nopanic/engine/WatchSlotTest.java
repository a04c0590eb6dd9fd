package io.nopanic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@org.junit.jupiter.api.Timeout(60)
class WatchSlotTest {

    private final WatchSlot slot = WatchSlot.free();

    @Test
    void isOneCallsUntilThatEnds() {
        assertThat(claim(1, 2)).isTrue();
        assertThat(claim(3, 4)).isFalse();
        assertThat(slot.watched(slot.state()))
                .isNotNull()
                .satisfies(call -> assertThat(call.startNanos()).isEqualTo(1))
                .satisfies(call -> assertThat(call.timeoutNanos()).isEqualTo(2));
        assertThat(slot.end()).isFalse();
        assertThat(claim(3, 4)).isTrue();
    }

    @Test
    void isNotTakenForTheCallBefore() {
        claim(1, 2);
        long before = slot.state();
        slot.end();
        claim(1, 2);
        assertThat(slot.watched(before)).isNull();
        assertThat(slot.promote(before, new Silent())).isFalse();
        assertThat(slot.end()).isFalse();
    }

    @Test
    void belongsToItsCallOnceThatIsPromoted() {
        claim(1, 2);
        long state = slot.state();
        Silent alarm = new Silent();
        assertThat(slot.promote(state, alarm)).isTrue();
        assertThat(claim(3, 4)).isFalse();
        assertThat(slot.end()).isFalse();
        assertThat(alarm.off).isEqualTo(1);
        assertThat(claim(3, 4)).isFalse();
    }

    @Test
    void forgetsACallThatHasEndedWhenToldTo() {
        long fresh = slot.state();
        assertThat(slot.clear(fresh)).as("nothing to forget").isEqualTo(fresh);
        claim(1, 2);
        slot.end();
        long state = slot.state();
        assertThat(slot.clear(state)).isNotEqualTo(state).isEqualTo(slot.state());
        assertThat(slot.clear(slot.state())).isEqualTo(slot.state());
        assertThat(claim(1, 2)).isTrue();
        assertThat(slot.clear(slot.state())).isEqualTo(slot.state());
        assertThat(slot.watched(slot.state())).as("the call is not disturbed").isNotNull();
    }

    @Test
    void belongsToAThreadThatUsesItManyTimesInARow() throws Exception {
        own(slot);
        assertThat(WatchSlot.isOwned(slot.state())).isTrue();
        long state = slot.state();
        assertThat(slot.clear(state)).as("not cleared").isEqualTo(state);
        AtomicBoolean claimed = new AtomicBoolean();
        Thread other = new Thread(() -> claimed.set(claim(3, 4)));
        other.start();
        other.join();
        assertThat(claimed).isFalse();
        assertThat(claim(5, 6)).isTrue();
        assertThat(claim(7, 8)).as("within that call").isFalse();
        assertThat(Objects.requireNonNull(slot.watched(slot.state())).startNanos())
                .isEqualTo(5);
        assertThat(slot.end()).isFalse();
    }

    @Test
    void belongsToNobodyIfAnotherThreadComesInBetween() throws Exception {
        for (int i = 0; i < 3; i++) {
            for (int call = 0; call < WatchSlot.CALLS_TO_OWN - 1; call++) {
                assertThat(claim(1, 2)).isTrue();
                slot.end();
            }
            Thread other = new Thread(() -> {
                claim(3, 4);
                slot.end();
            });
            other.start();
            other.join();
            assertThat(WatchSlot.isOwned(slot.state())).isFalse();
        }
    }

    @Test
    void isGivenUpByItsOwnerOnceItIsRetired() {
        own(slot);
        slot.retire();
        assertThat(claim(1, 2)).isFalse();
        assertThat(WatchSlot.isFree(slot.state())).isTrue();
        assertThat(WatchSlot.isWorking(slot.state())).isFalse();
    }

    @Test
    void interruptsTheCallOrNothing() throws Exception {
        race(false);
        race(true);
    }

    private static void race(boolean owned) throws Exception {
        int rounds = 3_000;
        CyclicBarrier start = new CyclicBarrier(2);
        WatchSlot[] shared = new WatchSlot[rounds];
        for (int i = 0; i < rounds; i++) {
            shared[i] = WatchSlot.free();
            if (owned) {
                own(shared[i]);
            }
        }
        AtomicInteger promoted = new AtomicInteger();
        Thread watchdog = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                meet(start);
                if (interrupt(shared[i])) {
                    promoted.incrementAndGet();
                }
            }
        });
        watchdog.start();
        int interrupted = 0;
        for (int i = 0; i < rounds; i++) {
            shared[i].claim(Thread.currentThread(), null, 1, 1);
            meet(start);
            for (int spin = 0; spin < i % 200; spin++) {
                Thread.onSpinWait();
            }
            interrupted += shared[i].end() ? 1 : 0;
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        watchdog.join();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(interrupted).isLessThanOrEqualTo(promoted.get());
    }

    @Test
    void manyThreadsNeverShareASlot() throws Exception {
        int perThread = 20_000;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger shared = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            callers.add(new Thread(() -> {
                for (int i = 0; i < perThread; i++) {
                    if (claim(i, i)) {
                        if (inside.incrementAndGet() > 1) {
                            shared.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        slot.end();
                    }
                    slot.clear(slot.state());
                }
            }));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(shared).hasValue(0);
        assertThat(claim(1, 1)).isTrue();
    }

    private static void own(WatchSlot slot) {
        for (int i = 0; i < WatchSlot.CALLS_TO_OWN; i++) {
            assertThat(slot.claim(Thread.currentThread(), null, 1, 2)).isTrue();
            assertThat(slot.end()).isFalse();
        }
    }

    private boolean claim(long startNanos, long timeoutNanos) {
        return slot.claim(Thread.currentThread(), null, startNanos, timeoutNanos);
    }

    /** Does what a watchdog does for a call whose time is up at the moment it is found. */
    private static boolean interrupt(WatchSlot slot) {
        List<Runnable> scheduled = new ArrayList<>();
        Time time = Time.of(
                () -> 0,
                (delayNanos, action) -> {
                    scheduled.add(action);
                    return () -> false;
                },
                (blocker, nanos) -> {},
                () -> java.time.Instant.EPOCH);
        long state = slot.state();
        WatchSlot.Watched call = WatchSlot.isWorking(state) ? slot.watched(state) : null;
        if (call == null) {
            return false;
        }
        Alarm alarm = Objects.requireNonNull(call).alarm();
        alarm.arm(time, 0);
        if (!slot.promote(state, alarm)) {
            alarm.off();
            return false;
        }
        scheduled.get(0).run();
        return true;
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class Silent implements Alarm {

        int off;

        @Override
        public void arm(Time time, long delayNanos) {}

        @Override
        public boolean off() {
            off++;
            return false;
        }
    }
}
