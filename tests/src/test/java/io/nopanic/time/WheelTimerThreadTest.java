package io.nopanic.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the timer has a thread, and what that does. */
@Timeout(60)
class WheelTimerThreadTest extends WheelTimerFixture {

    @Test
    void startsNoThreadBeforeTheFirstAction() {
        assertThat(threads).isEmpty();
        timer.schedule(1, () -> {});
        assertThat(threads).hasSize(1);
    }

    @Test
    void startsNoThreadWhenTheClassIsLoaded() throws Exception {
        Set<Thread> before = ownThreads();
        ClassLoader fresh = new FreshTimeClasses();
        Class<?> time = Class.forName(Time.class.getName(), true, fresh);
        assertThat(time).isNotSameAs(Time.class);
        assertThat(time.getMethod("system").invoke(null)).isNotNull();
        assertThat(time.getMethod("coarse").invoke(null)).isNotNull();
        Set<Thread> after = ownThreads();
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

    private static Set<Thread> ownThreads() {
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(thread -> !thread.getName().startsWith("nopanic-"));
        return all;
    }

    /** Loads the classes of the package once more. */
    private static final class FreshTimeClasses extends ClassLoader {

        FreshTimeClasses() {
            super(WheelTimerThreadTest.class.getClassLoader());
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
