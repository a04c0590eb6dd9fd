package io.nopanic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nopanic.time.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that parks waits for the clock. */
@Timeout(60)
class ManualTimeTest {

    private final List<String> log = new ArrayList<>();

    private final VirtualTime time = VirtualTime.manual();

    @Test
    void aParkLastsUntilSomebodyMovesTheClockToItsEnd() throws InterruptedException {
        BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
        parkFor(1_000, woke);
        time.advance(Duration.ofNanos(999));
        assertThat(time.parked()).isEqualTo(1);
        time.advance(Duration.ofNanos(1));
        assertThat(time.parked()).isZero();
        assertThat(woke.take()).isEqualTo(Duration.ofNanos(1_000));
    }

    @Test
    void aParkEndsWhenTheThreadIsUnparked() throws InterruptedException {
        BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
        Thread thread = parkFor(1_000, woke);
        LockSupport.unpark(thread);
        assertThat(woke.take()).isZero();
    }

    @Test
    void aParkEndsWhenTheThreadIsInterrupted() throws InterruptedException {
        BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
        Thread thread = parkFor(1_000, woke);
        thread.interrupt();
        assertThat(woke.take()).isZero();
    }

    @Test
    void aParkOfAThreadThatWasUnparkedBeforeReturns() {
        LockSupport.unpark(Thread.currentThread());
        time.time().park(this, 1_000);
        assertThat(time.elapsed()).isZero();
    }

    @Test
    void movesToTheEndOfAParkAsToATimer() throws InterruptedException {
        BlockingQueue<Duration> woke = new ArrayBlockingQueue<>(1);
        parkFor(1_000, woke);
        time.time().schedule(2_000, () -> {});
        assertThat(time.advanceToNext()).isTrue();
        assertThat(woke.take()).isEqualTo(Duration.ofNanos(1_000));
    }

    @Test
    void stopsAtEveryMomentForTheThreadsItFollows() {
        for (int number = 1; number <= 3; number++) {
            String name = "thread " + number;
            long step = 300 + number;
            time.threads().execute(() -> {
                for (int i = 0; i < 3; i++) {
                    sleep(step);
                    add(name + "@" + time.elapsed().toNanos());
                }
            });
        }
        time.time().schedule(302, () -> add("timer@" + time.elapsed().toNanos()));
        time.advance(Duration.ofNanos(700));
        assertThat(log)
                .containsExactly(
                        "thread 1@301",
                        "timer@302",
                        "thread 2@302",
                        "thread 3@303",
                        "thread 1@602",
                        "thread 2@604",
                        "thread 3@606");
        time.advance(Duration.ofNanos(300));
        assertThat(log).hasSize(10);
        assertThat(time.parked()).isZero();
    }

    @RepeatedTest(20)
    void waitsForThreadsThatOthersHaveUnparked() {
        int chain = 8;
        Thread[] threads = new Thread[chain];
        boolean[] go = new boolean[chain + 1];
        for (int i = 0; i < chain; i++) {
            int me = i;
            time.threads().execute(() -> {
                threads[me] = Thread.currentThread();
                while (!isSet(go, me)) {
                    time.time().park(go, Nanos.FOREVER);
                }
                set(go, me + 1);
                if (me + 1 < chain) {
                    LockSupport.unpark(threads[me + 1]);
                }
                sleep(10);
                add(me + "@" + time.elapsed().toNanos());
            });
            time.settle();
        }
        time.time().schedule(100, () -> {
            set(go, 0);
            LockSupport.unpark(threads[0]);
        });
        time.advance(Duration.ofNanos(200));
        assertThat(log).hasSize(chain).allMatch(entry -> entry.endsWith("@110"));
    }

    @Test
    void aLookAtWhatOthersDidIsNoNewPark() {
        time.threads().execute(() -> sleep(1_000));
        for (int i = 1; i < 10; i++) {
            time.advance(Duration.ofNanos(100));
        }
        time.settle();
        assertThat(time.parks()).containsExactly(Duration.ofNanos(1_000));
        time.advance(Duration.ofNanos(100));
        assertThat(time.parked()).isZero();
    }

    @Test
    void threadsThatItFollowsMayStartOthers() {
        time.threads().execute(() -> {
            sleep(10);
            time.threads().execute(() -> {
                sleep(10);
                add("inner@" + time.elapsed().toNanos());
            });
            sleep(15);
            add("outer@" + time.elapsed().toNanos());
        });
        time.advance(Duration.ofNanos(100));
        assertThat(log).containsExactly("inner@20", "outer@25");
    }

    private Thread parkFor(long nanos, BlockingQueue<Duration> woke) {
        Thread thread = new Thread(() -> {
            time.time().park(this, nanos);
            woke.add(time.elapsed());
        });
        thread.start();
        time.awaitParked(1);
        return thread;
    }

    private void sleep(long nanos) {
        long start = time.nanos();
        for (long left = nanos; left > 0; left = nanos - (time.nanos() - start)) {
            time.time().park(Thread.currentThread(), left);
        }
    }

    private void add(String entry) {
        synchronized (log) {
            log.add(entry);
        }
    }

    private boolean isSet(boolean[] flags, int i) {
        synchronized (flags) {
            return flags[i];
        }
    }

    private void set(boolean[] flags, int i) {
        synchronized (flags) {
            flags[i] = true;
        }
    }
}
