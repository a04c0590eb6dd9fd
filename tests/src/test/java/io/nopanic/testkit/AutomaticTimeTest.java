package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that parks moves the clock. */
@Timeout(60)
class AutomaticTimeTest {

    private final List<String> log = new ArrayList<>();

    private final VirtualTime time = VirtualTime.create();

    @Test
    void aParkMovesTheClockToItsEnd() {
        time.time().park(this, 30_000_000_000L);
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(30));
        assertThat(time.parks()).containsExactly(Duration.ofSeconds(30));
    }

    @Test
    void aParkEndsAtAnEarlierTimerAndGoesOnAfterIt() {
        time.time().schedule(3_000_000_000L, () -> log.add("timer"));
        long end = time.nanos() + 10_000_000_000L;
        time.time().park(this, end - time.nanos());
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(3));
        assertThat(log).containsExactly("timer");
        time.time().park(this, end - time.nanos());
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(time.parks()).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void aTimerAtTheEndOfAParkRunsBeforeItReturns() {
        time.time().schedule(10, () -> log.add("timer"));
        time.time().park(this, 10);
        assertThat(log).containsExactly("timer");
    }

    @Test
    void aParkWithoutAnEndMovesToTheNextTimer() {
        time.time().schedule(10, () -> log.add("timer"));
        time.time().park(this, Nanos.FOREVER);
        assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(10));
    }

    @Test
    void aParkWithoutAnEndAndWithoutTimersWaitsForAnotherThread() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!done.get()) {
                time.time().park(this, Nanos.FOREVER);
            }
        });
        thread.start();
        time.awaitParked(1);
        time.time().schedule(10, () -> done.set(true));
        thread.join();
        assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(10));
    }

    @Test
    void aParkOfAnInterruptedThreadReturnsAtOnceAndLeavesTheFlag() {
        Thread.currentThread().interrupt();
        time.time().park(this, 1_000);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(time.elapsed()).isZero();
        assertThat(time.parks()).isEmpty();
    }

    @Test
    void aTimerMayInterruptTheParkedThread() {
        Thread me = Thread.currentThread();
        time.time().schedule(1_000, me::interrupt);
        time.time().park(this, 1_000_000);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(1_000));
    }

    @Test
    void aParkOfNoLengthIsNone() {
        time.time().park(this, 0);
        time.time().park(this, -1);
        time.time().park(this, Long.MIN_VALUE);
        assertThat(time.parks()).isEmpty();
        assertThat(time.elapsed()).isZero();
    }

    @Test
    void hasNoThreadsToFollow() {
        assertThatIllegalStateException().isThrownBy(time::threads);
    }
}
