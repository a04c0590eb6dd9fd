package io.nopanic.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.spi.Admission;
import io.nopanic.spi.Entry;
import io.nopanic.spi.Waiter;
import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BulkheadQueueTest {

    private static final long IN = Entry.Waiting.ADMITTED;
    private static final long REFUSED = Entry.Waiting.REFUSED;

    @Test
    void letsWaitersInFirstComeFirstServed() {
        Bulkhead bulkhead = bulkhead(1, 3);
        Caller holder = Caller.at(bulkhead);
        Caller first = Caller.at(bulkhead);
        Caller second = Caller.at(bulkhead);
        Caller third = Caller.at(bulkhead);
        assertThat(bulkhead.queued()).isEqualTo(3);

        assertThat(holder.release()).isSameAs(first);
        assertThat(second.check(0)).isPositive();
        assertThat(first.check(0)).isEqualTo(IN);
        assertThat(first.release()).isSameAs(second);
        assertThat(second.check(0)).isEqualTo(IN);
        assertThat(second.release()).isSameAs(third);
        assertThat(third.check(0)).isEqualTo(IN);
        assertThat(bulkhead.queued()).isZero();
        assertThat(third.release()).isNull();
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void aNewcomerCannotOvertakeWhoeverWaits() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Caller holder = Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead);
        assertThat(holder.release()).isSameAs(waiter);

        assertThat(bulkhead.tryAcquire(0)).as("before the waiter has noticed").isEqualTo(Admission.NOT_NOW);
        Caller newcomer = Caller.at(bulkhead);
        assertThat(newcomer.waits()).isTrue();
        assertThat(newcomer.check(0)).isPositive();
        assertThat(waiter.check(0)).isEqualTo(IN);
    }

    @Test
    void refusesAtOnceWhenTheQueueIsFull() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Caller holder = Caller.at(bulkhead);
        Caller first = Caller.at(bulkhead);
        Caller.at(bulkhead);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        assertThat(bulkhead.queued()).isEqualTo(2);

        first.leave();
        assertThat(Caller.at(bulkhead).waits()).as("after one has left").isTrue();
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        holder.release();
        assertThat(Caller.at(bulkhead).waits()).as("after one was let in").isTrue();
    }

    @Test
    void refusesAtOnceACallThatItsDeadlineLeavesNoTimeToWait() {
        Bulkhead bulkhead = bulkhead(1, 2);
        assertThat(Caller.at(bulkhead, 0, 0).isIn())
                .as("a call that need not wait")
                .isTrue();
        assertThat(Caller.at(bulkhead, 0, 0).isRefused()).isTrue();
        assertThat(Caller.at(bulkhead, 0, -5).isRefused()).isTrue();
        assertThat(Caller.at(bulkhead, 0, 1).waits()).isTrue();
        assertThat(bulkhead.queued()).isEqualTo(1);
    }

    @Test
    void aWaiterWhoseTimeIsUpNeverReceivesAPermit() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofMillis(20));
        Caller holder = Caller.at(bulkhead, 1_000);
        Caller waiter = Caller.at(bulkhead, 1_000);
        assertThat(waiter.check(1_000)).isEqualTo(20_000_000);
        assertThat(waiter.check(20_000_999)).isEqualTo(1);
        assertThat(waiter.check(20_001_000)).isEqualTo(REFUSED);
        assertThat(bulkhead.queued()).isZero();

        assertThat(holder.release()).isNull();
        assertThat(waiter.check(20_001_001)).as("asked again").isEqualTo(REFUSED);
        assertThat(waiter.leave()).isNull();
        assertThat(bulkhead.tryAcquire(20_001_001)).isNotEqualTo(Admission.NOT_NOW);
    }

    @Test
    void aWaiterThatLeavesNeverReceivesAPermit() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Caller holder = Caller.at(bulkhead);
        Caller leaver = Caller.at(bulkhead);
        Caller next = Caller.at(bulkhead);
        assertThat(leaver.leave()).isNull();
        assertThat(bulkhead.queued()).isEqualTo(1);

        assertThat(holder.release()).isSameAs(next);
        assertThat(leaver.check(0)).isEqualTo(REFUSED);
        assertThat(next.check(0)).isEqualTo(IN);
        assertThat(next.release()).isNull();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aPermitGrantedAtTheVeryMomentOfTheTimeoutIsUsed() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofMillis(20));
        Caller holder = Caller.at(bulkhead, 0);
        Caller waiter = Caller.at(bulkhead, 0);
        assertThat(holder.release()).isSameAs(waiter);
        assertThat(waiter.check(20_000_000)).isEqualTo(IN);
        assertThat(bulkhead.inUse()).isEqualTo(1);
        waiter.release();
        assertThat(bulkhead.tryAcquire(0)).isNotEqualTo(Admission.NOT_NOW);
    }

    @Test
    void aPermitGrantedAtTheVeryMomentOfAnInterruptGoesToTheNextExactlyOnce() {
        Bulkhead bulkhead = bulkhead(1, 3);
        Caller holder = Caller.at(bulkhead);
        Caller interrupted = Caller.at(bulkhead);
        Caller second = Caller.at(bulkhead);
        Caller third = Caller.at(bulkhead);
        assertThat(holder.release()).isSameAs(interrupted);

        assertThat(interrupted.leave()).isSameAs(second);
        assertThat(interrupted.leave()).as("left again").isNull();
        assertThat(interrupted.check(0)).isEqualTo(REFUSED);
        assertThat(second.check(0)).isEqualTo(IN);
        assertThat(third.check(0)).isPositive();
        assertThat(bulkhead.inUse()).isEqualTo(1);
    }

    @Test
    void aPermitGrantedToTheLastWaiterWhenItLeavesBecomesFree() {
        Bulkhead bulkhead = bulkhead(1, 1);
        Caller holder = Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead);
        holder.release();
        assertThat(waiter.leave()).isNull();
        assertThat(bulkhead.inUse()).isZero();
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
    }

    @Test
    void leavingAfterHavingBeenLetInChangesNothing() {
        Bulkhead bulkhead = bulkhead(1, 2);
        Caller holder = Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead);
        Caller.at(bulkhead);
        holder.release();
        assertThat(waiter.check(0)).isEqualTo(IN);
        assertThat(waiter.check(0)).as("asked again").isEqualTo(IN);
        assertThat(waiter.leave()).isNull();
        assertThat(bulkhead.inUse()).isEqualTo(1);
        assertThat(bulkhead.queued()).isEqualTo(1);
    }

    @Test
    void whoeverLeavesTheMiddleOfTheQueueChangesNothingForTheOthers() {
        Bulkhead bulkhead = bulkhead(1, 5);
        Caller holder = Caller.at(bulkhead);
        Caller first = Caller.at(bulkhead);
        Caller second = Caller.at(bulkhead);
        Caller third = Caller.at(bulkhead);
        second.leave();
        assertThat(holder.release()).isSameAs(first);
        assertThat(first.release()).isSameAs(third);
        assertThat(third.release()).isNull();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void twoReleasesLetInTwoWaiters() {
        Bulkhead bulkhead = bulkhead(2, 2);
        Caller one = Caller.at(bulkhead);
        Caller two = Caller.at(bulkhead);
        Caller first = Caller.at(bulkhead);
        Caller second = Caller.at(bulkhead);
        assertThat(one.release()).isSameAs(first);
        assertThat(two.release()).isSameAs(second);
        assertThat(first.check(0)).isEqualTo(IN);
        assertThat(second.check(0)).isEqualTo(IN);
        assertThat(bulkhead.queued()).isZero();
        assertThat(bulkhead.inUse()).isEqualTo(2);
    }

    @Test
    void waitsForTheLastPartOfAMillisecond() {
        Bulkhead bulkhead = bulkhead(1, 2, Duration.ofNanos(1_400_000));
        Caller holder = Caller.at(bulkhead, 0);
        Caller first = Caller.at(bulkhead, 0);
        Caller second = Caller.at(bulkhead, 0);
        assertThat(first.check(1_000_000)).isEqualTo(400_000);
        assertThat(second.check(1_399_999)).isEqualTo(1);
        assertThat(holder.release()).isSameAs(first);
        assertThat(first.check(1_399_999)).isEqualTo(IN);
        assertThat(second.check(1_400_000)).isEqualTo(REFUSED);

        Bulkhead hardly = bulkhead(1, 1, Duration.ofNanos(1));
        Caller.at(hardly, 7);
        Caller waiter = Caller.at(hardly, 7);
        assertThat(waiter.check(7)).isEqualTo(1);
        assertThat(waiter.check(8)).isEqualTo(REFUSED);
    }

    @Test
    void waitsWithoutLimitUnlessOneIsSet() {
        Bulkhead bulkhead = bulkhead(1, 1);
        Caller holder = Caller.at(bulkhead, 0);
        Caller waiter = Caller.at(bulkhead, 0);
        long seventyYears = 70 * 365 * Duration.ofDays(1).toNanos();
        assertThat(waiter.check(0)).isEqualTo(Nanos.FOREVER);
        assertThat(waiter.check(seventyYears)).isEqualTo(Nanos.FOREVER);
        assertThat(holder.release()).isSameAs(waiter);
        assertThat(waiter.check(seventyYears)).isEqualTo(IN);
    }

    @Test
    void measuresTheWaitAcrossAnOverflowOfTheClock() {
        Bulkhead bulkhead = bulkhead(1, 1, Duration.ofNanos(100));
        Caller.at(bulkhead, Long.MAX_VALUE - 40);
        Caller waiter = Caller.at(bulkhead, Long.MAX_VALUE - 40);
        assertThat(waiter.check(Long.MIN_VALUE + 9)).isEqualTo(50);
        assertThat(waiter.check(Long.MIN_VALUE + 59)).isEqualTo(REFUSED);
    }

    @Test
    void aHundredThousandWaitersFollowEachOtherWithoutRecursion() {
        int waiters = 100_000;
        Bulkhead bulkhead = bulkhead(1, waiters);
        Caller current = Caller.at(bulkhead);
        Deque<Caller> expected = new ArrayDeque<>();
        for (int i = 0; i < waiters; i++) {
            expected.add(Caller.at(bulkhead));
        }
        int ran = 0;
        while (!expected.isEmpty()) {
            Waiter next = current.release();
            assertThat(next).isSameAs(expected.poll());
            current = (Caller) Objects.requireNonNull(next);
            assertThat(current.timesWoken()).as("woken by the bulkhead itself").isZero();
            assertThat(current.check(0)).isEqualTo(IN);
            ran++;
        }
        assertThat(current.release()).isNull();
        assertThat(ran).isEqualTo(waiters);
        assertThat(bulkhead.inUse()).isZero();
    }

    @Test
    void growingLetsWaitersInAtOnceAndInOrder() {
        Bulkhead bulkhead = bulkhead(1, 5);
        Caller.at(bulkhead);
        List<Caller> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(Caller.at(bulkhead));
        }
        bulkhead.resize(3, 5);
        assertThat(waiters).extracting(Caller::timesWoken).containsExactly(1, 1, 0, 0);
        assertThat(waiters.get(0).check(0)).isEqualTo(IN);
        assertThat(waiters.get(1).check(0)).isEqualTo(IN);
        assertThat(waiters.get(2).check(0)).isPositive();
        assertThat(bulkhead.maxConcurrent()).isEqualTo(3);
        assertThat(bulkhead.concurrencyLimit()).isEqualTo(3);
        assertThat(bulkhead.inUse()).isEqualTo(3);
        assertThat(bulkhead.queued()).isEqualTo(2);

        bulkhead.resize(10, 5);
        assertThat(waiters.get(2).check(0)).isEqualTo(IN);
        assertThat(waiters.get(3).check(0)).isEqualTo(IN);
        assertThat(bulkhead.available())
                .as("nobody waits, so newcomers may come in")
                .isEqualTo(5);
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
    }

    @Test
    void shrinkingBelowWhatIsInUseLetsItDrain() {
        Bulkhead bulkhead = bulkhead(3, 1);
        Caller one = Caller.at(bulkhead);
        Caller two = Caller.at(bulkhead);
        Caller three = Caller.at(bulkhead);
        bulkhead.resize(1, 1);
        assertThat(bulkhead.inUse()).isEqualTo(3);
        assertThat(bulkhead.available()).isZero();
        Caller waiter = Caller.at(bulkhead);
        assertThat(waiter.waits()).isTrue();

        assertThat(one.release()).as("two still run where one may").isNull();
        assertThat(two.release()).as("one still runs where one may").isNull();
        assertThat(waiter.check(0)).isPositive();
        assertThat(three.release()).isSameAs(waiter);
        assertThat(waiter.check(0)).isEqualTo(IN);
        assertThat(bulkhead.inUse()).isEqualTo(1);
    }

    @Test
    void shrinkingWhileFullLetsNobodyInBeforeTheSurplusHasDrained() {
        Bulkhead bulkhead = Bulkhead.of(9);
        List<Caller> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            running.add(Caller.at(bulkhead));
        }
        bulkhead.resize(2, 0);
        for (int left = 8; left > 2; left--) {
            assertThat(bulkhead.inUse()).isEqualTo(left);
            assertThat(bulkhead.available()).isZero();
            assertThat(Caller.at(bulkhead).isRefused()).isTrue();
            assertThat(running.remove(0).release()).isNull();
        }
        assertThat(Caller.at(bulkhead).isRefused()).as("two run where two may").isTrue();
        running.remove(0).release();
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        bulkhead.resize(20, 0);
        assertThat(bulkhead.inUse()).isEqualTo(2);
        assertThat(bulkhead.available()).isEqualTo(18);
    }

    @Test
    void aPermitTakenBeforeAResizingComesBackAfterIt() {
        Bulkhead bulkhead = Bulkhead.of(1);
        for (int limit : new int[] {100, 3, 1, 32, 7, 1}) {
            Caller before = Caller.at(bulkhead);
            assertThat(before.isIn()).isTrue();
            bulkhead.resize(limit, 0);
            assertThat(bulkhead.available()).isEqualTo(limit - 1);
            before.release();
            assertThat(bulkhead.available()).isEqualTo(limit);
        }
    }

    @Test
    void nothingIsAvailableWhileSomebodyWaitsForAShrunkBulkhead() {
        Bulkhead bulkhead = bulkhead(2, 1);
        Caller first = Caller.at(bulkhead);
        Caller.at(bulkhead);
        bulkhead.resize(1, 1);
        assertThat(Caller.at(bulkhead).waits()).isTrue();
        assertThat(bulkhead.available()).isZero();
        first.release();
        assertThat(bulkhead.available()).isZero();
    }

    @Test
    void shrinkingTheQueueKeepsThoseWhoWait() {
        Bulkhead bulkhead = bulkhead(1, 3);
        Caller holder = Caller.at(bulkhead);
        Caller first = Caller.at(bulkhead);
        Caller second = Caller.at(bulkhead);
        bulkhead.resize(1, 0);
        assertThat(bulkhead.queued()).isEqualTo(2);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        assertThat(holder.release()).isSameAs(first);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        assertThat(first.release()).isSameAs(second);
        assertThat(second.release()).isNull();
        assertThat(Caller.at(bulkhead).isIn()).isTrue();
    }

    @Test
    void resizingToTheSameSizeChangesNothing() {
        Bulkhead bulkhead = bulkhead(1, 1);
        Caller.at(bulkhead);
        Caller waiter = Caller.at(bulkhead);
        bulkhead.resize(1, 1);
        assertThat(waiter.timesWoken()).isZero();
        assertThat(waiter.check(0)).isPositive();
        assertThat(bulkhead.tryAcquire(0)).isEqualTo(Admission.NOT_NOW);
    }

    @Test
    void canBeGivenAQueueLater() {
        Bulkhead bulkhead = Bulkhead.of(1);
        Caller holder = Caller.at(bulkhead);
        assertThat(Caller.at(bulkhead).isRefused()).isTrue();
        bulkhead.resize(1, 1);
        Caller waiter = Caller.at(bulkhead);
        assertThat(waiter.waits()).isTrue();
        assertThat(holder.release()).isSameAs(waiter);
    }

    private static Bulkhead bulkhead(int maxConcurrent, int maxQueued) {
        return Bulkhead.builder()
                .maxConcurrent(maxConcurrent)
                .maxQueued(maxQueued)
                .build();
    }

    private static Bulkhead bulkhead(int maxConcurrent, int maxQueued, Duration maxWait) {
        return Bulkhead.builder()
                .maxConcurrent(maxConcurrent)
                .maxQueued(maxQueued)
                .maxWait(maxWait)
                .build();
    }
}
