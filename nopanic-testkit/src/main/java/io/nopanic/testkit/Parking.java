package io.nopanic.testkit;

import io.nopanic.time.Nanos;
import io.nopanic.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that park in a {@link VirtualTime}. Everything is guarded by the lock of that time; methods that say so expect it to be held,
 * the others take it.
 *
 * <p><b>When is everybody still?</b> Threads of {@link VirtualTime#threads()} are <em>followed</em>: each of them runs until it parks or
 * ends, and the clock waits for that. But a parked thread may have been unparked by another one and not have noticed yet, which nobody can
 * see from outside. So {@link #settle} unparks all of them: each looks again at what it waits for, and parks once more if it still has to.
 * It does so until a round passes in which nobody made progress, that is, in which every thread parked again for the same thing
 * until the same moment, none began or ended, and no timer was set or cancelled.
 */
final class Parking {

    static final long GUARD_SECONDS = 30;

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ReentrantLock lock;
    private final Condition changed;
    private final List<Parked> parked = new ArrayList<>();
    private final List<Duration> parks = new ArrayList<>();
    private final Map<Thread, Parked> last = new HashMap<>();
    private final Set<Thread> followed = new HashSet<>();
    private long progress;
    private int threadNumber;

    Parking(ReentrantLock lock) {
        this.lock = lock;
        changed = lock.newCondition();
    }

    // ------------------------------------------------------------------------------------------- the threads' side

    /** Notes that the calling thread is about to park. */
    Parked ask(Object blocker, long nanos, long nowNanos) {
        Parked asked = new Parked(
                Thread.currentThread(), blocker, nanos >= Nanos.FOREVER, nowNanos + Math.min(nanos, Nanos.FOREVER));
        lockWithoutParking();
        try {
            Parked before = last.put(asked.thread, asked);
            if (before == null || !asked.continues(before)) {
                parks.add(Duration.ofNanos(nanos));
                progress();
            } else {
                asked.slicesInVain = before.slicesInVain;
            }
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /** Parks the calling thread until it is unparked, by whomever, or interrupted. The lock must not be held. */
    void park(Parked me, BooleanSupplier stillWanted) {
        park(me, stillWanted, () -> LockSupport.park(me.blocker));
    }

    /**
     * The same for a short real time, after which the thread has to look again: moving the clock may have used up an unpark that was meant for it.
     *
     * @throws IllegalStateException if it has looked in vain for {@value #GUARD_SECONDS} real seconds
     */
    void parkBriefly(Parked me, BooleanSupplier stillWanted) {
        park(me, stillWanted, () -> {
            long startNanos = Time.system().nanos();
            LockSupport.parkNanos(me.blocker, SLICE_NANOS);
            boolean inVain = Time.system().nanos() - startNanos >= SLICE_NANOS;
            me.slicesInVain = inVain ? me.slicesInVain + 1 : 0;
            if (me.slicesInVain * SLICE_NANOS >= TimeUnit.SECONDS.toNanos(GUARD_SECONDS)) {
                throw new IllegalStateException("a thread parks without an end, and for " + GUARD_SECONDS
                        + " real seconds there was no timer and nobody that could wake it; it waits for " + me.blocker);
            }
        });
    }

    /** Takes the lock in a way that leaves an unpark which is meant for the caller's own park. */
    private void lockWithoutParking() {
        while (!lock.tryLock()) {
            Thread.onSpinWait();
        }
    }

    private void park(Parked me, BooleanSupplier stillWanted, Runnable really) {
        lockWithoutParking();
        try {
            if (!stillWanted.getAsBoolean()) {
                return;
            }
            parked.add(me);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            really.run();
        } finally {
            lock.lock();
            try {
                parked.remove(me);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Starts a thread that is followed. */
    void start(Runnable task) {
        lock.lock();
        try {
            Thread thread = new Thread(null, () -> runFollowed(task), "virtual-time-" + ++threadNumber, 0, false);
            thread.setDaemon(true);
            followed.add(thread);
            progress();
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private void runFollowed(Runnable task) {
        try {
            task.run();
        } finally {
            lock.lock();
            try {
                followed.remove(Thread.currentThread());
                last.remove(Thread.currentThread());
                progress();
            } finally {
                lock.unlock();
            }
        }
    }

    // --------------------------------------------------------------------------------------------- the clock's side

    /** With the lock held: something happened that others may react to. */
    void progress() {
        progress++;
        changed.signalAll();
    }

    /** With the lock held: unparks the threads whose parks end now or have ended. */
    void releaseUntil(long nowNanos) {
        release(each -> !each.endless && each.endNanos - nowNanos <= 0);
    }

    /** With the lock held: unparks everybody. */
    void releaseAll() {
        release(each -> true);
    }

    private void release(Predicate<Parked> which) {
        parked.removeIf(each -> {
            boolean released = which.test(each);
            if (released) {
                LockSupport.unpark(each.thread);
            }
            return released;
        });
    }

    /** With the lock held: the park that ends first, {@code null} if none ever does. */
    @Nullable Parked first() {
        Parked first = null;
        for (Parked each : parked) {
            if (!each.endless && (first == null || each.endNanos - first.endNanos < 0)) {
                first = each;
            }
        }
        return first;
    }

    /** Waits until no followed thread has anything left to do at this moment; see the class's description. */
    void settle() {
        lock.lock();
        try {
            if (followed.isEmpty()) {
                return;
            }
            long seen;
            do {
                awaitStill();
                seen = progress;
                release(each -> followed.contains(each.thread));
                awaitStill();
            } while (seen != progress);
        } finally {
            lock.unlock();
        }
    }

    private void awaitStill() {
        await(
                this::isStill,
                () -> "the threads of threads() to park in virtual time or end; running are " + describeRunning());
    }

    private boolean isStill() {
        Set<Thread> running = running();
        running.remove(Thread.currentThread());
        return running.isEmpty();
    }

    private Set<Thread> running() {
        Set<Thread> running = new HashSet<>(followed);
        parked.forEach(each -> running.remove(each.thread));
        return running;
    }

    private String describeRunning() {
        StringBuilder text = new StringBuilder();
        for (Thread thread : running()) {
            text.append(System.lineSeparator()).append(thread.getName());
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append(System.lineSeparator()).append("    at ").append(frame);
            }
        }
        return text.toString();
    }

    // ---------------------------------------------------------------------------------------------- the test's side

    /** With the lock held: how many threads are parked. */
    int size() {
        return parked.size();
    }

    List<Duration> parks() {
        lock.lock();
        try {
            return List.copyOf(parks);
        } finally {
            lock.unlock();
        }
    }

    void awaitParked(int count) {
        lock.lock();
        try {
            await(() -> parked.size() >= count, () -> count + " parked threads; there are " + parked.size());
        } finally {
            lock.unlock();
        }
    }

    void awaitParks(int count) {
        lock.lock();
        try {
            await(() -> parks.size() >= count, () -> count + " parks; there were " + parks);
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held, which is given up while waiting. */
    private void await(BooleanSupplier condition, Supplier<String> what) {
        long leftNanos = TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
        try {
            while (!condition.getAsBoolean()) {
                if (leftNanos <= 0) {
                    throw new IllegalStateException("waited " + GUARD_SECONDS + " real seconds for " + what.get());
                }
                leftNanos = changed.awaitNanos(leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + what.get(), e);
        }
    }

    /** A thread that parks or is about to, for one thing until one moment; a park, known by identity. */
    static final class Parked {
        final Thread thread;
        final Object blocker;
        final boolean endless;
        final long endNanos;

        /** How often in a row the thread has parked for this and was not unparked. */
        long slicesInVain;

        Parked(Thread thread, Object blocker, boolean endless, long endNanos) {
            this.thread = thread;
            this.blocker = blocker;
            this.endless = endless;
            this.endNanos = endNanos;
        }

        /** Whether this is the rest of a park that was cut short. */
        boolean continues(Parked before) {
            return blocker == before.blocker && endless == before.endless && (endless || endNanos == before.endNanos);
        }
    }
}
